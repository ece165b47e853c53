#!/usr/bin/env python3
"""Makes a module with kernels of the text that rustc writes: module.py RAW MODULE.

A stable compiler has no way to say these things in Rust:

- a function `qi_kernel_*` is a kernel: `.visible .func` becomes `.visible .entry` (both have their
  parameters in the same memory), with the bounds of its launches;
- what `kernels/device.rs` only declares: the number of a thread, and roots, are instructions in the
  place of the calls, across which a thread would have to keep its registers;
- an index that is out of bounds, where the compiler has left the check in, ends the thread, whose body
  keeps its state. No argument of the host makes one. A trap would end the context of the process.

The names of other functions and of constants lose what depends on the folder of the build, so that
the text is the same wherever it is made.
"""

import re
import sys

# The host starts 128 threads to a block. With four blocks to a multiprocessor a thread may have 128
# registers, with three 168, with two all 255. Kernels of the common forms have as many blocks as they
# can have without spilling, or nearly so (`make test-ptxas`); the others need all registers. (More
# threads hide more of the time that memory takes: this is reckoned, not measured.)
BOUNDS = ".maxntid 128, 1, 1\n.minnctapersm %d\n"
BLOCKS = {
    "qi_kernel_common_pcdm": 4,
    "qi_kernel_common_pcdm_in_axes": 4,
    "qi_kernel_common_kick_drift": 4,
    "qi_kernel_common_single_kick_drift": 4,
    "qi_kernel_common_splitting": 3,
    "qi_kernel_common_damped_pcdm": 3,
    "qi_kernel_common_brownian": 3,
}
OTHER_BLOCKS = 2


# What takes the place of a call of a function that `kernels/device.rs` only declares.
DEVICE = {
    "thread": """{
	.reg .b32 %block, %threads, %thread;
	mov.u32 %block, %ctaid.x;
	mov.u32 %threads, %ntid.x;
	mov.u32 %thread, %tid.x;
	cvt.u64.u32 RESULT, %thread;
	mad.wide.u32 RESULT, %block, %threads, RESULT;
	}""",
    "sqrt": "sqrt.rn.f64 \tRESULT, GIVEN;",
    "sqrt_single": "sqrt.rn.f32 \tRESULT, GIVEN;",
}


def entry(function):
    """The head of a kernel, in the place of that of a function."""
    name, parameters = function.groups()
    blocks = BLOCKS.get(name, OTHER_BLOCKS)
    return f".visible .entry {name}{parameters}\n{BOUNDS % blocks}{{"


def without(text, pattern, most):
    """The text without a declaration or a function."""
    text, count = re.subn(pattern, "", text, flags=re.S)
    if count > most:
        sys.exit(f"{pattern}: {count} times")
    return text


def in_place_of_calls(text, name, instructions):
    """The text with instructions in the place of each call of a function of `kernels/device.rs`."""
    call = (
        r"\{ // callseq \d+, 0\n(?:\t\.param [^\n]*\n)*(?:\tst\.param\.b\d+ \t\[param0\], (%%\w+);\n)?"
        r"\tcall\.uni \(retval0\), qi_device_%s, \([^\n]*\);\n"
        r"(?:\tld\.param\.b\d+ \t(%%\w+), \[retval0\];\n)?\t\} // callseq \d+" % name
    )

    def instructions_of(found):
        given, result = found.groups()
        if result is None:
            return ""  # the compiler does not know that the call does nothing else
        return instructions.replace("RESULT", result).replace("GIVEN", given or "")

    text = re.sub(call, instructions_of, text)
    if f"qi_device_{name}," in text:
        sys.exit(f"a call of qi_device_{name} is left")
    return text


def renamed(text, pattern, prefix):
    """The text with names that tell nothing, in the order in which they appear."""
    names = {}
    return re.sub(
        pattern, lambda name: names.setdefault(name.group(), f"{prefix}{len(names)}"), text
    )


def module(text):
    for name, instructions in DEVICE.items():
        declaration = r"\.extern \.func\s+\(\.param \.b\d+ func_retval0\) qi_device_%s\n\([^)]*\)\n;\n"
        text = without(text, declaration % name, 1)
        text = in_place_of_calls(text, name, instructions)
    # the panic handler, which nothing calls
    text = without(text, r"\.visible \.func _R\w*rust_begin_unwind\(.*?\n\}\n", 1)
    out_of_bounds = r"\.extern \.func (_R\w*panic_bounds_check)\n(\([^)]*\))\n;\n"
    text = re.sub(out_of_bounds, r".func \1\2\n{\n\texit;\n}\n", text)
    text = re.sub(r"\.visible \.func (qi_kernel_\w+)(\([^)]*\))\n\{", entry, text)
    unknown = [name for name in BLOCKS if f".entry {name}(" not in text]
    if unknown:
        sys.exit(f"no kernel is called {unknown}")
    text = text.replace("trap; exit;", "exit;")
    for word in (".extern", ".visible .func", ".weak", "trap"):
        if word in text:
            sys.exit(f"{word} in the text")
    # the places in the source that the checks of indices would name
    place = r"\.global \.align 8 \.u64 (\S+)\[3\] = \{generic\((\S+)\), \d+, \d+\};"
    text = re.sub(place, r".global .align 8 .u64 \1[3];", text)
    text = re.sub(r"\.global \.align 1 \.b8 anon_\S+ = [^;]*;\n", "", text)
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
