#!/bin/sh
# What NVIDIA's assembler makes of the kernels, for each architecture: the registers of a thread, its
# stack, and the bytes that it spills there. Fails if it refuses the text, if a number is above its
# ceiling, or if leave to contract products and sums changes a bit of the machine code: each operation
# says how it rounds, so there is nothing to contract. `make test-ptxas` installs the assembler first.
#
# usage: ptxas.sh [ARCHITECTURE ...]     default: all that are named below
set -eu
cd "$(dirname "$0")"
tools=../../target/ptxas
out=$tools/out
mkdir -p "$out"

# assemble ASSEMBLER ARCHITECTURE CONTRACTION TEXT CODE
assemble() { "$1" --verbose --gpu-name "$2" --fmad "$3" "$4" --output-file "$5" 2>&1; }

# a line for each kernel
table() {
    awk '
        /Compiling entry/ { match($0, /qi_kernel_[a-z_0-9]*/); kernel = substr($0, RSTART, RLENGTH) }
        /Function properties for/ { function_name = $NF }
        /stack frame/ && function_name == kernel { stack = $1; stores = $5; loads = $9 }
        /Used [0-9]+ registers/ {
            match($0, /Used [0-9]+/)
            registers = substr($0, RSTART + 5, RLENGTH - 5)
            printf "%-31s %4d registers %5d B stack %5d B spilled %5d B read back\n", kernel,
                registers, stack, stores, loads
        }'
}

# fails if a line of the table is above its line in `ceilings.txt`, or has none
compare_with_ceilings() {
    awk '
        FNR == NR && !/^#/ { registers[$1] = $2; stack[$1] = $3; spilled[$1] = $4 }
        FNR != NR && !($1 in registers && $2 <= registers[$1] && $4 <= stack[$1] && $7 <= spilled[$1]) {
            print "above its ceiling: " $0
            is_above = 1
        }
        END { exit is_above }' ceilings.txt -
}

check() {
    assembler=$1
    architecture=$2
    echo "$architecture ($("$assembler" --version | sed -n 's/.*release \([0-9.]*\).*/\1/p')):"
    assemble "$assembler" "$architecture" true quatint.ptx "$out/on.cubin" | table >"$out/table"
    cat "$out/table"
    compare_with_ceilings <"$out/table"
    assemble "$assembler" "$architecture" false quatint.ptx "$out/off.cubin" >"$out/log"
    ./code.py "$out/on.cubin" >"$out/on"
    ./code.py "$out/off.cubin" >"$out/off"
    cmp "$out/on" "$out/off"
}

for architecture in ${*:-sm_70 sm_80 sm_90 sm_100 sm_120}; do
    case $architecture in
    sm_70 | sm_80) check "$tools"/12.*/nvidia/*/bin/ptxas "$architecture" ;;
    *) check "$tools"/13.*/nvidia/*/bin/ptxas "$architecture" ;;
    esac
done

# the comparison notices a text that leaves the rounding open
sed 's/\(add\|mul\)\.rn\.f64/\1.f64/' quatint.ptx >"$out/open.ptx"
for contraction in true false; do
    assemble "$tools"/12.*/nvidia/*/bin/ptxas sm_80 $contraction "$out/open.ptx" \
        "$out/open.cubin" >"$out/log"
    ./code.py "$out/open.cubin" >"$out/open_$contraction"
done
! cmp -s "$out/open_true" "$out/open_false"
echo "contraction on and off give the same code"
