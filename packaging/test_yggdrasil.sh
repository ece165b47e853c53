#!/bin/sh
# Runs the recipe for Yggdrasil as BinaryBuilder does, with stand-ins for what it calls, because
# BinaryBuilder cannot be had from a package registry. The Julia package loads the library that the
# recipe has installed.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
work=$root/target/test-recipes/yggdrasil
rm -rf "$work"
mkdir -p "$work/packages/BinaryBuilder/src" "$work/depot" "$work/srcdir" "$work/prefix"
tests/setup_julia.sh
PATH=$root/target/julia:$PATH
ln -s "$root" "$work/srcdir/quatint" # what `make` has built there is reused

cat >"$work/packages/BinaryBuilder/src/BinaryBuilder.jl" <<'END'
module BinaryBuilder
export GitSource, Platform, Dependency, LibraryProduct, build_tarballs

struct Dependency end
GitSource(url::String, commit::String) =
    length(commit) == 40 ? (url, commit) : error("$commit is no commit")
Platform(arch, os; libc = nothing) = (arch, os, libc)
LibraryProduct(names::Vector{String}, variable::Symbol) = names

name_of(platform) = join(filter(!isnothing, collect(platform)), "-")

function build_tarballs(args, name::String, version::VersionNumber, sources::Vector, script::String,
        platforms::Vector, products::Vector, dependencies::Vector{Dependency};
        compilers::Vector{Symbol}, preferred_rust_version::VersionNumber, julia_compat::String)
    write(args[1], script)
    println(join(sort(map(name_of, platforms)), "\n"))
end
end
END
export JULIA_DEPOT_PATH="$work/depot"
systems=$(JULIA_LOAD_PATH="$work/packages:@stdlib" julia --startup-file=no \
    packaging/yggdrasil/build_tarballs.jl "$work/script.sh")

# the systems of the archives
expected=$(python3 - <<'END'
import tomllib
targets = tomllib.load(open("packaging/targets.toml", "rb"))
served = [system for target in targets.values() for system in target.get("julia", [])]
names = ["-".join(filter(None, [s["arch"], s["os"], s.get("libc")])) for s in served]
print("\n".join(sorted([*names, "x86_64-windows"])))
END
)
if [ "$systems" != "$expected" ]; then
    printf 'the recipe is for\n%s\nand the archives are for\n%s\n' "$systems" "$expected" >&2
    exit 1
fi

cat >"$work/run.sh" <<'END'
set -eu
install_license() {
    mkdir -p "$prefix/share/licenses/libquatint"
    cp "$@" "$prefix/share/licenses/libquatint"
}
. "$WORKSPACE/script.sh"
END
export WORKSPACE="$work" prefix="$work/prefix" target=x86_64-linux-gnu
bash "$work/run.sh" >"$work/log" 2>&1 || { cat "$work/log" >&2 && exit 1; }
[ -e "$prefix/share/licenses/libquatint/LICENSE-MIT" ]
[ ! -e "$prefix/lib/libquatint.a" ]

export QUATINT_LIBRARY="$prefix/lib/libquatint.so"
loaded=$(julia --startup-file=no --project=bindings/julia/Quatint -e '
    using Quatint
    print(Quatint.Libdl.dlpath(Quatint.LIBRARY[]))')
[ "$loaded" = "$QUATINT_LIBRARY" ] || { echo "Julia has loaded $loaded" >&2 && exit 1; }
rm -rf "$work"
echo "Yggdrasil: the recipe runs with stand-ins, and the package loads its library"
