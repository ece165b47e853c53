"""Prints what a compiler must know of the C library in this package, as pkg-config does: `python -m quatint --help`."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Callable

from . import __version__
from ._install import get_cmake_dir, get_fortran_dir, get_include, get_library

_USE = """\
cc program.c $(python -m quatint --cflags --libs)
gfortran $(python -m quatint --fortran) program.f90 $(python -m quatint --libs)
cmake -DCMAKE_PREFIX_PATH=$(python -m quatint --cmake-dir) ..."""


def _libs(static: bool) -> list[str]:
    library = get_library(static=static)
    if sys.platform == "win32":
        return ["-L" + os.path.join(os.path.dirname(get_include()), "lib"), "-lquatint", "-lm"]
    if static:
        return [library, "-lpthread", "-lm", "-ldl"]
    folder = os.path.dirname(library)
    linked = [library] if sys.platform == "darwin" else ["-L" + folder, "-lquatint"]
    return [*linked, "-Wl,-rpath," + folder, "-lm"]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m quatint",
        description="Print what a compiler must know of the C library in this package.",
        epilog=_USE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    words: list[tuple[str, str, Callable[[argparse.Namespace], list[str]]]] = [
        ("--cflags", "the option for the headers", lambda o: ["-I" + get_include()]),
        ("--fortran", "the source file of the Fortran module", lambda o: [get_fortran_dir() + "/quatint.f90"]),
        ("--libs", "the options to link with the library; programs find it where it is now", lambda o: _libs(o.static)),
        ("--include-dir", "the folder of quatint.h and quatint.hpp", lambda o: [get_include()]),
        ("--library", "the path of the library", lambda o: [get_library(static=o.static)]),
        ("--cmake-dir", "the folder of the files for CMake", lambda o: [get_cmake_dir()]),
        ("--fortran-dir", "the folder of the Fortran source", lambda o: [get_fortran_dir()]),
    ]
    for word, meaning, _ in words:
        parser.add_argument(word, action="store_true", help=meaning)
    parser.add_argument("--static", action="store_true", help="with --libs and --library: the static library")
    parser.add_argument("--version", action="version", version=__version__)
    options = parser.parse_args(arguments)

    printed: list[str] = []
    for word, _, value in words:
        if getattr(options, word[2:].replace("-", "_")):
            printed += value(options)
    if not printed:
        parser.error("nothing to print: name at least one option")
    print(" ".join(shlex.quote(part) for part in printed))
    return 0


if __name__ == "__main__":
    sys.exit(main())
