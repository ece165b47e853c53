"""The C library of a target: built by cargo, and laid out by `make install`. Also what archives are
made with: the version, times, commands."""

import json
import os
import re
import shutil
import sys
from pathlib import Path
from unittest import mock

import limits

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "target" / "dist-build"

# the files that cargo builds for each system, the shared library first
LIBRARIES = {
    "linux": ["libquatint.so", "libquatint.a"],
    "macos": ["libquatint.dylib", "libquatint.a"],
    "windows": ["quatint.dll", "libquatint.a", "libquatint.dll.a"],
}

# sections of Rust's standard library that only the compiler of Rust reads: of ELF and of macOS
BITCODE = [".llvmbc", ".llvmcmd", "__LLVM,__bitcode", "__LLVM,__cmdline"]

VERSION = re.search(r'^version = "(.*)"', (ROOT / "Cargo.toml").read_text(), re.M)[1]
# the version in the SONAME, as build.rs has it
ABI = ".".join(VERSION.split(".")[: 2 if VERSION.startswith("0.") else 1])


def system(triple):
    if "windows" in triple:
        return "windows"
    if "apple" in triple:
        return "macos"
    return "linux"


def cargo_environment(triple):
    """Flags that cargo adds to those of .cargo/config.toml: cmake/rustflags.sh, as `make` has
    them."""
    flags = json.loads(run(ROOT / "cmake" / "rustflags.sh"))
    if "musl" in triple:
        flags.append("-Ctarget-feature=-crt-static")  # else cargo makes no shared library there
    return {"CARGO_BUILD_RUSTFLAGS": " ".join(flags)}


def build_libraries(triple, oldest_glibc):
    """Builds the library for a target. For Linux zig builds it, for systems as old as this version
    of glibc. Returns its files."""
    command = ["cargo", "build"]
    target = triple
    if system(triple) == "linux":
        command = ["cargo-zigbuild", "zigbuild"]
        if oldest_glibc:
            target += f".{oldest_glibc}"
    command += ["--release", "--locked", "--package", "quatint-capi"]
    command += ["--target", target, "--target-dir", str(BUILD)]
    with_flags = os.environ | cargo_environment(triple)
    built = limits.run(command, limits.BUILD, cwd=ROOT, env=with_flags, stdout=None, stderr=None)
    if built.returncode != 0:
        sys.exit(f"dist.py: {command[0]} failed for {triple}")
    folder = BUILD / triple / "release"
    files = [folder / name for name in LIBRARIES[system(triple)]]
    return with_versions(files, triple, oldest_glibc) if system(triple) == "linux" else files


def with_versions(files, triple, oldest_glibc):
    """Copies of the files as `make` has them on Linux: a static library with no names but ours, and the
    shared library of it, with symbol versions, which zig links for systems as old as this glibc."""
    folder = BUILD / "versioned" / triple
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shared, static = [Path(shutil.copy2(file, folder)) for file in files]
    if "musl" in triple:
        add_unwinder(static, triple)
    strip(static, "--strip-debug", *(f"--remove-section={section}" for section in BITCODE))
    only_ours(static)
    target = triple.replace("-unknown", "") + (f".{oldest_glibc}" if oldest_glibc else "")
    with mock.patch.dict(os.environ, {"CC": f"{sys.executable} -m ziglang cc -target {target}"}):
        run(ROOT / "cmake" / "versioned.sh", static, shared, ABI)
    return [shared, static]


def installed(files, stage, triple):
    """Installs the libraries below the folder `stage`, without what no program uses, and returns
    the prefix."""
    shutil.rmtree(stage, ignore_errors=True)
    release = stage / "build" / "release"
    release.mkdir(parents=True)
    for file in files:
        copy = Path(shutil.copy2(file, release))
        if copy.suffix in (".so", ".dll"):
            strip(copy, "--strip-unneeded")
        elif copy.name == "libquatint.a" and system(triple) != "linux":
            strip(copy, "--strip-debug", *(f"--remove-section={section}" for section in BITCODE))
    # The libraries are built: --old-file keeps make from asking cargo for those of another folder.
    names = [files[0].name, f"libquatint.so.{ABI}", f"libquatint.{ABI}.dylib", f"quatint-{ABI}.dll"]
    command = ["make", *(f"--old-file={release / name}" for name in names), "install"]
    command += [f"TARGET_OS={system(triple)}", f"TARGET_DIR={stage / 'build'}", f"DESTDIR={stage}"]
    command += ["PREFIX=/prefix", "LIBDIR=/prefix/lib"]
    command += ["INCLUDEDIR=/prefix/include", "DATADIR=/prefix/share"]
    run(*command)
    shutil.copy(notices_of_rust(), stage / "prefix" / "share" / "licenses" / "quatint")
    return stage / "prefix"


def notices_of_rust():
    """The notices of what libraries and wheels contain of Rust's standard library."""
    sysroot = Path(run("rustc", "--print=sysroot").strip())
    return sysroot / "share" / "doc" / "rust" / "COPYRIGHT-library.html"


def strip(file, *options):
    """Leaves out what no program uses: three quarters of the static library."""
    run("llvm-objcopy", *options, file)  # because that of LLVM knows every system


def only_ours(library):
    """Makes one object of it, with no names but ours. The tools of LLVM know every processor."""
    (lld,) = Path(run("rustc", "--print=sysroot").strip()).glob("lib/rustlib/*/bin/gcc-ld/ld.lld")
    tools = {"LD": str(lld), "OBJCOPY": "llvm-objcopy", "AR": "llvm-ar"}
    with mock.patch.dict(os.environ, tools):
        run(ROOT / "cmake" / "only_ours.sh", library)
    names = run("llvm-nm", "--defined-only", "--extern-only", "--format=just-symbols", library)
    strange = [name for name in names.split() if not name.startswith("qi_") and name[-2:] != "o:"]
    if strange:
        sys.exit(f"dist.py: {library} has {strange[:5]}")


def add_unwinder(library, triple):
    """Adds the unwinder of Rust. Without it `musl-gcc -static` takes that of gcc, which may be for
    another C library."""
    sysroot = Path(run("rustc", "--print=sysroot").strip())
    unwinder = sysroot / "lib" / "rustlib" / triple / "lib" / "self-contained" / "libunwind.a"
    script = f"create both.a\naddlib {library.name}\naddlib {unwinder}\nsave\nend\n"
    lines = library.parent / "both.mri"
    lines.write_text(script)
    with open(lines) as commands:
        joined = limits.run(["llvm-ar", "-M"], cwd=library.parent, stdin=commands)
    if joined.returncode != 0:
        sys.exit(f"dist.py: llvm-ar failed\n{joined.stderr}")
    (library.parent / "both.a").replace(library)


def epoch():
    """The time of all files of an archive, so that it is the same each time."""
    return int(os.environ["SOURCE_DATE_EPOCH"])


def run(*command):
    """The output of a command in the root of the repository, where rust-toolchain.toml is."""
    environ = os.environ.copy()
    for name in ("MAKEFLAGS", "MAKELEVEL", "DESTDIR"):
        environ.pop(name, None)
    words = [str(part) for part in command]
    result = limits.run(words, limits.BUILD, cwd=ROOT, env=environ)
    if result.returncode != 0:
        sys.exit(f"dist.py: {command[0]} failed\n{result.stdout}{result.stderr}")
    return result.stdout
