"""Build backend (PEP 517): cargo builds the extension and the C library, and `quatint_wheel` packs them.

Cargo builds the library once, as a part of the extension; the shared and the static library come out of the same run
of the compiler. As soon as they are there, and while the extension compiles, `make install` installs them, with headers,
CMake files and Fortran source, into what becomes `quatint/_c`. The folder, the flags and the crates are those of `make`,
so cargo takes the library that is there already.

A source distribution has the files of the repository that this needs, with a pyproject.toml above them that leads here.

Each long step says what it does, which `pip install -v` shows.

Settings (`pip install --config-settings=name=value`) and environment variables:

    target=TRIPLE      a wheel for another processor or system, by its name in Rust
    compatibility=TAG  with it, for Linux: the tag of the wheel, such as manylinux_2_17 for every Linux with glibc 2.17 or later, or
                       musllinux_1_2. Without it the wheel is for Linux as old as zig's default
    profile=dev        for tests: the extension with the library that `cargo test` has built; set QUATINT_LIBRARY too
    QUATINT_LIBRARY    a built libquatint.so with libquatint.a beside it, which goes into the package
    CARGO_TARGET_DIR   where cargo builds
"""

import functools
import gzip
import io
import json
import locale
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import time
from pathlib import Path

from quatint_wheel import HAS_TOML, PYTHON, ROOT, Wheel, epoch, information, metadata, table, version

PACKAGE = PYTHON / "quatint"

# the files that cargo builds for each system, the shared library first
LIBRARIES = {
    "linux": ["libquatint.so", "libquatint.a"],
    "macos": ["libquatint.dylib", "libquatint.a"],
    "windows": ["quatint.dll", "libquatint.a", "libquatint.dll.a"],
}

# what Python calls the extension, and what cargo does
EXTENSION = {
    "linux": ("_quatint.abi3.so", "lib_quatint.so"),
    "macos": ("_quatint.abi3.so", "lib_quatint.dylib"),
    "windows": ("_quatint.pyd", "_quatint.dll"),
}

# what Python calls the processors that have another name in Rust
PROCESSORS = {"arm": "armv6l", "armv7": "armv7l", "i586": "i686", "powerpc64le": "ppc64le", "riscv64gc": "riscv64"}

# sections of Rust's standard library that only the compiler of Rust reads: of ELF and of macOS
BITCODE = [".llvmbc", ".llvmcmd", "__LLVM,__bitcode", "__LLVM,__cmdline"]

# What the build reads, and all that cargo looks for in the workspace.
SOURCES = (
    ".cargo/config.toml Cargo.lock Cargo.toml LICENSE-APACHE LICENSE-MIT Makefile README.md THIRD-PARTY.md build.rs cbindgen.toml "
    "install.mk rust-toolchain.toml benches/peers/peers.mk fuzz/fuzz.mk packaging/packaging.mk tests/header.rs "
    "cmake fortran include python src tools"
).split()

# Code that only passes on what it gets: calls take as long, the build less. Of the extension alone: cargo would build the library anew
# for other settings of its crates.
LIGHTLY_OPTIMIZED = {"pyo3-ffi": 0, "pyo3": 1}


def get_requires_for_build_sdist(config_settings=None):
    return [] if HAS_TOML else ["tomli"]


def get_requires_for_build_wheel(config_settings=None):
    target = (config_settings or {}).get("target", "")
    zig = ["cargo-zigbuild", "ziglang"] if target and system(target) == "linux" else []
    return get_requires_for_build_sdist() + zig


get_requires_for_build_editable = get_requires_for_build_wheel


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    require_tools()
    name, files = information(tag(config_settings or {}))
    for file, text in files.items():
        path = Path(metadata_directory, name, file)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return name


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return build(wheel_directory, config_settings or {})[0]


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return build(wheel_directory, config_settings or {}, is_editable=True)[0]


def build_sdist(sdist_directory, config_settings=None):
    require_repository()
    name = f"quatint-{version()}"
    path = Path(sdist_directory, f"{name}.tar.gz")
    project = (PYTHON / "pyproject.toml").read_text(encoding="utf-8")
    project = project.replace('backend-path = ["backend"]', 'backend-path = ["python/backend"]')
    with (
        gzip.GzipFile(path, "wb", mtime=epoch() or None) as zipped,
        tarfile.open(fileobj=zipped, mode="w", format=tarfile.PAX_FORMAT, dereference=True) as archive,
    ):
        for source in SOURCES:
            archive.add(ROOT / source, f"{name}/{source}", filter=packed)
        for file, text in (("PKG-INFO", metadata()), ("pyproject.toml", project)):
            text = text.encode()
            entry = tarfile.TarInfo(f"{name}/{file}")
            entry.size, entry.mode, entry.mtime = len(text), 0o644, epoch()
            archive.addfile(entry, io.BytesIO(text))
    return path.name


def packed(entry):
    """A file for the archive, which belongs to nobody; None for what a build has left."""
    left = {"__pycache__", "_c", "target", ".mypy_cache", ".pytest_cache"}
    if left & set(entry.name.split("/")) or entry.name.endswith((".so", ".pyd", ".pyc")):
        return None
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    entry.mtime = epoch() or int(entry.mtime)
    entry.mode = 0o755 if entry.mode & 0o100 else 0o644
    return entry


def build(directory, settings, is_editable=False):
    """Writes the wheel into a folder. Returns its name, and the C libraries that cargo has built."""
    require_tools()
    target, start = target_of(settings), time.monotonic()
    wheel, given = Wheel(tag(settings)), given_libraries(target)
    name, file = EXTENSION[system(target)]

    def say(what):
        print(f"quatint: {what} ({time.monotonic() - start:.0f} s)", file=sys.stderr, flush=True)

    say("compiles library and extension: a minute on two cores and 1.2 GB of memory; half of it after `make`")
    libraries = extension = None
    with tempfile.TemporaryDirectory() as scratch:
        for crate, files in compiled(settings):
            if crate == "quatint":
                say("installs the C library into the package, while the extension compiles")
                libraries = given or select(files, LIBRARIES[system(target)])
                place = PACKAGE / "_c" if is_editable else Path(scratch, "_c")
                install(libraries, Path(scratch, "stage"), target, place)
                if not is_editable:
                    wheel.add_files("quatint/_c", place)
            elif crate == "_quatint":
                (extension,) = select(files, [file])
    if not libraries or not extension:
        sys.exit("quatint: cargo has not said where library and extension are")
    say("packs the wheel")
    if is_editable:
        (PACKAGE / name).unlink(missing_ok=True)  # a Python that runs keeps the old file
        shutil.copy2(extension, PACKAGE / name)
        encoding = "utf-8" if sys.version_info >= (3, 13) else locale.getpreferredencoding(False)  # in which Python reads it
        wheel.add("quatint.pth", f"{PYTHON}\n".encode(encoding))
    else:
        wheel.add(f"quatint/{name}", extension.read_bytes(), 0o755)
        for pattern in ("*.py", "*.pyi", "py.typed"):
            wheel.add_files("quatint", PACKAGE, pattern)
    wheel.finish(directory)
    say("done")
    return wheel.name, libraries


def given_libraries(target):
    """Those of QUATINT_LIBRARY, if that is set."""
    given = os.environ.get("QUATINT_LIBRARY")
    return given and select(Path(given).resolve().parent.glob("*"), LIBRARIES[system(target)])


def require_repository():
    if not (ROOT / "Cargo.toml").is_file():
        sys.exit(f"quatint: {PYTHON} must be in its repository, because the library is in the folder above it")


def require_tools():
    require_repository()
    if not shutil.which("cargo"):
        os.environ["PATH"] += os.pathsep + str(Path.home() / ".cargo" / "bin")
    if sys.implementation.name != "cpython" or sysconfig.get_config_var("Py_GIL_DISABLED"):
        sys.exit(f"quatint: the package is for CPython with its lock, and {sys.executable} is another Python")
    for tool in ("cargo", "make"):
        if not shutil.which(tool):
            sys.exit(f"quatint: the build needs {tool}, which is not on the PATH; for cargo see https://rustup.rs")
    said = run("cargo", "--version").strip()
    needed = table(ROOT / "Cargo.toml", "package")["rust-version"]
    found = re.search(r"(\d+)\.(\d+)", said)
    if found and tuple(map(int, found.groups())) < tuple(map(int, needed.split("."))):
        sys.exit(
            f"quatint: the build needs Rust {needed} or newer, but {shutil.which('cargo')} is {said}. "
            "Get a newer one from https://rustup.rs, and put its folder, ~/.cargo/bin, first on the PATH"
        )


def compiled(settings):
    """Calls cargo. As soon as a crate is compiled: its name, and the files that cargo says it has made."""
    triple, profile = settings.get("target"), settings.get("profile", "release")
    target = target_of(settings)
    folder = ROOT / (os.environ.get("CARGO_TARGET_DIR") or "target") / ("dist-build" if triple else "")
    command = ["cargo", "rustc", "--locked", "--lib", "--package", "quatint-python", "--profile", profile, "--target-dir", folder]
    command += ["--message-format", "json-render-diagnostics"]
    if profile == "dev":
        command += ["--features", "harness"]
    for crate, level in LIGHTLY_OPTIMIZED.items() if profile == "release" else ():
        command += ["--config", f"profile.release.package.{crate}.opt-level={level}"]
    if triple and system(triple) == "linux":
        command[:1] = ["cargo-zigbuild"]
        if not shutil.which("cargo-zigbuild"):
            sys.exit("quatint: a wheel for this target needs zig: pip install cargo-zigbuild ziglang")
        oldest = re.fullmatch(r"manylinux_(\d+)_(\d+)", settings.get("compatibility", ""))
        command += ["--target", triple + (f".{oldest[1]}.{oldest[2]}" if oldest else "")]
    elif triple:
        command += ["--target", triple]
    if profile != "dev":
        command += ["--config", f"build.rustflags={json.dumps(flags(target))}"]  # adds to those of .cargo/config.toml
    command += ["--", "-Cstrip=symbols"]
    if system(target) == "macos":
        command += ["-Clink-arg=-Wl,-undefined,dynamic_lookup"]  # Python has the rest
    # pip's own Python changes each time, and cargo would build anew; the extension serves every one
    environ = os.environ | {"PYO3_NO_PYTHON": "1"}
    with subprocess.Popen(command, cwd=ROOT, env=environ, stdout=subprocess.PIPE) as cargo:
        try:
            for line in cargo.stdout:
                message = json.loads(line) if line.startswith(b"{") else {}  # the compiler may print too
                if message.get("reason") == "compiler-artifact":
                    yield message["target"]["name"], [Path(file) for file in message["filenames"]]
        except BaseException:  # the caller's too
            cargo.terminate()
            raise
    if cargo.returncode != 0:
        sys.exit("quatint: cargo could not build the extension")


def select(files, names):
    """The files with these names, in this order."""
    found = {file.name: file for file in files}
    missing = [name for name in names if name not in found]
    if missing:
        sys.exit(f"quatint: there is no {' and no '.join(missing)} among the built libraries")
    return [found[name] for name in names]


def target_of(settings):
    return settings.get("target") or os.environ.get("CARGO_BUILD_TARGET") or host()


def tag(settings):
    """The tag of the wheel: any CPython from 3.10, on the system that the target names."""
    target, compatibility = target_of(settings), settings.get("compatibility") or "linux"
    processor = target.split("-")[0]
    if system(target) == "macos":
        oldest = run("rustc", "--target", target, "--print=deployment-target").strip().split("=")[1].split(".")
        minor = oldest[1] if oldest[0] == "10" else "0"  # pip knows no others
        platform = f"macosx_{oldest[0]}_{minor}_{'arm64' if processor == 'aarch64' else processor}"
    elif system(target) == "windows":
        platform = {"x86_64": "win_amd64", "i686": "win32", "aarch64": "win_arm64"}[processor]
    elif "linux" in target:
        if not re.fullmatch(r"linux|(many|musl)linux_\d+_\d+", compatibility):
            sys.exit(f"quatint: `compatibility` must be like manylinux_2_17 or musllinux_1_2, not {compatibility}")
        platform = f"{compatibility}_{PROCESSORS.get(processor, processor)}"
    else:
        platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
    return f"cp310-abi3-{platform}"


def system(target):
    return next((name for part, name in (("windows", "windows"), ("apple", "macos")) if part in target), "linux")


def flags(target):
    """Those of cmake/rustflags.sh, as `make` has them."""
    shared = ["-Ctarget-feature=-crt-static"] if "musl" in target else []  # else cargo makes no shared library there
    return json.loads(run(ROOT / "cmake" / "rustflags.sh")) + shared


def installed(files, stage, target):
    """Installs the libraries below the folder `stage`, without what no program uses, and returns the prefix."""
    shutil.rmtree(stage, ignore_errors=True)
    release = stage / "build" / "release"
    release.mkdir(parents=True)
    for file in files:
        copy = Path(shutil.copy2(file, release))
        if copy.suffix in (".so", ".dll"):
            strip(copy, "--strip-unneeded")
        elif copy.name == "libquatint.a":
            if "musl" in target:
                add_unwinder(copy, target)
            strip(copy, "--strip-debug", *(f"--remove-section={section}" for section in BITCODE))
    # The libraries are built: --old-file keeps make from asking cargo for those of another folder.
    names = [files[0].name, f"libquatint.so.{abi()}", f"libquatint.{abi()}.dylib"]
    built = [f"--old-file={release / name}" for name in names]
    folders = ["PREFIX=/prefix", "LIBDIR=/prefix/lib", "INCLUDEDIR=/prefix/include", "DATADIR=/prefix/share"]
    run("make", *built, "install", f"TARGET_OS={system(target)}", f"TARGET_DIR={stage / 'build'}", f"DESTDIR={stage}", *folders)
    return stage / "prefix"


def add_unwinder(library, target):
    """Rust's own: `musl-gcc -static` takes that of gcc, which may be for another C library."""
    unwinder = Path(run("rustc", "--print=sysroot").strip(), "lib/rustlib", target, "lib/self-contained/libunwind.a")
    script = f"create both.a\naddlib {library.name}\naddlib {unwinder}\nsave\nend\n"
    subprocess.run(["llvm-ar", "-M"], cwd=library.parent, input=script, text=True, check=True)
    (library.parent / "both.a").replace(library)


def install(files, stage, target, place):
    """Installs for the package. A wheel has no links, so what is a link elsewhere is a text or a path there."""
    prefix = installed(files, stage, target)
    shutil.rmtree(place, ignore_errors=True)
    # our licences are with the metadata of the wheel
    without = ["libquatint.so", f"libquatint.so.{version()}", "libquatint.dylib", "LICENSE-APACHE", "LICENSE-MIT"]
    if system(target) != "linux":
        without.append("libquatint.a")  # the archive has it; here it would take a third of the wheel
    shutil.copytree(prefix, place, ignore=lambda _, names: [name for name in names if name in without])
    if system(target) == "linux":
        text = f"/* for linkers; programs load libquatint.so.{abi()} */\nINPUT(libquatint.so.{abi()})\n"
        (place / "lib" / "libquatint.so").write_text(text)
    elif system(target) == "macos":
        pc = place / "lib" / "pkgconfig" / "quatint.pc"
        pc.write_text(pc.read_text().replace("-lquatint", f"${{libdir}}/libquatint.{abi()}.dylib"))


def strip(file, *options):
    """Leaves out what no program uses: three quarters of the static library. Without a tool for it, the file stays so large."""
    tool = next(filter(shutil.which, ("llvm-objcopy", "objcopy")), None)  # that of LLVM knows every system
    if tool:
        run(tool, *options, file)


def abi():
    """The version in the SONAME, as build.rs has it."""
    major, minor, _ = version().split(".")
    return f"0.{minor}" if major == "0" else major


@functools.cache
def host():
    return next(line.split()[1] for line in run("rustc", "-vV").splitlines() if line.startswith("host:"))


def run(*command):
    """The output of a command in the root of the repository, where rust-toolchain.toml is."""
    environ = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "DESTDIR")}
    result = subprocess.run([str(part) for part in command], cwd=ROOT, env=environ, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"quatint: {command[0]} failed\n{result.stdout}{result.stderr}")
    return result.stdout
