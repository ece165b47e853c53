# Defines the targets, for find_package() and for add_subdirectory(). Both set quatint_LIBRARY_DIR and quatint_INCLUDE_DIR
# first.
#
#   quatint::shared    the shared library, and libm: programs that call quatint call sqrt() and cos() too
#   quatint::static    libquatint.a and the system libraries it needs
#   quatint::quatint   the shared library; the static one if BUILD_SHARED_LIBS is OFF or there is no shared one
#
# quatint_SCOPE is GLOBAL if the library is still to be built.

if(TARGET quatint::quatint)
    return()
endif()

# What the system calls the libraries, and what the static one needs, as rustc prints it. Threads::Threads is not asked for,
# because find_package(Threads) fails in a project that enables only Fortran.
set(_quatint_static "${quatint_LIBRARY_DIR}/libquatint.a")
set(_quatint_link m)
if(WIN32)
    file(GLOB _quatint_shared "${quatint_LIBRARY_DIR}/../bin/quatint-[0-9]*.dll")
    set(_quatint_import "${quatint_LIBRARY_DIR}/libquatint.dll.a")
    set(_quatint_needs m kernel32 ntdll userenv ws2_32 dbghelp)
    if(MSVC) # the static library is one for gcc
        set(_quatint_import "${quatint_LIBRARY_DIR}/quatint.lib")
        set(_quatint_static "")
        set(_quatint_link "")
    endif()
elseif(APPLE)
    set(_quatint_shared "${quatint_LIBRARY_DIR}/libquatint.dylib")
    file(GLOB _quatint_loaded "${quatint_LIBRARY_DIR}/libquatint.[0-9]*.dylib")
    if(_quatint_loaded AND NOT quatint_SCOPE) # a wheel has no links
        list(GET _quatint_loaded 0 _quatint_shared)
    endif()
    set(_quatint_needs m iconv)
else()
    set(_quatint_shared "${quatint_LIBRARY_DIR}/libquatint.so")
    set(_quatint_needs pthread m ${CMAKE_DL_LIBS})
endif()

if(quatint_SCOPE OR EXISTS "${_quatint_shared}")
    add_library(quatint::shared SHARED IMPORTED ${quatint_SCOPE})
    set_target_properties(quatint::shared PROPERTIES
        IMPORTED_LOCATION "${_quatint_shared}"
        INTERFACE_INCLUDE_DIRECTORIES "${quatint_INCLUDE_DIR}"
        INTERFACE_LINK_LIBRARIES "${_quatint_link}")
    if(WIN32)
        set_target_properties(quatint::shared PROPERTIES IMPORTED_IMPLIB "${_quatint_import}")
    endif()
    set(_quatint_default quatint::shared)
endif()

if(_quatint_static AND (quatint_SCOPE OR EXISTS "${_quatint_static}"))
    add_library(quatint::static STATIC IMPORTED ${quatint_SCOPE})
    set_target_properties(quatint::static PROPERTIES
        IMPORTED_LOCATION "${_quatint_static}"
        INTERFACE_INCLUDE_DIRECTORIES "${quatint_INCLUDE_DIR}"
        INTERFACE_LINK_LIBRARIES "${_quatint_needs}")
    if(NOT _quatint_default OR (DEFINED BUILD_SHARED_LIBS AND NOT BUILD_SHARED_LIBS))
        set(_quatint_default quatint::static)
    endif()
endif()

if(_quatint_default)
    add_library(quatint::quatint INTERFACE IMPORTED ${quatint_SCOPE})
    set_target_properties(quatint::quatint PROPERTIES INTERFACE_LINK_LIBRARIES ${_quatint_default})
endif()
foreach(name default shared static import link needs loaded)
    unset(_quatint_${name})
endforeach()
