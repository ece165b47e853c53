#!/bin/sh
# `cargo cinstall` puts the files of `make install` into the same places, and programs are built with them the same ways.
# Called by `make test-cinstall`, which builds cargo-c first.
set -eu
cd "$(dirname "$0")/.."

work=$PWD/target/tmp/cinstall
rm -rf "$work"
mkdir -p "$work"
make -s install PREFIX="$work/make"
PATH=$PWD/target/cargo-c/bin:$PATH cargo cinstall --prefix "$work/cargo" --libdir lib --target-dir target/cargo-c/quatint

for by in make cargo; do (cd "$work/$by" && find . ! -type d ! -name made-folders | sort) >"$work/$by.files"; done
diff "$work/make.files" "$work/cargo.files"
[ "$(readelf -d "$work/cargo/lib/libquatint.so" | grep SONAME)" = "$(readelf -d "$work/make/lib/libquatint.so" | grep SONAME)" ]

cp -r tests/install/find_package "$work/outside"
cp c_examples/heavy_top.c "$work/outside"
for by in make cargo; do
    export PKG_CONFIG_PATH="$work/$by/lib/pkgconfig"
    # shellcheck disable=SC2046
    cc c_examples/heavy_top.c $(pkg-config --cflags --libs quatint) -lm -Wl,-rpath,"$work/$by/lib" -o "$work/shared_$by"
    # shellcheck disable=SC2046
    cc c_examples/heavy_top.c $(pkg-config --cflags --libs --static quatint | sed 's/-lquatint/-l:libquatint.a/') -o "$work/static_$by"
    cmake -S "$work/outside" -B "$work/cmake_$by" -DCMAKE_PREFIX_PATH="$work/$by" >/dev/null
    cmake --build "$work/cmake_$by" >/dev/null
    for program in "$work/shared_$by" "$work/static_$by" "$work/cmake_$by/heavy_top_shared" "$work/cmake_$by/heavy_top_static"; do
        "$program" | cmp - tests/heavy_top.txt
    done
done

# moved, it is found by CMake as it is, and by pkg-config when told to look beside the file
mv "$work/cargo" "$work/moved"
export PKG_CONFIG_PATH="$work/moved/lib/pkgconfig"
# shellcheck disable=SC2046
cc c_examples/heavy_top.c $(pkg-config --define-prefix --cflags --libs quatint) -lm -Wl,-rpath,"$work/moved/lib" -o "$work/moved_pc"
cmake -S "$work/outside" -B "$work/cmake_moved" -DCMAKE_PREFIX_PATH="$work/moved" >/dev/null
cmake --build "$work/cmake_moved" >/dev/null
"$work/moved_pc" >/dev/null
"$work/cmake_moved/heavy_top_shared" >/dev/null

echo "cargo cinstall: the files of make install, and programs built with them give the same bits"
