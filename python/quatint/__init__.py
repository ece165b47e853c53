"""The rotation of rigid bodies under torque."""

from ._install import get_cmake_dir, get_fortran_dir, get_include, get_library
from ._quatint import __version__

__all__ = ["__version__", "get_cmake_dir", "get_fortran_dir", "get_include", "get_library"]
