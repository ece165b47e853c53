# Defines the targets, for find_package() and for add_subdirectory(). Both set quatint_LIBRARY_DIR and quatint_INCLUDE_DIR
# first.
#
#   quatint::shared    libquatint.so, and libm: programs that call quatint call sqrt() and cos() too
#   quatint::static    libquatint.a and the system libraries it needs
#   quatint::quatint   the shared library; the static one if BUILD_SHARED_LIBS is OFF or there is no shared one
#
# quatint_SCOPE is GLOBAL if the library is still to be built.

if(TARGET quatint::quatint)
    return()
endif()

if(quatint_SCOPE OR EXISTS "${quatint_LIBRARY_DIR}/libquatint.so")
    add_library(quatint::shared SHARED IMPORTED ${quatint_SCOPE})
    set_target_properties(quatint::shared PROPERTIES
        IMPORTED_LOCATION "${quatint_LIBRARY_DIR}/libquatint.so"
        INTERFACE_INCLUDE_DIRECTORIES "${quatint_INCLUDE_DIR}"
        INTERFACE_LINK_LIBRARIES m)
    set(_quatint_default quatint::shared)
endif()

if(quatint_SCOPE OR EXISTS "${quatint_LIBRARY_DIR}/libquatint.a")
    add_library(quatint::static STATIC IMPORTED ${quatint_SCOPE})
    # not Threads::Threads, because find_package(Threads) fails in a project that enables only Fortran
    set_target_properties(quatint::static PROPERTIES
        IMPORTED_LOCATION "${quatint_LIBRARY_DIR}/libquatint.a"
        INTERFACE_INCLUDE_DIRECTORIES "${quatint_INCLUDE_DIR}"
        INTERFACE_LINK_LIBRARIES "pthread;m;${CMAKE_DL_LIBS}")
    if(NOT _quatint_default OR (DEFINED BUILD_SHARED_LIBS AND NOT BUILD_SHARED_LIBS))
        set(_quatint_default quatint::static)
    endif()
endif()

if(_quatint_default)
    add_library(quatint::quatint INTERFACE IMPORTED ${quatint_SCOPE})
    set_target_properties(quatint::quatint PROPERTIES INTERFACE_LINK_LIBRARIES ${_quatint_default})
    unset(_quatint_default)
endif()
