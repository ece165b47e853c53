#!/bin/sh
# The Julia package with the Artifacts.toml of `make dist` finds the library that Pkg has downloaded
# and checked, far from the repository, without `make`. The addresses in it are replaced by files of
# target/dist.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
work=$root/target/test-recipes/julia
rm -rf "$work"
mkdir -p "$work/depot"
tests/setup_julia.sh
mkdir "$work/bin"
# the loader's path of an unpacked Julia is not for this machine's programs, which Pkg calls
for tool in curl tar; do
    printf '#!/bin/sh\nunset LD_LIBRARY_PATH\nexec %s "$@"\n' "$(command -v $tool)" >"$work/bin/$tool"
    chmod +x "$work/bin/$tool"
done
PATH=$work/bin:$root/target/julia:$PATH

cp -r bindings/julia/Quatint "$work/Quatint"
rm -f "$work"/Quatint/deps/libquatint.*
sed "s|https://github.com/quatint/quatint/releases/download/v[0-9.]*|file://$root/target/dist|" target/dist/Artifacts.toml \
    >"$work/Quatint/Artifacts.toml"
export JULIA_DEPOT_PATH="$work/depot" JULIA_PKG_SERVER=
unset QUATINT_LIBRARY LD_LIBRARY_PATH
julia --startup-file=no -e '
    using Pkg
    Pkg.Artifacts.ensure_all_artifacts_installed(ARGS[1])' "$work/Quatint/Artifacts.toml"
cat >"$work/program.jl" <<'END'
using Quatint, Libdl
body = Body([3.0, 5.0, 9.0]; angular_velocity = [0, 0.4, 0.001])
step!(body, 0.5)
println(dlpath(Quatint.LIBRARY[]))
END
found=$(julia --startup-file=no --project="$work/Quatint" "$work/program.jl")
case $found in
"$work"/depot/artifacts/*/quatint-*/lib/libquatint.so*) ;;
*) echo "Julia has loaded $found" >&2 && exit 1 ;;
esac
rm -rf "$work"
echo "Julia: Pkg installs the artifact, its two checksums are right, and the package loads it"
