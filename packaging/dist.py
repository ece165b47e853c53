"""Writes into target/dist what users without Rust download: for each table of targets.toml an archive and wheels, then a source
distribution for pip and SHA256SUMS.

    dist.py [NAME...]      only these tables; what is there of others stays

For each target of Rust cargo builds the C library, which `make install` lays out for the archive, and maturin the wheel, from
the same crates. Times, owners and the order of files are fixed: the same commit and tools give the same bytes, with the time
of the commit or SOURCE_DATE_EPOCH.
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

from libraries import BUILD, ROOT, VERSION, build_libraries, cargo_environment, epoch, installed, run, system
from sbom import bill_of_materials

HERE = Path(__file__).resolve().parent
OUT = ROOT / "target" / "dist"
TOOLS = ROOT / "target" / "packaging" / "bin"
MANIFEST = ROOT / "python" / "Cargo.toml"
FIRST = 315532800  # 1980, where the time of zip archives begins


def main(names):
    table = tomllib.loads((HERE / "targets.toml").read_text())
    unknown = set(names) - set(table)
    if unknown:
        sys.exit(f"dist.py: no {', '.join(sorted(unknown))} in targets.toml, which has {', '.join(table)}")
    os.environ["PATH"] = f"{TOOLS}:{os.environ['PATH']}"
    os.environ.setdefault("SOURCE_DATE_EPOCH", run("git", "log", "-1", "--format=%ct").strip())
    if not names:
        shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True, exist_ok=True)
    for name in names or table:
        start = time.monotonic()
        build(name, table[name])
        print(f"{name}: {time.monotonic() - start:.0f} s", file=sys.stderr)
    run("maturin", "sdist", "--manifest-path", MANIFEST, "--out", OUT)
    artifacts(table)
    files = sorted(set(OUT.iterdir()) - {OUT / "SHA256SUMS"})
    sums = "".join(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files)
    (OUT / "SHA256SUMS").write_text(sums)
    for file in files:
        print(f"{file.stat().st_size / 1e6:6.2f} MB  {file.name}")


def build(name, target):
    """The wheels and the archive of one table."""
    parts = []
    for number, triple in enumerate(target["rust"]):
        tag = target["wheels"][number]
        oldest_macos = target["oldest"][number] if "oldest" in target else None
        with mock.patch.dict(os.environ, environment_of(triple, oldest_macos)):
            parts.append(build_libraries(triple, glibc_of(tag)))
            build_wheel(triple, tag)
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


def build_wheel(triple, tag):
    """Builds the wheel for one target of Rust. Only those for Linux have a tag that one can choose."""
    command = ["maturin", "build", "--release", "--locked", "--manifest-path", MANIFEST, "--target", triple]
    command += ["--target-dir", BUILD, "--out", OUT]
    if system(triple) == "linux":
        command += ["--zig", "--compatibility", tag]
    with mock.patch.dict(os.environ, cargo_environment(triple)):
        run(*command)


def environment_of(triple, oldest):
    """For macOS: Rust's own linker, which exports the functions of the header alone, as zig's does not, and stubs for it to link with."""
    if not oldest:
        return {}
    macos = ROOT / "tests" / "targets" / "macos"
    run(sys.executable, macos / "stubs.py", ROOT / "target" / "targets" / "macos")
    linker = f"CARGO_TARGET_{triple.upper().replace('-', '_')}_LINKER"
    return {"MACOSX_DEPLOYMENT_TARGET": oldest, linker: str(macos / "cc")}


def universal(parts, triples, folder):
    """One file for all processors, of the files of each: a table of what begins where, then each file at a multiple of 2^14. (The
    llvm-lipo of Debian is too old for libraries of today's Rust.)"""
    processors = {"x86_64": (0x01000007, 3), "aarch64": (0x0100000C, 0)}  # type and subtype, as Mach-O numbers them
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for files in zip(*parts):
        table, contents = struct.pack(">II", 0xCAFEBABE, len(files)), []
        end = 1 << 14
        for triple, file in zip(triples, files):
            data = file.read_bytes()
            table += struct.pack(">IIIII", *processors[triple.split("-")[0]], end, len(data), 14)
            contents.append(data + bytes(-len(data) % (1 << 14)))
            end += len(contents[-1])
        (folder / files[0].name).write_bytes(table.ljust(1 << 14, b"\0") + b"".join(contents))
    return [folder / file.name for file in parts[0]]


def import_library_of_microsoft(dll, folder):
    """quatint.lib, which the linkers of Microsoft and LLVM take in the place of the DLL."""
    folder.mkdir(parents=True, exist_ok=True)
    functions = re.findall(r"Name: (qi_\w+)", run("llvm-readobj", "--coff-exports", dll))
    (folder / "quatint.def").write_text("LIBRARY quatint.dll\nEXPORTS\n" + "".join(f"    {name}\n" for name in functions))
    run("llvm-dlltool", "-m", "i386:x86-64", "-d", folder / "quatint.def", "-l", folder / "quatint.lib")
    return folder / "quatint.lib"


def artifacts(table):
    """Artifacts.toml: with it in the folder of the Julia package, Pkg downloads the archive for the machine, and checks it."""
    text = "# Written by `make dist` for Julia's package manager, from the archives of one release.\n"
    url = f"https://github.com/quatint/quatint/releases/download/v{VERSION}"
    for name, target in table.items():
        archive = OUT / f"quatint-{VERSION}-{name}.tar.gz"
        for platform in target.get("julia", []) if archive.exists() else []:
            text += "\n[[libquatint]]\n" + "".join(f'{key} = "{value}"\n' for key, value in sorted(platform.items()))
            text += f'git-tree-sha1 = "{tree_hash(archive)}"\n\n    [[libquatint.download]]\n'
            text += f'    sha256 = "{hashlib.sha256(archive.read_bytes()).hexdigest()}"\n    url = "{url}/{archive.name}"\n'
    (OUT / "Artifacts.toml").write_text(text)


def tree_hash(archive):
    """The name that git, and with it Julia, gives the unpacked contents."""
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(archive) as packed:
            packed.extractall(folder, filter="tar")
        git = ["git", f"--git-dir={folder}/.git", f"--work-tree={folder}", "-c", "core.autocrlf=false"]
        run(*git, "init", "--quiet")
        run(*git, "add", "--all", "--force", folder)
        return run(*git, "write-tree").strip()


def pack_tar(prefix, root, path):
    """A tar archive whose files belong to nobody, and are as old as the commit."""
    with open(path, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=epoch()) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
            for file in sorted(prefix.rglob("*")):
                entry = archive.gettarinfo(file, f"{root}/{file.relative_to(prefix)}")
                entry.uid = entry.gid = 0
                entry.uname = entry.gname = ""
                entry.mtime = epoch()
                entry.mode = 0o755 if entry.mode & 0o100 else 0o644
                if entry.isreg():
                    with open(file, "rb") as contents:
                        archive.addfile(entry, contents)
                else:
                    archive.addfile(entry)


def pack_zip(prefix, root, path):
    """A zip archive of the files below a folder, in order, with the time of the commit."""
    moment = time.gmtime(max(epoch(), FIRST))[:6]
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
