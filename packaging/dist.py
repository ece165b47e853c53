"""Writes into target/dist what users without Rust download: for each table of targets.toml an
archive and wheels, then a source distribution for pip, the source with all crates, and SHA256SUMS.

    dist.py [NAME...]      only these tables; the files of others stay

For each target of Rust cargo builds the C library, which `make install` lays out for the archive,
and maturin builds the wheel from the same crates. Times, owners and the order of files are fixed:
the same commit and tools give the same bytes. The time is that of the commit or SOURCE_DATE_EPOCH.
"""

import gzip
import hashlib
import os
import re
import shutil
import struct
import sys
import tarfile
import tempfile
import time
import tomllib
import zipfile
from pathlib import Path
from unittest import mock

from libraries import (
    ABI,
    BUILD,
    ROOT,
    VERSION,
    build_libraries,
    cargo_environment,
    epoch,
    installed,
    notices_of_rust,
    run,
    system,
)
from sbom import bill_of_materials

HERE = Path(__file__).resolve().parent
OUT = ROOT / "target" / "dist"
TOOLS = ROOT / "target" / "packaging" / "bin"
MANIFEST = ROOT / "bindings" / "python" / "Cargo.toml"
FREE_THREADED = "python3.14t"  # the stable interface of Python is not for those
TIME_OF_ZIP = 315532800  # 1980, where the time of zip archives begins
PAGE = 1 << 14  # a multiple of which each part of a universal file begins at


def main(names):
    table = tomllib.loads((HERE / "targets.toml").read_text())
    unknown = set(names) - set(table)
    if unknown:
        named = ", ".join(sorted(unknown))
        sys.exit(f"dist.py: no {named} in targets.toml, which has {', '.join(table)}")
    os.environ["PATH"] = f"{TOOLS}:{os.environ['PATH']}"
    os.environ.setdefault("SOURCE_DATE_EPOCH", run("git", "log", "-1", "--format=%ct").strip())
    if not names:
        shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True, exist_ok=True)
    for name in names or table:
        start = time.monotonic()
        build(name, table[name])
        print(f"{name}: {time.monotonic() - start:.0f} s", file=sys.stderr)
    sources()
    recipes()
    artifacts(table)
    files = sorted(set(OUT.iterdir()) - {OUT / "SHA256SUMS"})
    (OUT / "SHA256SUMS").write_text("".join(f"{checksum(file)}  {file.name}\n" for file in files))
    for file in files:
        print(f"{file.stat().st_size / 1e6:6.2f} MB  {file.name}")


def sources():
    """The source distribution for pip, and the source with all crates, which builds without a network:
    of the last commit, whatever else lies in the folder."""
    folder = BUILD / "source"
    shutil.rmtree(folder, ignore_errors=True)
    run(HERE / "vendored.sh", folder, "HEAD")
    root = f"quatint-{VERSION}-source"
    pack_tar(folder, root, OUT / f"{root}.tar.gz")
    shutil.rmtree(folder / "vendor")
    manifest = folder / "bindings" / "python" / "Cargo.toml"
    configuration = run("git", "show", "HEAD:.cargo/config.toml")  # without the lines for vendor/
    (folder / ".cargo" / "config.toml").write_text(configuration)
    run("maturin", "sdist", "--manifest-path", manifest, "--out", OUT)


def recipes():
    """The recipes that take the archive of the source, with its checksum in the place of zeros."""
    archive = (OUT / f"quatint-{VERSION}-source.tar.gz").read_bytes()
    kinds = {"conda/recipe.yaml": "sha256", "conan/conandata.yml": "sha256", "vcpkg/portfile.cmake": "sha512"}
    for recipe, kind in kinds.items():
        digest = hashlib.new(kind, archive).hexdigest()
        before, after = (HERE / recipe).read_text().split("0" * len(digest))
        (OUT / Path(recipe).name).write_text(before + digest + after)


def checksum(file):
    return hashlib.sha256(file.read_bytes()).hexdigest()


def build(name, target):
    """The wheels and the archive of one table."""
    parts = []
    for number, triple in enumerate(target["rust"]):
        tag = target["wheels"][number]
        oldest_macos = target["oldest"][number] if "oldest" in target else None
        with mock.patch.dict(os.environ, environment_of(triple, oldest_macos)):
            parts.append(build_libraries(triple, glibc_of(tag)))
            build_wheel(triple, tag)
            build_wheel(triple, tag, FREE_THREADED)
    files = parts[0]
    if len(parts) > 1:
        files = universal(parts, target["rust"], BUILD / "universal")
    if system(target["rust"][0]) == "windows":
        files = [*files, import_library_of_microsoft(files[0], BUILD / "import")]
    prefix = installed(files, BUILD / "stage" / name, target["rust"][0])
    for triple in target["rust"]:
        bill = prefix / "share" / "quatint" / f"sbom-{triple}.cdx.json"
        bill.write_text(bill_of_materials(triple, epoch()))
    root = f"quatint-{VERSION}-{name}"
    pack = {"tar.gz": pack_tar, "zip": pack_zip}[target["archive"]]
    pack(prefix, root, OUT / f"{root}.{target['archive']}")


def glibc_of(tag):
    """The version of glibc in the tag of a wheel, such as 2.17; None for wheels that need none."""
    found = re.fullmatch(r"manylinux_(\d+)_(\d+)", tag)
    return f"{found[1]}.{found[2]}" if found else None


def build_wheel(triple, tag, interpreter=None):
    """Builds the wheel for one target of Rust, for all interpreters with a lock, or for one that is
    named and need not be there. Wheels for Linux have a tag that one can choose."""
    command = ["maturin", "build", "--release", "--locked", "--manifest-path", MANIFEST]
    command += ["--target", triple, "--target-dir", BUILD]
    if interpreter:
        command += ["--interpreter", interpreter]
    if system(triple) == "linux":
        command += ["--zig", "--compatibility", tag]
    bill = BUILD / "sbom" / f"quatint-rotation-{triple}.cdx.json"
    bill.parent.mkdir(parents=True, exist_ok=True)
    bill.write_text(bill_of_materials(triple, epoch(), "quatint-python"))
    command += ["--sbom-include", bill]
    folder = BUILD / "wheel"
    shutil.rmtree(folder, ignore_errors=True)
    with mock.patch.dict(os.environ, cargo_environment(triple)):
        run(*command, "--out", folder)
    (wheel,) = folder.glob("*.whl")
    pack_with_notices(wheel)


def pack_with_notices(wheel):
    """Writes the wheel into target/dist with the notices of what it contains of Rust's standard library."""
    with tempfile.TemporaryDirectory() as folder:
        run("wheel", "unpack", "--dest", folder, wheel)
        (root,) = Path(folder).iterdir()
        (information,) = root.glob("*.dist-info")
        notices = Path(shutil.copy(notices_of_rust(), information / "licenses"))
        metadata = information / "METADATA"
        head, description = metadata.read_text().split("\n\n", 1)
        metadata.write_text(f"{head}\nLicense-File: {notices.name}\n\n{description}")
        run("wheel", "pack", "--dest-dir", OUT, root)


def environment_of(triple, oldest):
    """For macOS Rust's own linker, which exports the functions of the header alone, and stubs for
    it to link with. The linker of zig exports more."""
    if not oldest:
        return {}
    macos = ROOT / "tests" / "targets" / "macos"
    run(sys.executable, macos / "stubs.py", ROOT / "target" / "targets" / "macos")
    linker = f"CARGO_TARGET_{triple.upper().replace('-', '_')}_LINKER"
    return {"MACOSX_DEPLOYMENT_TARGET": oldest, linker: str(macos / "cc")}


def universal(parts, triples, folder):
    """Joins the files for each processor to files for all: a table of what begins where, then each
    file at a multiple of PAGE. (The llvm-lipo of Debian is too old for libraries of today's Rust.)
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for files in zip(*parts):
        (folder / files[0].name).write_bytes(universal_file(files, triples))
    return [folder / file.name for file in parts[0]]


def universal_file(files, triples):
    # type and subtype, as Mach-O numbers them
    processors = {"x86_64": (0x01000007, 3), "aarch64": (0x0100000C, 0)}
    magic = 0xCAFEBABE
    table = struct.pack(">II", magic, len(files))
    contents = b""
    for triple, file in zip(triples, files):
        kind, subkind = processors[triple.split("-")[0]]
        data = file.read_bytes()
        start = PAGE + len(contents)
        table += struct.pack(">IIIII", kind, subkind, start, len(data), 14)  # PAGE is 2^14
        contents += data + bytes(-len(data) % PAGE)
    return table.ljust(PAGE, b"\0") + contents


def import_library_of_microsoft(dll, folder):
    """quatint.lib, which the linkers of Microsoft and LLVM take in the place of the DLL."""
    folder.mkdir(parents=True, exist_ok=True)
    functions = re.findall(r"Name: (qi_\w+)", run("llvm-readobj", "--coff-exports", dll))
    definition = folder / "quatint.def"
    lines = "".join(f"    {name}\n" for name in functions)
    definition.write_text(f"LIBRARY quatint-{ABI}.dll\nEXPORTS\n{lines}")
    library = folder / "quatint.lib"
    run("llvm-dlltool", "-m", "i386:x86-64", "-d", definition, "-l", library)
    return library


def artifacts(table):
    """Writes Artifacts.toml. If it is in the folder of the Julia package, Pkg downloads the archive
    for the machine and checks it."""
    head = "# Written by `make dist` for Julia's package manager, from the archives of one release."
    lines = [head]
    url = f"https://github.com/quatint/quatint/releases/download/v{VERSION}"
    for name, target in table.items():
        archive = OUT / f"quatint-{VERSION}-{name}.tar.gz"
        if not archive.exists():
            continue
        for platform in target.get("julia", []):
            lines += ["", "[[libquatint]]"]
            lines += [f'{key} = "{value}"' for key, value in sorted(platform.items())]
            lines += [f'git-tree-sha1 = "{tree_hash(archive)}"', ""]
            lines += ["    [[libquatint.download]]"]
            lines += [f'    sha256 = "{checksum(archive)}"']
            lines += [f'    url = "{url}/{archive.name}"']
    (OUT / "Artifacts.toml").write_text("\n".join(lines) + "\n")


def tree_hash(archive):
    """The name that git, and with it Julia, gives the unpacked contents."""
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(archive) as packed:
            packed.extractall(folder, filter="tar")
        git = ["git", f"--git-dir={folder}/.git", f"--work-tree={folder}"]
        git += ["-c", "core.autocrlf=false"]
        run(*git, "init", "--quiet")
        run(*git, "add", "--all", "--force", folder)
        return run(*git, "write-tree").strip()


def pack_tar(prefix, root, path):
    """A tar archive whose files belong to nobody, and are as old as the commit."""
    with (
        open(path, "wb") as raw,
        gzip.GzipFile("", "wb", 9, raw, mtime=epoch()) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive,
    ):
        for file in sorted(prefix.rglob("*")):
            entry = archive.gettarinfo(file, f"{root}/{file.relative_to(prefix)}")
            entry.uid = 0
            entry.gid = 0
            entry.uname = ""
            entry.gname = ""
            entry.mtime = epoch()
            entry.mode = 0o755 if entry.mode & 0o100 else 0o644
            if entry.isreg():
                with open(file, "rb") as contents:
                    archive.addfile(entry, contents)
            else:
                archive.addfile(entry)


def pack_zip(prefix, root, path):
    """A zip archive of the files below a folder, in order, with the time of the commit."""
    moment = time.gmtime(max(epoch(), TIME_OF_ZIP))[:6]
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted(prefix.rglob("*")):
            if file.is_file():
                entry = zipfile.ZipInfo(f"{root}/{file.relative_to(prefix).as_posix()}", moment)
                mode = 0o755 if os.access(file, os.X_OK) else 0o644
                entry.create_system = 3  # Unix, whose permissions follow
                entry.external_attr = (0o100000 | mode) << 16
                archive.writestr(entry, file.read_bytes(), zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    main(sys.argv[1:])
