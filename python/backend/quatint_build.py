"""Build backend (PEP 517): builds the extension with maturin, and puts the C library into the package.

Cargo builds the library once, as a part of the extension; the shared and the static library come out of the same run
of the compiler. `make install` then installs them, with headers, CMake files and Fortran source, into `quatint/_c`, and
maturin packs all of it. Cargo decides what is still fresh in the folder it builds in, `target/wheel`.

Settings (`pip install --config-settings=name=value`) and environment variables:

    manylinux=2_17     a wheel for every Linux with glibc 2.17 or later; needs zig: pip install ziglang
    profile=dev        for tests: the extension with the library that `cargo test` has built; set QUATINT_LIBRARY too
    QUATINT_LIBRARY    a built libquatint.so with libquatint.a beside it, which goes into the package
    CARGO_TARGET_DIR   where cargo builds
"""

import contextlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import maturin

PYTHON = Path(__file__).resolve().parent.parent
ROOT = PYTHON.parent
PREFIX = PYTHON / "quatint" / "_c"
LIBRARIES = ["libquatint.so", "libquatint.a"]


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    require_tools()
    return maturin.prepare_metadata_for_build_wheel(metadata_directory, config_settings)


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return build(maturin.build_wheel, wheel_directory, config_settings, metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return build(maturin.build_editable, wheel_directory, config_settings, metadata_directory)


def build_sdist(sdist_directory, config_settings=None):
    sys.exit(
        "quatint: there is no source distribution of python/ alone, because the library is in the folder above it. "
        "To install from source, use a clone, or pip install 'quatint @ git+URL#subdirectory=python'."
    )


def build(hook, wheel_directory, config_settings, metadata_directory):
    require_tools()
    settings = dict(config_settings or {})
    arguments, folder = cargo_arguments(settings)
    settings["build-args"] = [*arguments, "--out", str(folder / "wheels")] + words(settings.get("build-args", []))
    with environment(MATURIN_PEP517_USE_BASE_PYTHON="1"):  # pip's own changes each time, and cargo would build anew
        first = hook(wheel_directory, settings, metadata_directory)  # makes the libraries, which it cannot yet contain
        install(libraries(folder), folder / "quatint-install")
        Path(wheel_directory, first).unlink()
        return hook(wheel_directory, settings, metadata_directory)


def require_tools():
    if not (ROOT / "Cargo.toml").is_file():
        sys.exit(f"quatint: {PYTHON} must be in its repository, because the library is in the folder above it")
    if not shutil.which("cargo"):
        os.environ["PATH"] += os.pathsep + str(Path.home() / ".cargo" / "bin")
    for tool in ("cargo", "make"):
        if not shutil.which(tool):
            sys.exit(f"quatint: the build needs {tool}, which is not on the PATH; for cargo see https://rustup.rs")


def cargo_arguments(settings):
    """The arguments of maturin, and the folder in which cargo leaves the libraries."""
    manylinux, profile = settings.pop("manylinux", None), settings.pop("profile", "release")
    target = ROOT / (os.environ.get("CARGO_TARGET_DIR") or "target")
    if profile == "dev":
        return ["--locked", "--profile", "dev", "--target-dir", str(target), "--features", "harness"], target / "debug"
    # Not the folder of `make`: pyo3 asks for other features of crates that the library needs. Cargo builds the library for
    # them anew, and would put it in the place of the one of `make`.
    target = target / ("manylinux" if manylinux else "wheel")
    flags = run(ROOT / "cmake" / "rustflags.sh").strip()
    arguments = ["--locked", "--profile", profile, "--target-dir", str(target), "--config", f"build.rustflags={flags}"]
    # Cargo does not optimize the libraries of `make` at link time either, because they are an rlib too. For the extension
    # it would take minutes.
    arguments += ["--config", "profile.release.lto=false"]
    if manylinux:
        arguments += ["--zig", "--compatibility", f"manylinux_{manylinux}"]
    triple = os.environ.get("CARGO_BUILD_TARGET") or (host() if manylinux else "")
    return arguments, target / triple / profile


def libraries(folder):
    """The folder of the libraries that go into the package."""
    given = os.environ.get("QUATINT_LIBRARY")
    found = Path(given).resolve().parent if given else folder / "deps"
    for name in LIBRARIES:
        if not (found / name).is_file():
            sys.exit(f"quatint: {name} is not in {found}")
    return found


def install(found, stage):
    """Installs into the package. A wheel has no links, so the library is there twice: to link with, and to load."""
    shutil.rmtree(stage, ignore_errors=True)
    release = stage / "build" / "release"
    release.mkdir(parents=True)
    for name in LIBRARIES:
        shutil.copy2(found / name, release)
    strip(release / "libquatint.so", "--strip-unneeded")
    strip(release / "libquatint.a", "--strip-debug", "--remove-section=.llvmbc", "--remove-section=.llvmcmd")
    # The libraries are built: --old-file keeps make from asking cargo for those of another folder.
    built = [f"--old-file={release / name}" for name in ("libquatint.so", f"libquatint.so.{abi()}")]
    folders = ["PREFIX=/prefix", "LIBDIR=/prefix/lib", "INCLUDEDIR=/prefix/include", "DATADIR=/prefix/share"]
    run("make", *built, "install", f"TARGET_DIR={stage / 'build'}", f"DESTDIR={stage}", *folders)
    prefix = stage / "prefix"
    shutil.rmtree(PREFIX, ignore_errors=True)
    shutil.copytree(prefix, PREFIX, ignore=lambda _, names: [n for n in names if n == f"libquatint.so.{version()}"])
    shutil.rmtree(stage)


def strip(file, *options):
    """Leaves out what no program uses: three quarters of the static library. Without binutils it stays so large."""
    if shutil.which("objcopy"):
        run("objcopy", *options, file)


def version():
    lines = (ROOT / "Cargo.toml").read_text().splitlines()
    return next(line.split('"')[1] for line in lines if line.startswith("version"))


def abi():
    """The version in the SONAME, as build.rs has it."""
    major, minor, _ = version().split(".")
    return f"0.{minor}" if major == "0" else major


def host():
    return next(line.split()[1] for line in run("rustc", "-vV").splitlines() if line.startswith("host:"))


def run(*command):
    """The output of a command in the root of the repository, where rust-toolchain.toml is."""
    environ = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "DESTDIR")}
    result = subprocess.run([str(part) for part in command], cwd=ROOT, env=environ, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"quatint: {command[0]} failed\n{result.stdout}{result.stderr}")
    return result.stdout


def words(arguments):
    """pip gives a setting that it has twice as a list, and one as a text."""
    return arguments.split() if isinstance(arguments, str) else list(arguments)


@contextlib.contextmanager
def environment(**variables):
    before = dict(os.environ)
    os.environ.update(variables)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
