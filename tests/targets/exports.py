"""exports.py LIBRARY...: each library exports the functions of include/quatint.h and nothing else, has the name by which programs
find it, and needs no library but those of its system. For ELF, Mach-O and WebAssembly."""

import pathlib
import re
import sys

import lief

version = re.search(r'^version = "(\d+)\.(\d+)', pathlib.Path("Cargo.toml").read_text(), re.M)
major, minor = version.groups()
abi = major if major != "0" else f"0.{minor}"
header = pathlib.Path("include/quatint.h").read_text()
functions = set(re.findall(r"^(?:QI_WARN_UNUSED )?(?:const )?\w+ \*?(qi_\w+)\(", header, re.M))
assert len(functions) > 100, f"only {len(functions)} functions were found in the header"


def of_mach_o(library):
    names = {symbol.name.removeprefix("_") for symbol in library.exported_symbols}
    own, *needed = [entry.name for entry in library.libraries]
    assert own == f"@rpath/libquatint.{abi}.dylib", own
    assert all(name.startswith("/usr/lib/lib") for name in needed), needed
    return names, needed


def of_elf(library):
    names = {symbol.name for symbol in library.exported_symbols if symbol.name}
    own = library.get(lief.ELF.DynamicEntry.TAG.SONAME).name
    assert own == f"libquatint.so.{abi}", own
    return names, library.libraries


def of_wasm(path):
    from wasmtime import Engine, FuncType, Module

    module = Module.from_file(Engine(), path)
    assert not list(module.imports), [entry.name for entry in module.imports]
    return {entry.name for entry in module.exports if isinstance(entry.type, FuncType)}, []


for path in sys.argv[1:]:
    if path.endswith(".wasm"):
        names, needed = of_wasm(path)
    else:
        library = lief.parse(path)
        names, needed = of_mach_o(library) if isinstance(library, lief.MachO.Binary) else of_elf(library)
    assert names == functions, f"{len(names - functions)} too many, {len(functions - names)} missing: {sorted(names ^ functions)[:9]}"
    print(f"{path}: the {len(names)} functions of the header; needs {', '.join(needed) or 'nothing'}")
