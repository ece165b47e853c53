# Reads the version from the header and checks it for find_package(quatint x.y.z). A version is compatible if it is not older
# than the requested one and has the same major version; while that is 0, the minor version must be the same too. Who asks
# for a range, find_package(quatint 0.2...<0.4), knows the versions in it: each of them is compatible.

get_filename_component(_quatint_here "${CMAKE_CURRENT_LIST_DIR}" REALPATH)
get_filename_component(_quatint_header "../../../include" ABSOLUTE BASE_DIR "${_quatint_here}")
file(STRINGS "${_quatint_header}/quatint.h" _quatint_lines REGEX "^#define QI_VERSION_(MAJOR|MINOR|PATCH) ")
string(REGEX MATCHALL "[0-9]+" _quatint_numbers "${_quatint_lines}")
string(REPLACE ";" "." PACKAGE_VERSION "${_quatint_numbers}")

list(GET _quatint_numbers 0 _quatint_major)
list(GET _quatint_numbers 1 _quatint_minor)
if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
    set(PACKAGE_VERSION_EXACT TRUE)
endif()
set(PACKAGE_VERSION_COMPATIBLE FALSE)
if(PACKAGE_FIND_VERSION_RANGE)
    if(PACKAGE_FIND_VERSION_MIN VERSION_LESS_EQUAL PACKAGE_VERSION AND (PACKAGE_VERSION VERSION_LESS PACKAGE_FIND_VERSION_MAX
            OR (PACKAGE_FIND_VERSION_RANGE_MAX STREQUAL "INCLUDE" AND PACKAGE_VERSION VERSION_EQUAL PACKAGE_FIND_VERSION_MAX)))
        set(PACKAGE_VERSION_COMPATIBLE TRUE)
    endif()
elseif(PACKAGE_FIND_VERSION VERSION_LESS_EQUAL PACKAGE_VERSION AND PACKAGE_FIND_VERSION_MAJOR EQUAL _quatint_major
        AND (_quatint_major GREATER 0 OR PACKAGE_FIND_VERSION_MINOR EQUAL _quatint_minor))
    set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()

# A library for addresses of another size than those of the project is not suitable. ELF says the size in its fifth byte.
set(_quatint_shared "${_quatint_here}/../../libquatint.so")
if(CMAKE_SIZEOF_VOID_P AND EXISTS "${_quatint_shared}")
    file(READ "${_quatint_shared}" _quatint_start LIMIT 5 HEX)
    if((_quatint_start STREQUAL "7f454c4601" AND NOT CMAKE_SIZEOF_VOID_P EQUAL 4)
            OR (_quatint_start STREQUAL "7f454c4602" AND NOT CMAKE_SIZEOF_VOID_P EQUAL 8))
        set(PACKAGE_VERSION "${PACKAGE_VERSION} (for addresses of another size)")
        set(PACKAGE_VERSION_UNSUITABLE TRUE)
    endif()
endif()
