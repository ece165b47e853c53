# find_package(quatint CONFIG) comes here. It defines the targets of quatint-targets.cmake, and
#
#   quatint_VERSION          such as 0.1.0
#   quatint_INCLUDE_DIR      the folder of quatint.h and quatint.hpp
#   quatint_FORTRAN_SOURCE   the Fortran module, to be compiled by the project that uses it
#
# Everything is found from the place of this file, so the prefix may be moved. The relative paths are those of lib/,
# include/ and share/ in one prefix; `make install` writes others here where it is given others.

get_filename_component(_quatint_here "${CMAKE_CURRENT_LIST_DIR}" REALPATH)
get_filename_component(_quatint_lib "../.." ABSOLUTE BASE_DIR "${_quatint_here}")
get_filename_component(quatint_INCLUDE_DIR "../../../include" ABSOLUTE BASE_DIR "${_quatint_here}")
get_filename_component(quatint_FORTRAN_SOURCE "../../../share/quatint/fortran/quatint.f90" ABSOLUTE BASE_DIR "${_quatint_here}")

# `cargo cinstall` puts the libraries into lib/x86_64-linux-gnu on Debian, and this file into lib/ all the same
set(quatint_LIBRARY_DIR "${_quatint_lib}")
if(NOT EXISTS "${_quatint_lib}/libquatint.so" AND NOT EXISTS "${_quatint_lib}/libquatint.a")
    set(quatint_LIBRARY_DIR "${_quatint_lib}/${CMAKE_LIBRARY_ARCHITECTURE}")
endif()

include("${_quatint_here}/quatint-targets.cmake")
if(NOT TARGET quatint::quatint)
    set(quatint_FOUND FALSE)
    set(quatint_NOT_FOUND_MESSAGE "neither libquatint.so nor libquatint.a is in ${_quatint_lib}")
endif()
