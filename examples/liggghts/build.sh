#!/bin/sh
# build.sh FOLDER: LIGGGHTS 3.8.0 with superquadrics and with the fixes of this folder: FOLDER/liggghts.
# Debian's LIGGGHTS has no superquadrics, so this downloads Debian's source (6.5 MB) and compiles it, in
# about five minutes on two cores. It needs `make` done here, and the Debian packages curl, xz-utils, cmake, g++
# and mpi-default-dev.
set -eu
work=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(dirname "$0")/../.."

archive=$work/liggghts.tar.xz
# the source lies beside the package, where apt takes that from
pool=$(apt-get download --print-uris libliggghts-dev | sed -n "s|^'\(.*\)/[^/]*' .*|\1|p")
url=$pool/liggghts_3.8.0%2brepack1.orig.tar.xz
sha256=c18721d9a870c5170f03b91e4f1ffe13335c66ed1f0ff2c64ebd3be91c37867a # of Debian's signed .dsc
is_whole() { echo "$sha256  $archive" | sha256sum --check --status - 2>/dev/null; }
is_whole || curl --fail --silent --show-error --location --retry 3 --output "$archive" "$url"
is_whole || { echo "build.sh: not the expected file: $url" >&2; exit 1; }

rm -rf "$work/source"
mkdir "$work/source"
tar --extract --file "$archive" --directory "$work/source" --strip-components 1
source=$work/source/src

# two lines that newer compilers refuse, and dumps that need VTK
sed -i 's/static_cast< std::ostringstream & >(/(/' "$source/utils.h"
sed -i 's/->numneigh > 0)/->numneigh)/' "$source/finish.cpp"
rm "$source"/dump_mesh_vtk.*

# The models of contacts. All combinations would take an hour: add lines for those of your scripts.
cat >"$source/style_contact_model.whitelist" <<'EOF'
GRAN_MODEL(HERTZ, TANGENTIAL_HISTORY, COHESION_OFF, ROLLING_OFF, SURFACE_DEFAULT)
GRAN_MODEL(HERTZ, TANGENTIAL_HISTORY, COHESION_OFF, ROLLING_OFF, SURFACE_SUPERQUADRIC)
EOF
cp examples/liggghts/fix_*.h "$source"
library=$PWD/target/release
cmake -S "$source" -B "$work/build" -Wno-dev --log-level=ERROR \
    -DCMAKE_DISABLE_FIND_PACKAGE_VTK=ON -DCMAKE_DISABLE_FIND_PACKAGE_JPEG=ON \
    -DCMAKE_CXX_FLAGS="-O2 -std=c++11 -w -DOMPI_SKIP_MPICXX -DSUPERQUADRIC_ACTIVE_FLAG -DNONSPHERICAL_ACTIVE_FLAG -DHAVE_TR1_CMATH -I$PWD/include" \
    -DCMAKE_CXX_STANDARD_LIBRARIES="-L$library -lquatint -Wl,-rpath,$library" >"$work/build.log"
cmake --build "$work/build" --target liggghts_bin --parallel "$(nproc)" >>"$work/build.log" 2>&1 ||
    { tail -30 "$work/build.log" >&2; exit 1; }
ln -sf build/liggghts "$work/liggghts"
