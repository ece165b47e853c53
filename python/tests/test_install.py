"""The files of the C library in the package, and the options that `python -m quatint` prints."""

import ctypes
import os
import subprocess
import sys

import pytest

import quatint


def printed(*options):
    command = [sys.executable, "-m", "quatint", *options]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_every_folder_has_its_files():
    assert {"quatint.h", "quatint.hpp"} <= set(os.listdir(quatint.get_include()))
    assert "quatint-config.cmake" in os.listdir(quatint.get_cmake_dir())
    assert "quatint.f90" in os.listdir(quatint.get_fortran_dir())


def test_the_shared_library_has_the_version_of_the_package():
    library = ctypes.CDLL(quatint.get_library())
    library.qi_version_string.restype = ctypes.c_char_p
    assert library.qi_version_string().decode() == quatint.__version__


def test_the_static_library_is_an_archive():
    with open(quatint.get_library(static=True), "rb") as archive:
        assert archive.read(8) == b"!<arch>\n"


def test_the_options_are_on_one_line_and_in_the_order_that_linkers_want():
    words = printed("--libs", "--cflags").split()
    assert words[0] == "-I" + quatint.get_include()
    assert words.index("-lquatint") > words.index("-L" + os.path.dirname(quatint.get_library()))
    assert printed("--libs", "--static").split()[0] == quatint.get_library(static=True)


def test_no_option_is_an_error_that_says_what_to_do():
    with pytest.raises(subprocess.CalledProcessError) as error:
        printed()
    assert "name at least one option" in error.value.stderr
