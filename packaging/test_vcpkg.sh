#!/bin/sh
# Runs the vcpkg port of `make dist` as vcpkg does, for both kinds of library, with stand-ins for the
# functions that it calls: vcpkg itself cannot be had from a package registry. The archive is that of
# `make dist`, and its checksum is compared. A program is linked by CMake with what the port has installed.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
work=$root/target/test-recipes/vcpkg
rm -rf "$work"
mkdir -p "$work/port" "$work/buildtrees"
cp packaging/vcpkg/vcpkg.json target/dist/portfile.cmake "$work/port"

version=$(python3 - <<'END'
import json, re
manifest = json.load(open("packaging/vcpkg/vcpkg.json"))
assert set(manifest) >= {"name", "version", "description", "license"} and re.fullmatch(r"[a-z0-9-]+", manifest["name"])
print(manifest["version"])
END
)

cat >"$work/run.cmake" <<'END'
function(vcpkg_download_distfile result)
    cmake_parse_arguments(PARSE_ARGV 1 it "" "FILENAME;SHA512" "URLS")
    if(NOT it_URLS MATCHES "^https://[^;]*/v${VERSION}/${it_FILENAME}$")
        message(FATAL_ERROR "${it_URLS} is not the address of ${it_FILENAME}")
    endif()
    file(SHA512 "${DIST}/${it_FILENAME}" found)
    if(NOT found STREQUAL it_SHA512)
        message(FATAL_ERROR "the checksum of ${it_FILENAME} is ${found}")
    endif()
    set(${result} "${DIST}/${it_FILENAME}" PARENT_SCOPE)
endfunction()
function(vcpkg_extract_source_archive result)
    cmake_parse_arguments(PARSE_ARGV 1 it "" "ARCHIVE" "")
    file(ARCHIVE_EXTRACT INPUT "${it_ARCHIVE}" DESTINATION "${CURRENT_BUILDTREES_DIR}/src")
    file(GLOB folder "${CURRENT_BUILDTREES_DIR}/src/*")
    set(${result} "${folder}" PARENT_SCOPE)
endfunction()
function(vcpkg_execute_required_process)
    cmake_parse_arguments(PARSE_ARGV 0 it "" "WORKING_DIRECTORY;LOGNAME" "COMMAND")
    if(it_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "unknown: ${it_UNPARSED_ARGUMENTS}")
    endif()
    execute_process(COMMAND ${it_COMMAND} WORKING_DIRECTORY "${it_WORKING_DIRECTORY}" COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
endfunction()
function(vcpkg_install_copyright)
    cmake_parse_arguments(PARSE_ARGV 0 it "" "" "FILE_LIST")
    foreach(file ${it_FILE_LIST})
        file(READ "${file}" text)
        file(APPEND "${CURRENT_PACKAGES_DIR}/share/quatint/copyright" "${text}")
    endforeach()
endfunction()
include("${CURRENT_PORT_DIR}/portfile.cmake")
END

cp -r tests/install/find_package "$work/project"
cp c_examples/heavy_top.c "$work/project"
for linkage in dynamic static; do
    packages=$work/packages_$linkage
    cmake -DCURRENT_PORT_DIR="$work/port" -DDIST="$root/target/dist" -DVERSION="$version" -DCURRENT_BUILDTREES_DIR="$work/buildtrees" \
        -DCURRENT_PACKAGES_DIR="$packages" -DVCPKG_LIBRARY_LINKAGE=$linkage -DTARGET_TRIPLET=x64-linux -P "$work/run.cmake"
    [ -s "$packages/share/quatint/copyright" ] && [ ! -e "$packages/share/quatint/made-folders" ]
    case $linkage in
    dynamic) [ -e "$packages/lib/libquatint.so" ] && [ ! -e "$packages/lib/libquatint.a" ] ;;
    static) [ -e "$packages/lib/libquatint.a" ] && [ ! -e "$packages/lib/libquatint.so" ] ;;
    esac
    cmake -S "$work/project" -B "$work/build_$linkage" -DCMAKE_PREFIX_PATH="$packages" >/dev/null
    cmake --build "$work/build_$linkage" >/dev/null
    "$work/build_$linkage/heavy_top_quatint" | cmp - tests/heavy_top.txt
done
rm -rf "$work"
echo "vcpkg: the port runs with stand-ins for vcpkg's functions, and installs the kind of library that is asked for"
