"""Tests the files that dist.py wrote, as a user has them: each archive is unpacked into an empty
folder, and a C program is built there with the lines that docs/install.md prints, and runs; each wheel is
imported where there is a Python for it. No Rust is on the PATH.

    test_dist.py [NAME...]     only the archives of these tables of targets.toml, and their wheels

What cannot run here is examined, and listed as such at the end.
"""

import hashlib
import os
import re
import shutil
import sys
import tarfile
import tomllib
import zipfile
from functools import partial
from pathlib import Path

import limits
import pages
from libraries import ABI, VERSION
from linking import EXPECTED, ROOT, output

HERE = Path(__file__).resolve().parent
OUT = ROOT / "target" / "dist"
WORK = ROOT / "target" / "test-dist"
TOOLS = ROOT / "target" / "packaging" / "bin"
DISTRIBUTION = "quatint_rotation"  # quatint-rotation, as files spell it
LARGEST_WHEEL = 3e6
PATH = "/usr/bin:/bin"  # neither cargo nor rustc

HEADER = (ROOT / "include/quatint.h").read_text()
FUNCTIONS = sorted(set(re.findall(r"^[A-Za-z][\w *]*\b(qi_[a-z0-9_]+)\(", HEADER, re.M)))

# What each archive holds besides what its table says.
ALL_HOLD = [
    "include/quatint.h",
    "include/quatint.hpp",
    "lib/cmake/quatint/quatint-config.cmake",
    "lib/libquatint.a",
    "lib/pkgconfig/quatint.pc",
    "share/licenses/quatint/COPYRIGHT-library.html",
    "share/licenses/quatint/LICENSE-APACHE",
    "share/licenses/quatint/LICENSE-MIT",
    "share/licenses/quatint/THIRD-PARTY.md",
    "share/quatint/fortran/quatint.f90",
    "share/quatint/fortran/src/quatint_c.f90",
]

report = []


def main(names):
    for tool in ("cargo", "rustc"):
        assert shutil.which(tool, path=PATH) is None, f"{tool} is in {PATH}"
    table = tomllib.loads((HERE / "targets.toml").read_text())
    shutil.rmtree(WORK, ignore_errors=True)
    sums = {}
    for line in (OUT / "SHA256SUMS").read_text().splitlines():
        digest, name = line.split("  ")
        sums[name] = digest
    assert set(sums) == {file.name for file in OUT.iterdir()} - {"SHA256SUMS"}, sums
    for name, digest in sums.items():
        assert hashlib.sha256((OUT / name).read_bytes()).hexdigest() == digest, name
    for name in names or table:
        archive(name, table[name])
        for number, triple in enumerate(table[name]["rust"]):
            wheel(name, table[name], number, triple)
            wheel_without_lock(name, table[name], number, triple)
    sources()
    for_pip = [*OUT.glob("*.whl"), OUT / f"{DISTRIBUTION}-{VERSION}.tar.gz"]
    output(TOOLS / "twine", "check", "--strict", *for_pip)
    print(*report, sep="\n")


def sources():
    """The source distribution and the archive of the source have files of the commit and no others, but
    for what describes them and the crates."""
    listed = output("git", "ls-tree", "-r", "--name-only", "HEAD", cwd=ROOT).splitlines()
    committed = set(listed)
    for_pip = {file.removeprefix("bindings/python/") for file in listed}
    found = names_in(OUT / f"{DISTRIBUTION}-{VERSION}.tar.gz")
    strange = found - committed - for_pip - {"PKG-INFO"}
    assert not strange, f"the source distribution has {sorted(strange)}"
    found = names_in(OUT / f"quatint-{VERSION}-source.tar.gz")
    crates = {file for file in found if file.startswith("vendor/")}
    assert found - crates == committed, sorted((found - crates) ^ committed)
    assert any(file.startswith("vendor/nalgebra-") for file in crates)
    source = (OUT / f"quatint-{VERSION}-source.tar.gz").read_bytes()
    for recipe, kind in [("recipe.yaml", "sha256"), ("conandata.yml", "sha256"), ("portfile.cmake", "sha512")]:
        assert hashlib.new(kind, source).hexdigest() in (OUT / recipe).read_text(), recipe
    report.append(f"sources: {len(committed)} files of the commit, {len(crates)} of crates")


def names_in(file):
    """The files of an archive, without the folder that all are in."""
    with tarfile.open(file) as packed:
        return {entry.name.split("/", 1)[1] for entry in packed if not entry.isdir()}


def archive(name, target):
    root = f"quatint-{VERSION}-{name}"
    file = OUT / f"{root}.{target['archive']}"
    folder = WORK / name
    folder.mkdir(parents=True)
    unpack(file, folder)
    assert [entry.name for entry in folder.iterdir()] == [root]
    prefix = folder / root
    count = check_contents(file, prefix, target)
    check_exports(prefix, target)
    said = try_archive(file, folder, prefix, target)
    report.append(f"{file.name}: {megabytes(file)}, {count} files; {said}")


def megabytes(file):
    return f"{file.stat().st_size / 1e6:.2f} MB"


def check_contents(file, prefix, target):
    """All files that it must have are there, and none names a folder of the build. Returns how
    many there are."""
    contents = set()
    for path in prefix.rglob("*"):
        if not path.is_dir():
            contents.add(str(path.relative_to(prefix)))
    bills = {f"share/quatint/sbom-{triple}.cdx.json" for triple in target["rust"]}
    present = {part.replace(VERSION, "VERSION").replace(ABI, "ABI") for part in contents}
    missing = {*target["holds"], *ALL_HOLD, *bills} - present
    assert not missing, f"{file.name} lacks {sorted(missing)}: {sorted(contents)}"
    for part in contents:
        data = (prefix / part).read_bytes()
        for place in (str(ROOT), os.path.expanduser("~/")):
            assert place.encode() not in data, f"{part} names {place}"
    for bill in bills:
        check_bill((prefix / bill).read_text(), bill, "THIRD-PARTY.md", {"quatint"})
    return len(contents)


def try_archive(file, folder, prefix, target):
    """Builds and runs programs, as far as the table has the tools for it. Says what was done."""
    if "cc" not in target:
        done = ["examined"]
    else:
        shutil.copy(ROOT / "c_examples" / "heavy_top.c", folder)
        environ = environment(folder, prefix, target)
        output("sh", "-ec", target.get("first", ""), cwd=folder, env=environ)
        for line in target["lines"]:
            run_line(line, folder, prefix, target)
        find_package(folder, prefix, target)
        output("sh", "-ec", target.get("last", ""), cwd=folder, env=environ)
        done = [f"{len(target['lines'])} command lines, programs run", "find_package"]
        if "last" in target:
            done.append("Microsoft's import library")
    for language, line in target.get("pages", {}).items():
        compiled = partial(compile_and_run, line, folder=folder, prefix=prefix, target=target)
        done.append(pages.compare(language, folder, compiled))
    if target.get("native"):
        in_an_empty_debian(file, prefix.name, target)
        done.append("the same in an empty Debian")
    return ", ".join(done)


def unpack(file, folder):
    if file.suffix in (".zip", ".whl"):
        zipfile.ZipFile(file).extractall(folder)
    else:
        with tarfile.open(file) as packed:
            owners = {(entry.uid, entry.gid, entry.uname, entry.gname) for entry in packed}
            nobody = (0, 0, "", "")
            assert owners == {nobody}, owners
            packed.extractall(folder)


def check_bill(text, name, page, own):
    """The bill of materials is valid, and has the crates of a page and our own."""
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    error = JsonStrictValidator(SchemaVersion.V1_5).validate_str(text)
    assert error is None, f"{name}: {error}"
    # The crates of THIRD-PARTY.md, which a test compares with what cargo links on x86-64 Linux.
    page = (ROOT / page).read_text()
    expected = set(re.findall(r"^\| \[?([a-z0-9_-]+)\]?[^|]*\| ([0-9.]+)", page, re.M))
    if "windows" in name and own == {"quatint"}:
        expected = {crate for crate in expected if crate[0] != "libc"}
    listed = set(re.findall(r'"bom-ref": "pkg:cargo/([^@]+)@([^"]+)"', text))
    expected |= {(crate, VERSION) for crate in own}
    assert listed == expected, f"{name}: {sorted(listed ^ expected)}"


def check_exports(prefix, target):
    """The shared library exports the functions of the header and nothing else, and has its name
    in it."""
    name = target["holds"][0].replace("VERSION", VERSION).replace("ABI", ABI)
    shared = prefix / name
    if shared.suffix == ".dll":
        found = exports_of_dll(shared)
    elif ".dylib" in shared.name:
        found = exports_of_dylib(shared)
        for processor, oldest in zip(("x86_64", "arm64"), target["oldest"]):
            assert oldest_macos(shared, processor) == oldest, f"{name}, {processor}"
    else:
        found = exports_of_elf(shared)
    assert sorted(found) == FUNCTIONS, f"{name}: {sorted(set(found) ^ set(FUNCTIONS))}"


def exports_of_dll(shared):
    symbols = output("llvm-readobj", "--coff-exports", shared)
    _, exports = symbols.split("Export {", 1)  # the name of the file stands before
    lib = shared.parent.parent / "lib"
    for file in (shared, lib / "libquatint.dll.a", lib / "quatint.lib"):
        assert f"quatint-{ABI}.dll\0".encode() in file.read_bytes(), f"{file} has another name in it"
    return re.findall(r"Name: (\w+)", exports)


def exports_of_dylib(shared):
    """The same for both processors."""
    own = output("llvm-objdump", "--macho", "--dylib-id", "--arch=all", shared)
    assert own.count(f"@rpath/libquatint.{ABI}.dylib") == 2, own
    found = []
    for processor in ("x86_64", "arm64"):
        command = ["llvm-objdump", "--macho", "--exports-trie", f"--arch={processor}"]
        trie = output(*command, shared)
        found.append(sorted(re.findall(r"^0x\w+ +_(\S+)", trie, re.M)))
    one, other = found
    assert one == other, sorted(set(one) ^ set(other))
    return one


def oldest_macos(shared, processor):
    """The oldest macOS that the file itself says it is for."""
    headers = ["llvm-objdump", "--macho", "--private-headers", f"--arch={processor}"]
    said = output(*headers, shared)
    old = re.search(r"LC_VERSION_MIN_MACOSX\s+cmdsize \d+\s+version (\S+)", said)
    assert f"current version {VERSION}\n" in said and f"compatibility version {ABI}." in said, said
    return (old or re.search(r"\bminos (\S+)", said))[1]


def exports_of_elf(shared):
    """It needs no newer version of glibc than 2.17."""
    dynamic = output("readelf", "-Wd", shared)
    assert f"[libquatint.so.{ABI}]" in dynamic, dynamic
    versions = re.findall(r"GLIBC_(\d+)\.(\d+)", output("readelf", "-WV", shared))
    too_new = {(major, minor) for major, minor in versions if (int(major), int(minor)) > (2, 17)}
    assert not too_new, sorted(too_new)
    symbols = output("readelf", "-W", "--dyn-syms", shared)
    assert symbols.count(f"@@QUATINT_{ABI}") >= len(FUNCTIONS), "the functions have no versions"
    assert "Build ID: " in output("readelf", "-n", shared), shared
    return re.findall(r" (?:FUNC|GNU_IFUNC) +GLOBAL +\w+ +\d+ (\w+)", symbols)


def environment(folder, prefix, target):
    """That of a user: nothing of the repository, nothing of Rust."""
    return {
        "PATH": PATH,
        "HOME": str(folder),
        "CC": target["cc"],
        "PREFIX": str(prefix),
        "ROOT": str(ROOT),
        "PKG_CONFIG_PATH": f"{prefix}/lib/pkgconfig",
        "PKG_CONFIG_LIBDIR": "/nowhere",
        "WINEPREFIX": str(WORK / "wine"),
        "WINEDEBUG": "-all",
        "WINEPATH": f"Z:{prefix}/bin;Z:{folder}".replace("/", "\\"),
    }


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
    return limits.run(command, cwd=folder, env=environ)


def find_package(folder, prefix, target):
    project = folder / "project"
    shutil.copytree(ROOT / "tests" / "install" / "find_package", project)
    shutil.copy(ROOT / "c_examples" / "heavy_top.c", project)
    environ = environment(folder, prefix, target)
    settings = [f"-D{setting}" for setting in target.get("cmake", [])]
    build = folder / "build"
    settings.append(f"-DCMAKE_PREFIX_PATH={prefix}")
    output("cmake", "-S", project, "-B", build, *settings, cwd=folder, env=environ)
    kinds = target.get("kinds", ["shared", "static", "quatint"])
    programs = [f"heavy_top_{kind}" for kind in kinds]
    output("cmake", "--build", build, "--target", *programs, cwd=folder, env=environ)
    for kind in kinds:
        program = next(path for path in build.glob(f"heavy_top_{kind}*") if path.is_file())
        check_program(program, folder, environ, target, f"CMake, {kind}")


def in_an_empty_debian(file, root, target):
    """In a Debian that has a C compiler and nothing of Rust the archive is unpacked, and a program
    is compiled with each line and run."""
    clean = Path(output(HERE / "clean_root.sh").strip())
    for tool in ("cargo", "rustc"):
        assert shutil.which(tool, path=f"{clean}/usr/bin:{clean}/usr/local/bin") is None, tool
    place = clean / "tmp" / "dist"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    shutil.copy(file, place)
    shutil.copy(ROOT / "c_examples" / "heavy_top.c", place)
    start = f"cd /tmp/dist; PREFIX=/tmp/dist/{root}; "
    start += "export PKG_CONFIG_PATH=$PREFIX/lib/pkgconfig; "
    environ = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
    output("chroot", clean, "sh", "-ec", start + f"tar xf {file.name}", env=environ)
    for line in target["lines"]:
        script = f"{start}{line} -o program; ./program"
        printed = output("chroot", clean, "sh", "-ec", script, env=environ)
        assert printed == EXPECTED, f"{line}\n{printed}"
    shutil.rmtree(place)


def examined(name, pattern, target, number, triple):
    """A wheel for this target, the names of its files, and what has been done with it."""
    (file,) = OUT.glob(name)
    assert file.stat().st_size <= LARGEST_WHEEL, f"{file.name}: {file.stat().st_size} bytes"
    contents = zipfile.ZipFile(file).namelist()
    extensions = [part for part in contents if re.fullmatch(pattern, part)]
    assert len(extensions) == 1, contents
    information = f"{DISTRIBUTION}-{VERSION}.dist-info"
    bill = f"{information}/sboms/quatint-rotation-{triple}.cdx.json"
    text = zipfile.ZipFile(file).read(bill).decode()
    check_bill(text, bill, "bindings/python/THIRD-PARTY-PYTHON.md", {"quatint", "quatint-python"})
    notices = f"{information}/licenses/COPYRIGHT-library.html"
    metadata = zipfile.ZipFile(file).read(f"{information}/METADATA").decode()
    assert notices in contents and "\nLicense-File: COPYRIGHT-library.html\n" in metadata, metadata
    tag = target["wheels"][number]
    if not tag.startswith("manylinux"):
        return file, contents, ["examined"]
    check_tag(file, f"{tag}_{triple.split('-')[0]}")
    return file, contents, ["tag audited"]


def wheel_without_lock(name, target, number, triple):
    """The one for a free-threaded Python, which is seldom there."""
    named = f"{DISTRIBUTION}-{VERSION}-cp314-cp314t-{target['files'][number]}.whl"
    pattern = r"quatint/_quatint\.(cpython-314t-[\w-]+\.so|cp314t-\w+\.pyd)"
    file, contents, done = examined(named, pattern, target, number, triple)
    python = shutil.which("python3.14t")
    if target.get("native") and python:
        import_natively(file, WORK / f"python-{name}-314t", python)
        done.append("imported in a new environment")
    report.append(f"{file.name}: {megabytes(file)}, {len(contents)} files; {', '.join(done)}")


def wheel(name, target, number, triple):
    named = f"{DISTRIBUTION}-{VERSION}-cp311-abi3-{target['files'][number]}.whl"
    pattern = r"quatint/_quatint\.(abi3\.so|pyd)"
    file, contents, done = examined(named, pattern, target, number, triple)
    folder = WORK / f"python-{name}"
    if target.get("native"):
        import_natively(file, folder)
        done.append("imported in a new environment")
    if "python" in target:
        programs = run_emulated(file, folder, *target["python"])
        done += [f"imported by {target['python'][0]}", programs]
    report.append(f"{file.name}: {megabytes(file)}, {len(contents)} files; {', '.join(done)}")


def check_tag(file, tag):
    audit = output(TOOLS / "auditwheel", "show", file, env={"PATH": f"{TOOLS}:{PATH}"})
    audit = " ".join(audit.split())
    assert f'"{tag}"' in audit, audit


IMPORT = """
import quatint
body = quatint.Body([3, 5, 9], angular_velocity=[0, 0.4, 0.001])
path = body.record(1e-3, 60_000, every=15_000)
print(quatint.__version__, *(f"{value:+.4f}" for value in path.q[-1]))
"""


# as the last line of the first program in docs/c.md
IMPORTED = f"{VERSION} +0.0014 -0.3144 +0.0000 -0.9493\n"


def run_emulated(file, folder, emulator, processor, libraries):
    """Runs the programs of the page with the Python, the numpy and the scipy of Debian for that
    processor, unpacked. Says which were run."""
    root = output(HERE / "clean_root.sh", processor).strip()
    unpack(file, folder)
    path = ":".join(f"/usr/lib/{libraries}{part}" for part in ("", "/blas", "/lapack"))
    python = min(Path(root).glob("usr/bin/python3.??"))
    interpreter = [emulator, "-L", root, "-E", f"LD_LIBRARY_PATH={path}", str(python), "-S"]
    environ = {
        "PATH": PATH,
        "PYTHONHOME": "/usr",
        "PYTHONPATH": f"/usr/lib/python3/dist-packages:{folder}",
    }
    said = output(*interpreter, "-c", IMPORT, cwd=folder, env=environ)
    assert said == IMPORTED, said

    def run(source):
        command = [*interpreter, source]
        return limits.run(command, cwd=folder, env=environ)

    # The emulator does not start the processes of these.
    without = ["import multiprocessing", "import subprocess"]
    return pages.compare("python", folder, run, without)


def import_natively(file, folder, interpreter=sys.executable):
    environ = {"PATH": PATH, "HOME": str(folder)}
    output(interpreter, "-m", "venv", folder)
    python = folder / "bin" / "python"
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    output(*pip, "--only-binary=:all:", "numpy")
    output(*pip, "--no-index", file)  # no index has a word in which quatint it is
    said = output(python, "-c", IMPORT, cwd=folder, env=environ)
    assert said == IMPORTED, said


if __name__ == "__main__":
    main(sys.argv[1:])
