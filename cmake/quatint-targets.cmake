# The targets, the same for find_package() and for add_subdirectory(), which say where the two folders are:
#
#   quatint::shared    libquatint.so
#   quatint::static    libquatint.a and what it needs of the system
#   quatint::quatint   the shared one; the static one where BUILD_SHARED_LIBS is set to OFF or nothing else is there
#
# quatint_SCOPE is GLOBAL for a library that is yet to be built.

if(TARGET quatint::quatint)
    return()
endif()

if(quatint_SCOPE OR EXISTS "${quatint_LIBRARY_DIR}/libquatint.so")
    add_library(quatint::shared SHARED IMPORTED ${quatint_SCOPE})
    set_target_properties(quatint::shared PROPERTIES
        IMPORTED_LOCATION "${quatint_LIBRARY_DIR}/libquatint.so"
        INTERFACE_INCLUDE_DIRECTORIES "${quatint_INCLUDE_DIR}")
    set(_quatint_default quatint::shared)
endif()

if(quatint_SCOPE OR EXISTS "${quatint_LIBRARY_DIR}/libquatint.a")
    add_library(quatint::static STATIC IMPORTED ${quatint_SCOPE})
    # not Threads::Threads: find_package(Threads) fails in a project that enables Fortran alone
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
