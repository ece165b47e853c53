# Read by find_package(quatint CONFIG). Defines the targets of quatint-targets.cmake, and
#
#   quatint_VERSION          such as 0.1.0
#   quatint_INCLUDE_DIR      the folder of quatint.h and quatint.hpp
#   quatint_FORTRAN_SOURCE   the source of the Fortran module, to be compiled by the project that uses it
#
# All paths are relative to this file, so the prefix can be moved. They are those of lib/, include/ and share/ in one prefix;
# `make install` replaces them if it installs to other folders.

get_filename_component(_quatint_here "${CMAKE_CURRENT_LIST_DIR}" REALPATH)
get_filename_component(quatint_LIBRARY_DIR "../.." ABSOLUTE BASE_DIR "${_quatint_here}")
get_filename_component(quatint_INCLUDE_DIR "../../../include" ABSOLUTE BASE_DIR "${_quatint_here}")
get_filename_component(quatint_FORTRAN_SOURCE "../../../share/quatint/fortran/quatint.f90" ABSOLUTE BASE_DIR "${_quatint_here}")

include("${_quatint_here}/quatint-targets.cmake")
if(NOT TARGET quatint::quatint)
    set(quatint_FOUND FALSE)
    set(quatint_NOT_FOUND_MESSAGE "${quatint_LIBRARY_DIR} contains no library of quatint for this system")
endif()
