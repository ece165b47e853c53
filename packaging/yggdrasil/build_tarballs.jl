# For Yggdrasil, whose BinaryBuilder makes the package libquatint_jll of it: `julia
# build_tarballs.jl` builds the library for the systems that a release has archives for.

using BinaryBuilder, Pkg

name = "libquatint"
version = v"0.2.0"

# A commit cannot name itself. In the copy for Yggdrasil this is the commit of the tag:
# `git rev-parse v0.2.0^{commit}`.
commit = "0000000000000000000000000000000000000000"
sources = [GitSource("https://github.com/quatint/quatint.git", commit)]

# Cargo takes the target from CARGO_BUILD_TARGET, which BinaryBuilder sets. On Windows `make` puts
# the library into `bin`.
script = raw"""
cd ${WORKSPACE}/srcdir/quatint
case ${target} in
*-apple-*) system=macos ;;
*-mingw*) system=windows ;;
*) system=linux ;;
esac
make install LIBRARIES=shared TARGET_OS=${system} DESTDIR= PREFIX=${prefix} LIBDIR=${prefix}/lib \
    INCLUDEDIR=${prefix}/include DATADIR=${prefix}/share
rm ${prefix}/share/quatint/made-folders
install_license LICENSE-MIT LICENSE-APACHE THIRD-PARTY.md
"""

platforms = [
    Platform("x86_64", "linux"; libc = "glibc"),
    Platform("aarch64", "linux"; libc = "glibc"),
    Platform("x86_64", "linux"; libc = "musl"),
    Platform("x86_64", "windows"),
    Platform("x86_64", "macos"),
    Platform("aarch64", "macos"),
]

products = [LibraryProduct(["libquatint", "quatint"], :libquatint)]

dependencies = Dependency[]

# Cargo.toml asks for Rust 1.91; BinaryBuilder has this newer one. Before 1.6, Julia has no
# packages of this kind.
build_tarballs(ARGS, name, version, sources, script, platforms, products, dependencies;
    compilers = [:c, :rust], preferred_rust_version = v"1.94.0", julia_compat = "1.6")
