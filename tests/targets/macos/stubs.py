"""stubs.py FOLDER: libSystem of macOS as a stub for a linker: the names that it exports, from the list that zig has. There they stand under
the libraries that it is made of, where not every linker finds them; here they are one list."""

import pathlib
import re
import sys

import ziglang

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
listed = (pathlib.Path(ziglang.__file__).parent / "lib/libc/darwin/libSystem.tbd").read_text()
symbols = set()
for some in re.findall(r"\bsymbols: +\[(.*?)\]", listed, re.S):
    symbols.update(name for name in re.split(r"[,\s]+", some) if name and not name.startswith("'$ld"))
assert {"_malloc", "__Unwind_Resume", "dyld_stub_binder"} <= symbols, len(symbols)
stub = f"""--- !tapi-tbd
tbd-version: 4
targets: [ x86_64-macos, arm64-macos ]
install-name: '/usr/lib/libSystem.B.dylib'
exports:
  - targets: [ x86_64-macos, arm64-macos ]
    symbols: [ {", ".join(sorted(symbols))} ]
...
"""
for name in ["libSystem", "libc", "libm"]:  # three names of one library
    (folder / f"{name}.tbd").write_text(stub)
