"""Tests the files that dist.py wrote, as a user has them: each archive is unpacked into an empty folder, a C program is built there
with the lines that docs/c.md prints, and runs; each wheel is imported where there is a Python for it. No Rust is on the PATH.

    test_dist.py [NAME...]     only the archives of these tables of targets.toml, and their wheels

What cannot run here is examined, and listed as such at the end.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from functools import partial
from pathlib import Path

import pages
from linking import EXPECTED, ROOT, output

HERE = Path(__file__).resolve().parent
OUT = ROOT / "target" / "dist"
WORK = ROOT / "target" / "test-dist"
TOOLS = ROOT / "target" / "packaging" / "bin"
LARGEST_WHEEL = 3e6
PATH = "/usr/bin:/bin"  # neither cargo nor rustc

VERSION = re.search(r'^version = "(.*)"', (ROOT / "Cargo.toml").read_text(), re.M)[1]
ABI = ".".join(VERSION.split(".")[: 2 if VERSION.startswith("0.") else 1])
FUNCTIONS = sorted(set(re.findall(r"^[A-Za-z][\w *]*\b(qi_[a-z0-9_]+)\(", (ROOT / "include/quatint.h").read_text(), re.M)))
report = []


def main(names):
    for tool in ("cargo", "rustc"):
        assert shutil.which(tool, path=PATH) is None, f"{tool} is in {PATH}"
    table = tomllib.loads((HERE / "targets.toml").read_text())
    shutil.rmtree(WORK, ignore_errors=True)
    sums = dict(reversed(line.split("  ")) for line in (OUT / "SHA256SUMS").read_text().splitlines())
    assert set(sums) == {file.name for file in OUT.iterdir()} - {"SHA256SUMS"}, sums
    for name, digest in sums.items():
        assert hashlib.sha256((OUT / name).read_bytes()).hexdigest() == digest, name
    for name in names or table:
        archive(name, table[name])
        for number, triple in enumerate(table[name]["rust"]):
            wheel(name, table[name], number, triple)
    assert [file for file in sums if file == f"quatint-{VERSION}.tar.gz"], "there is no source distribution"
    print(*report, sep="\n")


def archive(name, target):
    root = f"quatint-{VERSION}-{name}"
    file = OUT / f"{root}.{target['archive']}"
    folder = WORK / name
    folder.mkdir(parents=True)
    unpack(file, folder)
    assert [entry.name for entry in folder.iterdir()] == [root]
    prefix = folder / root
    contents = {str(path.relative_to(prefix)) for path in prefix.rglob("*") if not path.is_dir()}
    bills = {f"share/quatint/sbom-{triple}.cdx.json" for triple in target["rust"]}
    missing = {*target["holds"], *ALL_HOLD, *bills} - {part.replace(VERSION, "VERSION").replace(ABI, "ABI") for part in contents}
    assert not missing, f"{file.name} lacks {sorted(missing)}: {sorted(contents)}"
    for part in contents:
        data = (prefix / part).read_bytes()
        for place in (str(ROOT).encode(), os.path.expanduser("~/").encode()):
            assert place not in data, f"{part} names {place}"
    for bill in bills:
        check_bill(prefix / bill, "windows" in bill)
    check_exports(prefix, target)
    said = "examined"
    if "cc" in target:
        shutil.copy(ROOT / "c_examples" / "heavy_top.c", folder)
        output("sh", "-ec", target.get("first", ""), cwd=folder, env=environment(folder, prefix, target))
        for line in target["lines"]:
            run_line(line, folder, prefix, target)
        said = f"{len(target['lines'])} command lines, programs run"
        find_package(folder, prefix, target)
        output("sh", "-ec", target.get("last", ""), cwd=folder, env=environment(folder, prefix, target))
        said += ", find_package" + (", Microsoft's import library" if "last" in target else "")
    for language, line in target.get("pages", {}).items():
        compiled = partial(compile_and_run, line, folder=folder, prefix=prefix, target=target)
        said += f", {pages.compare(language, folder, compiled)}"
    if target.get("native"):
        in_an_empty_debian(file, root, target)
        said += ", the same in an empty Debian"
    report.append(f"{file.name}: {file.stat().st_size / 1e6:.2f} MB, {len(contents)} files; {said}")


ALL_HOLD = [
    "include/quatint.h",
    "include/quatint.hpp",
    "lib/cmake/quatint/quatint-config.cmake",
    "lib/libquatint.a",
    "lib/pkgconfig/quatint.pc",
    "share/licenses/quatint/LICENSE-APACHE",
    "share/licenses/quatint/LICENSE-MIT",
    "share/licenses/quatint/THIRD-PARTY.md",
    "share/quatint/fortran/quatint.f90",
]


def unpack(file, folder):
    if file.suffix in (".zip", ".whl"):
        zipfile.ZipFile(file).extractall(folder)
    else:
        with tarfile.open(file) as packed:
            owners = {(entry.uid, entry.gid, entry.uname, entry.gname) for entry in packed}
            assert owners == {(0, 0, "", "")}, owners
            packed.extractall(folder)


def check_bill(file, windows):
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    text = file.read_text()
    error = JsonStrictValidator(SchemaVersion.V1_5).validate_str(text)
    assert error is None, f"{file}: {error}"
    # The crates of THIRD-PARTY.md, which a test compares with what cargo links on x86-64 Linux; Windows needs one less.
    listed = set(re.findall(r"^\| \[?([a-z0-9_-]+)\]?[^|]*\| ([0-9.]+)", (ROOT / "THIRD-PARTY.md").read_text(), re.M))
    billed = set(re.findall(r'"bom-ref": "pkg:cargo/([^@]+)@([^"]+)"', text)) - {("quatint", VERSION)}
    without = {crate for crate in listed if crate[0] == "libc" and windows}
    assert billed == listed - without, f"{file.name}: {sorted(billed ^ listed)}"


def check_exports(prefix, target):
    """The shared library exports the functions of the header and nothing else, and has its name in it."""
    shared = next(prefix / part.replace("VERSION", VERSION).replace("ABI", ABI) for part in target["holds"])
    symbols = output("llvm-readobj", "--coff-exports", shared) if shared.suffix == ".dll" else ""
    if symbols:
        found = re.findall(r"Name: (\w+)", symbols.split("Export {", 1)[1])
    elif ".dylib" in shared.name:
        processors = ["x86_64", "arm64"]
        own = output("llvm-objdump", "--macho", "--dylib-id", "--arch=all", shared)
        assert own.count(f"@rpath/libquatint.{ABI}.dylib") == 2, own
        tries = [output("llvm-objdump", "--macho", "--exports-trie", f"--arch={name}", shared) for name in processors]
        found, other = (sorted(re.findall(r"^0x\w+ +_(\S+)", trie, re.M)) for trie in tries)
        assert found == other, sorted(set(found) ^ set(other))
    else:
        found = re.findall(r" (?:FUNC|GNU_IFUNC) +GLOBAL +\w+ +\d+ (\w+)", output("readelf", "-W", "--dyn-syms", shared))
        dynamic = output("readelf", "-Wd", shared)
        assert f"[libquatint.so.{ABI}]" in dynamic, dynamic
        versions = re.findall(r"GLIBC_(\d+)\.(\d+)", output("readelf", "-WV", shared))
        assert all((int(major), int(minor)) <= (2, 17) for major, minor in versions), sorted(set(versions))
    assert sorted(found) == FUNCTIONS, f"{shared.name}: {sorted(set(found) ^ set(FUNCTIONS))}"


def environment(folder, prefix, target):
    """That of a user: nothing of the repository, nothing of Rust."""
    pkg_config = {"PKG_CONFIG_PATH": f"{prefix}/lib/pkgconfig", "PKG_CONFIG_LIBDIR": "/nowhere"}
    path = f"Z:{prefix}/bin;Z:{folder}".replace("/", "\\")
    wine = {"WINEPREFIX": str(WORK / "wine"), "WINEDEBUG": "-all", "WINEPATH": path}
    own = {"PATH": PATH, "HOME": str(folder), "CC": target["cc"], "PREFIX": str(prefix), "ROOT": str(ROOT)}
    return {**own, **pkg_config, **wine}


def run_line(line, folder, prefix, target):
    environ = environment(folder, prefix, target)
    said = output("sh", "-ec", f"{line} -o program", cwd=folder, env=environ)
    program = next(path for path in (folder / "program", folder / "program.exe") if path.exists())
    check_program(program, folder, environ, target, line + said)
    program.unlink()


def check_program(program, folder, environ, target, how):
    printed = output(*target.get("run", "").split(), program, cwd=folder, env=environ)
    assert printed.replace("\r\n", "\n") == EXPECTED, f"{how}\n{printed}"


def compile_and_run(line, source, folder, prefix, target):
    environ = environment(folder, prefix, target)
    output("sh", "-ec", f"{line} -o program.exe", cwd=folder, env=environ)
    command = [*target["run"].split(), f"{folder}/program.exe"]
    return subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True)


def find_package(folder, prefix, target):
    project = folder / "project"
    shutil.copytree(ROOT / "tests" / "install" / "find_package", project)
    shutil.copy(ROOT / "c_examples" / "heavy_top.c", project)
    environ = environment(folder, prefix, target)
    settings = [f"-D{setting}" for setting in target.get("cmake", [])]
    build = folder / "build"
    output("cmake", "-S", project, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}", *settings, cwd=folder, env=environ)
    kinds = target.get("kinds", ["shared", "static", "quatint"])
    output("cmake", "--build", build, "--target", *(f"heavy_top_{kind}" for kind in kinds), cwd=folder, env=environ)
    for kind in kinds:
        program = next(path for path in build.glob(f"heavy_top_{kind}*") if path.is_file())
        check_program(program, folder, environ, target, f"CMake, {kind}")


def in_an_empty_debian(file, root, target):
    """The archive is unpacked, a program compiled with each line and run in a Debian that has a C compiler and nothing of Rust."""
    clean = Path(output(HERE / "clean_root.sh").strip())
    assert not [tool for tool in ("cargo", "rustc") if shutil.which(tool, path=f"{clean}/usr/bin:{clean}/usr/local/bin")]
    place = clean / "tmp" / "dist"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    shutil.copy(file, place)
    shutil.copy(ROOT / "c_examples" / "heavy_top.c", place)
    start = f"cd /tmp/dist; PREFIX=/tmp/dist/{root}; export PKG_CONFIG_PATH=$PREFIX/lib/pkgconfig; "
    environ = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
    output("chroot", clean, "sh", "-ec", start + f"tar xf {file.name}", env=environ)
    for line in target["lines"]:
        printed = output("chroot", clean, "sh", "-ec", f"{start}{line} -o program; ./program", env=environ)
        assert printed == EXPECTED, f"{line}\n{printed}"
    shutil.rmtree(place)


def wheel(name, target, number, triple):
    (file,) = OUT.glob(f"quatint-{VERSION}-cp310-abi3-{target['files'][number]}.whl")
    size = file.stat().st_size
    assert size <= LARGEST_WHEEL, f"{file.name}: {size} bytes"
    contents = zipfile.ZipFile(file).namelist()
    (extension,) = [part for part in contents if re.fullmatch(r"quatint/_quatint\.(abi3\.so|pyd)", part)]
    said = "examined"
    if target["wheels"][number].startswith("manylinux"):
        audit = " ".join(output(TOOLS / "auditwheel", "show", file, env={"PATH": f"{TOOLS}:{PATH}"}).split())
        assert f'"{target["wheels"][number]}_{triple.split("-")[0]}"' in audit, audit
        said = "tag audited"
    if target.get("native"):
        import_natively(file, WORK / f"python-{name}")
        said += ", imported in a new environment"
    if "python" in target:
        said += f", imported by {target['python'][0]}, {run_emulated(file, WORK / f'python-{name}', *target['python'])}"
    report.append(f"{file.name}: {size / 1e6:.2f} MB, {len(contents)} files; {said}")


IMPORT = """
import quatint
body = quatint.Body([3, 5, 9], angular_velocity=[0, 0.4, 0.001])
path = body.record(1e-3, 60_000, every=15_000)
print(quatint.__version__, *(f"{value:+.4f}" for value in path.q[-1]))
"""


IMPORTED = f"{VERSION} +0.0014 -0.3144 +0.0000 -0.9493\n"  # as the last line of docs/c.md's first program


def run_emulated(file, folder, emulator, processor, libraries):
    """With the Python, the numpy and the scipy of Debian for that processor, unpacked. Says which programs of the page were run."""
    root = output(HERE / "clean_root.sh", processor).strip()
    unpack(file, folder)
    path = ":".join(f"/usr/lib/{libraries}{part}" for part in ("", "/blas", "/lapack"))
    interpreter = [emulator, "-L", root, "-E", f"LD_LIBRARY_PATH={path}", *sorted(Path(root).glob("usr/bin/python3.??"))[:1]]
    environ = {"PATH": PATH, "PYTHONHOME": "/usr", "PYTHONPATH": f"/usr/lib/python3/dist-packages:{folder}"}
    said = output(*interpreter, "-S", "-c", IMPORT, cwd=folder, env=environ)
    assert said == IMPORTED, said

    def run(source):
        return subprocess.run([*map(str, interpreter), "-S", source], cwd=folder, env=environ, capture_output=True, text=True)

    # no emulator starts the processes of these
    return pages.compare("python", folder, run, without=["import multiprocessing", "import subprocess"])


def import_natively(file, folder):
    environ = {"PATH": PATH, "HOME": str(folder)}
    output(sys.executable, "-m", "venv", folder)
    python = folder / "bin" / "python"
    output(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary=:all:", file)
    said = output(python, "-c", IMPORT, cwd=folder, env=environ)
    assert said == IMPORTED, said


if __name__ == "__main__":
    main(sys.argv[1:])
