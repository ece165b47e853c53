"""The C library in this package: where its files are, for programs in C, C++ and Fortran."""

from __future__ import annotations

import sys
from pathlib import Path

from ._quatint import __version__

_PREFIX = Path(__file__).resolve().parent / "_c"


def _installed(*parts: str) -> str:
    path = _PREFIX.joinpath(*parts)
    if not path.exists():
        raise FileNotFoundError(
            f"{path} does not exist: only a package that pip has installed contains the C library, on Windows and macOS not the static one"
        )
    return str(path)


def _abi_version() -> str:
    """The version in the name by which programs load the library: MAJOR, or 0.MINOR."""
    major, minor, _ = __version__.split(".")
    return f"0.{minor}" if major == "0" else major


def get_include() -> str:
    """The folder of `quatint.h` and `quatint.hpp`."""
    return _installed("include")


def get_library(*, static: bool = False) -> str:
    """The path of the shared library, or of the static one. `libquatint.so` beside it is a text for linkers."""
    if static:
        return _installed("lib", "libquatint.a")
    if sys.platform == "win32":
        return _installed("bin", "quatint.dll")
    if sys.platform == "darwin":
        return _installed("lib", f"libquatint.{_abi_version()}.dylib")
    return _installed("lib", f"libquatint.so.{_abi_version()}")


def get_cmake_dir() -> str:
    """The folder of `quatint-config.cmake`: let `CMAKE_PREFIX_PATH` or `quatint_DIR` name it."""
    return _installed("lib", "cmake", "quatint")


def get_fortran_dir() -> str:
    """The folder of `quatint.f90`, the source of the Fortran module, with a `CMakeLists.txt`."""
    return _installed("share", "quatint", "fortran")
