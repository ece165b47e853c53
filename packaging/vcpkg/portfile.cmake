# From the source archive of a release, whose build needs no network, with its checksum, which `make dist` writes into its copy
# of this file, target/dist/portfile.cmake. It needs cargo and make on the PATH.

vcpkg_download_distfile(archive
    URLS "https://github.com/quatint/quatint/releases/download/v${VERSION}/quatint-${VERSION}-source.tar.gz"
    FILENAME "quatint-${VERSION}-source.tar.gz"
    SHA512 00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000)
vcpkg_extract_source_archive(SOURCE_PATH ARCHIVE "${archive}")
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
