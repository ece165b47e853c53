# An overlay port: `vcpkg install quatint --overlay-ports=packaging/vcpkg` in a clone builds the source around this file. It needs
# cargo and make on the PATH; with packaging/vendored.sh's copy of the source no network.

get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../.." ABSOLUTE)
find_program(MAKE make REQUIRED)
find_program(CARGO cargo HINTS "$ENV{HOME}/.cargo/bin" REQUIRED)

# vcpkg wants one kind of library
set(libraries static)
if(VCPKG_LIBRARY_LINKAGE STREQUAL "dynamic")
    set(libraries shared)
endif()

vcpkg_execute_required_process(
    COMMAND "${MAKE}" install "CARGO=${CARGO}" "LIBRARIES=${libraries}" "TARGET_DIR=${CURRENT_BUILDTREES_DIR}/cargo" DESTDIR=
        "PREFIX=${CURRENT_PACKAGES_DIR}" "LIBDIR=${CURRENT_PACKAGES_DIR}/lib" "INCLUDEDIR=${CURRENT_PACKAGES_DIR}/include"
        "DATADIR=${CURRENT_PACKAGES_DIR}/share"
    WORKING_DIRECTORY "${SOURCE_PATH}"
    LOGNAME "make-${TARGET_TRIPLET}")

file(REMOVE "${CURRENT_PACKAGES_DIR}/share/quatint/made-folders")

# Rust's release profile serves debug builds too. The files for CMake find the library from where they are.
set(VCPKG_POLICY_MISMATCHED_NUMBER_OF_BINARIES enabled)
set(VCPKG_POLICY_SKIP_MISPLACED_CMAKE_FILES_CHECK enabled)
set(VCPKG_POLICY_SKIP_LIB_CMAKE_MERGE_CHECK enabled)
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE-MIT" "${SOURCE_PATH}/LICENSE-APACHE" "${SOURCE_PATH}/THIRD-PARTY.md")
