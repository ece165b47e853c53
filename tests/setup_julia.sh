#!/bin/sh
# Julia for the tests, where there is none on the PATH: Debian 12 has no package of it, but the
# release before has (1.5.3), on the same mirror. No later release of Debian has one, and what PyPI has
# by that name (juliaup, julialang) downloads Julia from elsewhere. So a newer one is used where it is on
# the PATH, and tests keep to what both understand. Its packages are unpacked into target/julia, and
# nothing else of the machine is touched. The command is then target/julia/julia; it prints nothing
# and takes no time where that is there already.
set -eu
cd "$(dirname "$0")/.."
root=$PWD/target/julia
suite=bullseye

command -v julia >/dev/null 2>&1 && exit 0
[ -x "$root/julia" ] && exit 0

missing() {
    echo "make test needs Julia 1.5 or newer on the PATH, and cannot unpack Debian's here: $1" >&2
    exit 1
}
command -v apt-get >/dev/null 2>&1 && command -v dpkg-deb >/dev/null 2>&1 || missing "there is no apt"

# the mirror of this machine: the first address that its own sources name
mirror=$(apt-get indextargets --format '$(SITE) $(RELEASE) $(CREATED_BY)' 2>/dev/null |
    awk '$3 == "Packages" && $2 ~ /^(bookworm|trixie|bullseye|stable|oldstable)$/ {print $1; exit}')
[ -n "$mirror" ] || missing "its package sources name no Debian release"

echo "unpacking Julia of Debian's $suite into target/julia"
mkdir -p "$root/apt/lists/partial" "$root/apt/cache/archives/partial" "$root/apt/parts" "$root/packages" "$root/tree"
keys=/usr/share/keyrings/debian-archive-keyring.gpg
echo "deb [signed-by=$keys] $mirror $suite main" >"$root/apt/sources.list"
: >"$root/apt/status"
apt() {
    tool=$1
    shift
    "$tool" -qq -o Dir::Etc::sourcelist="$root/apt/sources.list" -o Dir::Etc::sourceparts="$root/apt/parts" \
        -o Dir::Etc::preferencesparts="$root/apt/parts" -o Dir::State="$root/apt" -o Dir::State::status="$root/apt/status" \
        -o Dir::State::lists="$root/apt/lists" -o Dir::Cache="$root/apt/cache" -o APT::Get::List-Cleanup=0 \
        -o Acquire::Languages=none -o APT::Sandbox::User=root "$@"
}
apt apt-get update >/dev/null || missing "the packages of $suite cannot be had"

# Everything it depends on but the C library and what goes with the compiler, of which this system's
# own are newer.
own='libc6|libc-bin|libgcc-s1|libstdc\+\+6|libgfortran5|libquadmath0|libcrypt1|gcc-10-base'
own="$own|dpkg|debconf.*|cdebconf.*|perl.*|libperl.*|tar|install-info|zlib1g"
own="$own|lib(acl1|attr1|bz2-1.0|lzma5|selinux1|zstd1)|ca-certificates|openssl|libssl1.1"
packages=$(apt apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts \
    --no-breaks --no-replaces --no-enhances julia |
    grep '^[a-z]' | sort -u | grep -Ev "^($own)$")
# shellcheck disable=SC2086
(cd "$root/packages" && apt apt-get download $packages >/dev/null) || missing "its packages cannot be downloaded"
for package in "$root/packages"/*.deb; do dpkg-deb -x "$package" "$root/tree"; done

lib=$root/tree/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH 2>/dev/null || echo "$(uname -m)-linux-gnu")
cat >"$root/julia.new" <<END
#!/bin/sh
LD_LIBRARY_PATH=$lib:$lib/julia:$lib/blas:$lib/lapack\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
exec $root/tree/usr/bin/julia "\$@"
END
chmod +x "$root/julia.new"
"$root/julia.new" --startup-file=no -e 'using LinearAlgebra, Test; [1.0 2; 3 4] \ [1, 2]' >/dev/null ||
    missing "it does not run"
mv "$root/julia.new" "$root/julia"
rm -rf "$root/packages" "$root/apt"
