#!/usr/bin/env python3
"""Makes a module with kernels of the text that rustc writes: module.py RAW MODULE.

A stable compiler has no way to say these things in Rust:

- a function `qi_kernel_*` is a kernel: `.visible .func` becomes `.visible .entry` (both have their
  parameters in the same memory), with the bounds of its launches;
- what `kernels/device.rs` only declares: the number of a thread, and roots;
- an index that is out of bounds, where the compiler has left the check in, ends the thread, whose body
  keeps its state. No argument of the host makes one. A trap would end the context of the process.

The names of other functions and of constants lose what depends on the folder of the build, so that
the text is the same wherever it is made.
"""

import re
import sys

# The host starts 128 threads to a block. With two blocks to a multiprocessor a thread may have all
# 255 registers: steps of PCDM then spill none, and eight warps have enough loads under way to keep
# the memory busy. (This is reckoned, not measured. With four blocks, PCDM spills 0.5 kB.)
BOUNDS = ".maxntid 128, 1, 1\n.minnctapersm 2\n"

DEVICE = """
.func (.param .b64 func_retval0) qi_device_thread()
{
	.reg .b32 %block, %threads, %thread;
	.reg .b64 %number;
	mov.u32 %block, %ctaid.x;
	mov.u32 %threads, %ntid.x;
	mov.u32 %thread, %tid.x;
	cvt.u64.u32 %number, %thread;
	mad.wide.u32 %number, %block, %threads, %number;
	st.param.b64 [func_retval0], %number;
	ret;
}
.func (.param .b64 func_retval0) qi_device_sqrt(.param .b64 qi_device_sqrt_param_0)
{
	.reg .f64 %x;
	ld.param.f64 %x, [qi_device_sqrt_param_0];
	sqrt.rn.f64 %x, %x;
	st.param.f64 [func_retval0], %x;
	ret;
}
.func (.param .b32 func_retval0) qi_device_sqrt_single(.param .b32 qi_device_sqrt_single_param_0)
{
	.reg .f32 %x;
	ld.param.f32 %x, [qi_device_sqrt_single_param_0];
	sqrt.rn.f32 %x, %x;
	st.param.f32 [func_retval0], %x;
	ret;
}
"""


def without(text, pattern, most):
    """The text without a declaration or a function."""
    text, count = re.subn(pattern, "", text, flags=re.S)
    if count > most:
        sys.exit(f"{pattern}: {count} times")
    return text


def renamed(text, pattern, prefix):
    """The text with names that tell nothing, in the order in which they appear."""
    names = {}
    return re.sub(
        pattern, lambda name: names.setdefault(name.group(), f"{prefix}{len(names)}"), text
    )


def module(text):
    for name in ("thread", "sqrt", "sqrt_single"):
        declaration = r"\.extern \.func\s+\(\.param \.b\d+ func_retval0\) qi_device_%s\n\([^)]*\)\n;\n"
        text = without(text, declaration % name, 1)
    # the panic handler, which nothing calls
    text = without(text, r"\.visible \.func _R\w*rust_begin_unwind\(.*?\n\}\n", 1)
    out_of_bounds = r"\.extern \.func (_R\w*panic_bounds_check)\n(\([^)]*\))\n;\n"
    text = re.sub(out_of_bounds, r".func \1\2\n{\n\texit;\n}\n", text)
    text = re.sub(
        r"\.visible \.func (qi_kernel_\w+)(\([^)]*\))\n\{", rf".visible .entry \1\2\n{BOUNDS}{{", text
    )
    text = text.replace("trap; exit;", "exit;")
    for word in (".extern", ".visible .func", ".weak", "trap"):
        if word in text:
            sys.exit(f"{word} in the text")
    # the places in the source that the checks of indices would name
    place = r"\.global \.align 8 \.u64 (\S+)\[3\] = \{generic\((\S+)\), \d+, \d+\};"
    text = re.sub(place, r".global .align 8 .u64 \1[3];", text)
    text = re.sub(r"\.global \.align 1 \.b8 anon_\S+ = [^;]*;\n", "", text)
    text = text.replace(".address_size 64\n", ".address_size 64\n" + DEVICE, 1)
    text = re.sub(r"[ \t]*//[^\n]*", "", text)
    text = renamed(text, r"\b_(?:ZN|R)[\w$]+", "qi_function_")
    text = renamed(text, r"\banon_\$_\w+?_\$_\d+|\bswitch_\$_table_\$_\w+", "qi_constant_")
    return re.sub(r"\n{2,}", "\n", text).lstrip()


def main():
    raw, to = sys.argv[1:]
    with open(raw, encoding="utf-8") as file:
        text = module(file.read())
    with open(to, "w", encoding="utf-8") as file:
        file.write(text)


main()
