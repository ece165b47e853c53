#!/usr/bin/env bash
# The library on other processors and systems: builds it for each target of tests/targets/table.txt,
# runs the tests that hold the bits and the C tests where there is something to run them with, and
# prints a table. With the argument `fast` it does the part that .ci/run has. Any other arguments
# are names of targets. Called by `make test-targets`.
#
# A failure is noted in the variable `failed`, and the next target follows.
set -uo pipefail
cd "$(dirname "$0")/.."
out=$PWD/target/targets
tools=$PWD/target/tools/bin
mkdir -p "$out"

is_fast=
if [ "${1:-}" = fast ]; then
    is_fast=yes
    tests/setup_targets.sh fast || exit 1
else
    tests/setup_targets.sh || exit 1
fi
export CARGO_TARGET_DIR=$out PATH=$tools:$PATH

# Of the tests in Rust, those that compare bits, alone and with threads. The library that they test
# is the release library, as it is shipped.
tests="--test portable"

trim() { sed 's/^ *//; s/ *$//' <<<"$1"; }

# the folder where cargo has put the library and its archive
built() { echo "$out/$target/release"; }

# setting NAME: the environment variable of cargo for a setting of the target
setting() {
    local name=${target//-/_}
    echo "CARGO_TARGET_${name^^}_$1"
}

# runs the tests of Rust; sets `passed` and `bits`
run_rust() {
    [ -z "$runner" ] || export "$(setting RUNNER)=${runner/tests\//$PWD/tests/}"
    # shellcheck disable=SC2086
    cargo test --locked --release --no-fail-fast --target "$target" $tests >"$log.rust" 2>>"$log" ||
        failed="Rust tests"
    passed=$(awk '
        /^test result:/ { ok += $4; all += $4 + $6 }
        END { print ok + 0 "/" all + 0 }' "$log.rust")
    [ "${passed#0/}" = "$passed" ] || failed="Rust tests"
    # the record in tests/data/bits.txt, and that of solutions
    local records='ensemble::the_bits_of_every_torque_and_every_bound_velocity_are_those_on_record'
    records+='|solve::the_bits_are_those_on_record'
    bits=same
    if [ "$(grep -cE "^test ($records) \.\.\. ok$" "$log.rust")" != 2 ]; then
        bits=DIFFER
        failed=bits
    fi
}

# compile_c SOURCE LIBRARY PROGRAM
compile_c() {
    # shellcheck disable=SC2086
    $cc -std=c99 -O2 -ffp-contract=off -Wall -Wextra -pedantic-errors -Werror -Wno-unknown-pragmas \
        -Iinclude "$1" "$2" $with -o "$3"
}

# try_c SOURCE LIBRARY [run]: compiles and links a C test, and runs it if the word is given
try_c() {
    local program
    program=$out/$target/$(basename "$1" .c).exe # as Windows wants it
    if ! compile_c "$1" "$2" "$program"; then
        echo "$1 does not link"
        return 1
    fi
    [ -n "${3:-}" ] || return 0
    # shellcheck disable=SC2086
    if ! $runner "$program" >"$log.c"; then
        echo "$1 fails"
        return 1
    fi
    if ! grep -q '^ok ' "$log.c"; then
        echo "$1 tests nothing"
        return 1
    fi
}

# run_c LIBRARY [run]: does this with each C test; sets `c`
run_c() {
    local good=0 all=0 source
    for source in tests/c/test_*.c; do
        all=$((all + 1))
        try_c "$source" "$@" >>"$log" 2>&1 && good=$((good + 1))
    done
    c=$good/$all
    [ "$good" = "$all" ] || failed="C tests"
}

# cargo_build COMMAND...: builds the library with `cargo build` or its like
cargo_build() {
    if ! "$@" --locked --release -p quatint-capi --target "$target" >>"$log" 2>&1; then
        failed=build
        return 1
    fi
}

check_exports() { python tests/targets/exports.py "$1" >>"$log" 2>&1 || failed=exports; }

do_run() {
    [ -z "$linker" ] || export "$(setting LINKER)=$linker"
    cargo_build cargo build || return
    run_rust
    run_c "$(built)/libquatint.a" run
}

do_link() {
    local shared
    if [ "$linker" = zig ]; then
        cargo_build cargo-zigbuild zigbuild || return
    else
        export "$(setting LINKER)=$PWD/$linker"
        if ! python tests/targets/macos/stubs.py "$out/macos"; then
            failed=stubs
            return
        fi
        cargo_build cargo build || return
    fi
    shared=$(ls "$(built)"/libquatint.so "$(built)"/libquatint.dylib 2>/dev/null)
    check_exports "$shared"
    run_c "$shared"
    run_c "$(built)/libquatint.a"
}

do_lib() {
    if [ "$target" = wasm32-unknown-unknown ]; then
        cargo_build cargo build || return
        check_exports "$(built)/quatint.wasm"
    else
        cargo_build cargo rustc --crate-type staticlib
    fi
}

# in the fast part, for targets that cannot be run here
do_check() { cargo check --locked --lib --target "$target" >>"$log" 2>&1 || failed=check; }

# sets `cpu`: seconds of processor time that the commands so far have taken
read_cpu() {
    times >"$out/times" # not in a pipe, which another shell would measure
    cpu=$(awk 'END { gsub(/[ms]/, " "); print int($1 * 60 + $2 + $3 * 60 + $4) }' "$out/times")
}

# is_asked_for NAME: a target of the fast part has `!` before its name
is_asked_for() {
    local name
    name=$(trim "${1#!}")
    if [ -n "$is_fast" ]; then
        [ "${1#!}" != "$1" ]
    elif [ -n "$asked" ]; then
        [[ " $asked " = *" $name "* ]]
    fi
}

# prints the end of the logs of a target that failed
show_logs() {
    echo "$name: $failed"
    tail -n 40 "$log" "$log.rust" 2>/dev/null
}

row() { printf '%-16s %-8s %-11s %-9s %-7s %5s %7s\n' "$@"; }

asked=$*
table=$out/table.txt
row target built "Rust tests" "C tests" bits s "CPU s" >"$table"
verdict=0
begin=$SECONDS
if [ -n "$is_fast" ]; then
    # All targets that are only checked, in one command: one after the other would leave a processor
    # idle. A failure shows when do_check asks for the target.
    checked=$(awk -F'|' '/^!/ && $3 !~ /run/ { print "--target", $2 }' tests/targets/table.txt)
    # shellcheck disable=SC2086
    cargo check --locked --lib $checked >"$out/checks.log" 2>&1 || true
fi
while IFS="|" read -r name target does linker cc with runner <&3; do
    case $name in '#'*) continue ;; esac
    is_asked_for "$name" || continue
    name=$(trim "${name#!}")
    target=$(trim "$target")
    does=$(trim "$does")
    linker=$(trim "$linker")
    cc=$(trim "$cc")
    with=$(trim "$with")
    with=${with//RUST/$(rustc --print sysroot)/lib/rustlib/$target/lib}
    runner=$(trim "$runner")
    if [ -n "$is_fast" ] && [ "$does" != run ]; then does=check; fi

    log=$out/$name.log
    : >"$log"
    failed=''
    passed=-
    c=-
    bits=-
    start=$SECONDS
    read_cpu
    before=$cpu
    "do_$does"
    state=$does
    if [ -n "$failed" ]; then
        state=FAILED
        verdict=1
        show_logs >&2
    fi
    read_cpu
    row "$name" "$state" "$passed" "$c" "$bits" $((SECONDS - start)) $((cpu - before)) |
        tee -a "$table"
done 3<tests/targets/table.txt
echo
cat "$table"
echo "in $((SECONDS - begin)) s, of which the processors worked $cpu s"
exit $verdict
