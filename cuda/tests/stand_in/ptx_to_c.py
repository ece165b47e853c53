#!/usr/bin/env python3
"""Translates a module of PTX to C, one statement for each instruction: ptx_to_c.py MODULE C_FILE.

So the text of the kernels runs where there is no GPU, with the bits that it would have there: each
instruction that it knows is exact or correctly rounded, in C as in PTX. It knows those that the
compiler writes for these kernels, and stops at any other. The C has to be compiled without
contraction (-ffp-contract=off).

A register is an unsigned integer that holds the bits; a kernel becomes a function of the address of
its arguments, and is listed in the table `ptx_kernels`.
"""

import re
import sys

PRELUDE = """
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
typedef uint64_t u64; typedef int64_t s64; typedef uint32_t u32; typedef int32_t s32;
typedef uint16_t u16; typedef uint8_t u8;
static __thread u32 ptx_tid, ptx_ctaid, ptx_ntid;
static inline double f64(u64 x) { double y; memcpy(&y, &x, 8); return y; }
static inline u64 b64(double x) { u64 y; memcpy(&y, &x, 8); return y; }
static inline float f32(u32 x) { float y; memcpy(&y, &x, 4); return y; }
static inline u32 b32(float x) { u32 y; memcpy(&y, &x, 4); return y; }
static inline u64 ld8(u64 a) { u64 x; memcpy(&x, (void *)a, 8); return x; }
static inline u32 ld4(u64 a) { u32 x; memcpy(&x, (void *)a, 4); return x; }
static inline u8 ld1(u64 a) { return *(u8 *)a; }
static inline void st8(u64 a, u64 x) { memcpy((void *)a, &x, 8); }
static inline void st4(u64 a, u32 x) { memcpy((void *)a, &x, 4); }
static inline void st1(u64 a, u8 x) { *(u8 *)a = x; }
static inline u64 atom_min(u64 a, u64 x) { u64 old = ld8(a); if (x < old) st8(a, x); return old; }
static inline u64 atom_add(u64 a, u64 x) { u64 old = ld8(a); st8(a, old + x); return old; }
static inline u64 to_u64(double x) {
    if (isnan(x)) return 1ull << 63;
    return x <= 0 ? 0 : x >= 0x1p64 ? UINT64_MAX : (u64)x;
}
static inline u64 to_s64(double x) {
    if (isnan(x)) return 1ull << 63;
    return x < -0x1p63 ? 1ull << 63 : x >= 0x1p63 ? (u64)INT64_MAX : (u64)(s64)x;
}
"""

INTEGERS = {"b64": "u64", "u64": "u64", "s64": "s64", "b32": "u32", "u32": "u32", "s32": "s32",
            "b16": "u16", "u16": "u16", "s16": "int16_t"}
REGISTERS = {"pred": "int", "b64": "u64", "f64": "u64", "b32": "u32", "f32": "u32", "b16": "u16"}
COMPARED = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "and": "&", "or": "|", "xor": "^"}
SPECIAL = {"%tid.x": "ptx_tid", "%ctaid.x": "ptx_ctaid", "%ntid.x": "ptx_ntid"}


def name(word):
    """A name of PTX as a name of C."""
    return word.replace("$", "_").replace("%", "r_")


def operand(word):
    if word in SPECIAL:
        return SPECIAL[word]
    if word.startswith("%"):
        return name(word)
    if word.startswith("0d"):
        return f"0x{word[2:]}ull"
    if word.startswith("0f"):
        return f"0x{word[2:]}u"
    if re.fullmatch(r"-?\d+", word):
        return f"((u64){int(word) % 2**64}ull)"
    return f"(u64){name(word)}"


def address(word):
    """`[%rd1+8]` or `[name+8]`."""
    base, offset = re.fullmatch(r"\[([^+\]]+)(?:\+(-?\d+))?\]", word).groups()
    return f"{operand(base)} + ({offset or 0})"


def of_floats(kind, form, *values):
    """A form over floating-point numbers, as bits."""
    return f"b{kind}({form.format(*(f'f{kind}({value})' for value in values))})"


def compared(how, kind, a, b):
    if kind in INTEGERS:
        return f"({INTEGERS[kind]}){a} {COMPARED[how]} ({INTEGERS[kind]}){b}"
    a, b = f"{kind}({a})", f"{kind}({b})"
    unordered = f"(isnan({a}) || isnan({b}))"
    if how in ("nan", "num"):
        return unordered if how == "nan" else f"!{unordered}"
    if how.endswith("u"):
        return f"({unordered} || {a} {COMPARED[how[:-1]]} {b})"
    return f"(!{unordered} && {a} {COMPARED[how]} {b})"


def value(op, a):
    """The value of an instruction with the operands `a`; `None`: it is not known."""
    parts = op.split(".")
    what, kind = parts[0], parts[-1]
    if what in ("mov", "cvta"):
        return a[0]
    if re.fullmatch(r"(add|sub|mul|div)\.rn\.f(64|32)", op):
        return of_floats(kind[1:], "{0} %s {1}" % SIGNS[what], *a)
    if re.fullmatch(r"rcp\.rn\.f(64|32)", op):
        return of_floats(kind[1:], "1.0 / {0}" if kind == "f64" else "1.0f / {0}", *a)
    if re.fullmatch(r"sqrt\.rn\.f(64|32)", op):
        return of_floats(kind[1:], "sqrt({0})" if kind == "f64" else "sqrtf({0})", *a)
    if re.fullmatch(r"(min|max)\.f64", op):
        return of_floats("64", "f%s({0}, {1})" % what, *a)
    if what in ("and", "or", "xor") or re.fullmatch(r"(add|sub)\.[su](64|32)", op):
        return f"{a[0]} {SIGNS[what]} {a[1]}"
    if what == "setp":
        return compared(parts[1], kind, a[0], a[1])
    if what in ("shl", "shr"):
        return f"({INTEGERS[kind]}){a[0]} {'<<' if what == 'shl' else '>>'} {a[1]}"
    if re.fullmatch(r"(min|max)\.(s64|u32)", op):
        kind = op.split(".")[1]
        return f"({kind}){a[0]} {'<' if what == 'min' else '>'} ({kind}){a[1]} ? {a[0]} : {a[1]}"
    forms = {
        "neg.f64": "{0} ^ (1ull << 63)",
        "abs.f64": "{0} & ~(1ull << 63)",
        "not.pred": "!{0}",
        "selp": "{2} ? {0} : {1}",
        "mul.lo": "(u64){0} * (u64){1}",
        "mul.wide.u32": "(u64)(u32){0} * (u64)(u32){1}",
        "mad.wide.u32": "(u64)(u32){0} * (u64)(u32){1} + {2}",
        "mad.lo.s64": "{0} * {1} + {2}",
        "shf.l.wrap.b32": "(u32)((((u64){1} << 32 | (u32){0}) << ({2} & 31)) >> 32)",
        "cvt.f64.f32": "b64((double)f32({0}))",
        "cvt.rn.f32.f64": "b32((float)f64({0}))",
        "cvt.rn.f64.u32": "b64((double)(u32){0})",
        "cvt.rn.f64.u64": "b64((double)(u64){0})",
        "cvt.rn.f32.u32": "b32((float)(u32){0})",
        "cvt.rn.f32.s32": "b32((float)(s32){0})",
        "cvt.rn.f64.s64": "b64((double)(s64){0})",
        "cvt.rzi.u64.f64": "to_u64(f64({0}))",
        "cvt.rzi.s64.f64": "to_s64(f64({0}))",
        "atom.min.u64": "atom_min({0}, {1})",
        "atom.add.u64": "atom_add({0}, {1})",
    }
    for known, form in forms.items():
        if op == known or op.startswith(known + ".") and known in ("selp", "mul.lo"):
            return form.format(*a)
    if re.fullmatch(r"cvt\.u(64|32|16)\.u(64|32|16)", op):
        return f"({parts[1]})({parts[2]}){a[0]}"
    return None


class Function:
    """The translation of the body of a function."""

    def __init__(self, body):
        self.lines = []
        self.targets = {}
        # targets of an indexed branch stand on several lines
        tables = r"(\$L_brx_\d+): \.branchtargets\s+([^;]*);"
        for label, targets in re.findall(tables, body):
            self.targets[label] = re.split(r",\s*", targets.strip())
        for line in re.split(r"[;\n]", re.sub(tables, "", body)):
            if line.strip():
                self.statement(line.strip())

    def statement(self, line):
        if line in "{}":
            return self.lines.append(line)
        if line.endswith(":"):
            return self.lines.append(name(line) + " ;")
        if line.startswith("."):
            return self.declaration(line)
        guard, line = re.fullmatch(r"(?:@(!?%p\d+)\s+)?(.*)", line).groups()
        condition = f"if ({name(guard)}) " if guard else ""
        return self.lines.append(condition + self.instruction(line) + ";")

    def declaration(self, line):
        if line.startswith(".pragma"):
            return
        memory = re.fullmatch(r"\.local \.align \d+ \.b8\s+(\S+)\[(\d+)\]", line)
        if memory:
            self.lines.append(f"u64 {name(memory[1])}[{int(memory[2]) // 8 + 1}];")
            return
        parameter = re.fullmatch(r"\.param (?:\.align \d+ )?\.b\d+\s+(\w+)(?:\[(\d+)\])?", line)
        if parameter:
            self.lines.append(f"u64 {parameter[1]}[{int(parameter[2] or 8) // 8}];")
            return
        kind, registers = re.fullmatch(r"\.reg \.(\w+)\s+(.*)", line).groups()
        for register in re.split(r",\s*", registers):
            many = re.fullmatch(r"(%\w+)<(\d+)>", register)
            names = [f"{many[1]}{k}" for k in range(1, int(many[2]))] if many else [register]
            for each in names:
                self.lines.append(f"{REGISTERS[kind]} {name(each)} = 0;")

    def of_two(self, op, words):
        """A load or a store of two numbers that stand side by side, as two."""
        place, pair = sorted(words, key=lambda word: word.startswith("{"))
        parts = []
        for k, register in enumerate(re.split(r",\s*", pair.strip("{}"))):
            base, offset = re.fullmatch(r"\[([^+\]]+)(?:\+(-?\d+))?\]", place).groups()
            one = f"[{base}+{int(offset or 0) + 8 * k}]"
            both = (one, register) if op.startswith("st.") else (register, one)
            parts.append(self.instruction(f"{op} \t{both[0]}, {both[1]}"))
        return "{ " + "; ".join(parts) + "; }"

    def instruction(self, line):
        op, _, rest = line.partition(" ") if " " in line.split("\t")[0] else line.partition("\t")
        words = re.findall(r"\[[^\]]*\]|\{[^}]*\}|[^,\s][^,]*", rest.strip())
        if op in ("trap", "exit"):
            return "abort()"
        if op == "ret":
            return "return"
        if op in ("bra", "bra.uni"):
            return f"goto {name(words[0])}"
        if op == "brx.idx":
            cases = enumerate(self.targets[words[1]])
            jumps = " ".join(f"case {k}: goto {name(label)};" for k, label in cases)
            return f"switch ({operand(words[0])}) {{ {jumps} }}"
        if op == "call.uni":
            result, callee, given = re.fullmatch(
                r"(?:\((\w+)\),\s*)?(\w+),\s*\(([^)]*)\)", rest.strip()
            ).groups()
            given = ", ".join(x for x in [result, given] if x)
            return f"{callee}({given})"
        size = {"64": 8, "32": 4, "b8": 1}.get(op[-2:])
        if ".v2." in op:
            return self.of_two(op.replace(".v2", ""), words)
        if op.startswith("st."):
            return f"st{size}({address(words[0])}, {operand(words[1])})"
        if op.startswith("ld."):
            return f"{name(words[0])} = ld{size}({address(words[1])})"
        values = [address(x) if x.startswith("[") else operand(x) for x in words[1:]]
        result = value(op, values)
        if result is None:
            sys.exit(f"unknown instruction: {line}")
        return f"{name(words[0])} = {result}"


def constants(text):
    """Constants of the module; addresses in them are written before the first kernel runs."""
    lines, addresses = [], []
    pattern = r"\.global \.align \d+ \.(b8|u64) (\w+)\[(\d+)\](?: = \{([^}]*)\})?;"
    for kind, label, count, numbers in re.findall(pattern, text):
        numbers = re.split(r",\s*", numbers) if numbers else []
        for k, number in enumerate(numbers):
            pointer = re.fullmatch(r"generic\((\w+)\)", number)
            if pointer:
                addresses.append(f"{label}[{k}] = (u64){pointer[1]};")
                numbers[k] = "0"
        of = "u8" if kind == "b8" else "u64"
        lines.append(
            f"static {of} {label}[{count}] __attribute__((aligned(8))) = {{{','.join(numbers)}}};"
        )
    addresses = "\n".join(addresses)
    return "\n".join(lines) + f"\nstatic void ptx_write_addresses(void) {{\n{addresses}\n}}\n"


FUNCTION = re.compile(
    r"^(?:\.visible )?\.(func|entry)\s*(?:\(\.param \.b\d+ (\w+)\) )?(\w+)\s*\(([^)]*)\)\s*"
    r"(?:\.(?:maxntid|minnctapersm)[^\n]*\s+)*\{(.*?)^\}", re.S | re.M)


def fingerprint(text):
    """FNV-1a, so that a stand-in for the driver knows the modules that it is given."""
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


def modules(text):
    """The text of the module of each kernel: what all share, and the kernel."""
    shared, *kernels = text.split(".visible .entry ")
    return {kernel.split("(")[0]: shared + ".visible .entry " + kernel for kernel in kernels}


def translated(text):
    hashes = {kernel: fingerprint(module) for kernel, module in modules(text).items()}
    # the upper half of 64 bits
    text = re.sub(
        r"\{ \.reg \.b32 tmp; mov\.b64 \{tmp, (%\w+)\}, (%\w+); \}",
        r"shr.u64 \1, \2, 32;", text)
    prototypes, bodies, kernels = [], [], []
    for kind, result, function, given, body in FUNCTION.findall(text):
        parameters = [result] if result else []
        parameters += re.findall(r"\.param (?:\.align \d+ )?\.b\d+ (\w+)", given)
        arguments = ", ".join(f"void *{each}" for each in parameters) or "void"
        head = f"static void {function}({arguments})"
        prototypes.append(head + ";")
        bodies.append(head + " {\n" + "\n".join(Function(body).lines) + "\n}")
        if kind == "entry":
            size = re.search(r"\[(\d+)\]", given)[1]
            kernels.append(f'{{"{function}", {function}, {size}, {hashes[function]}ull}},')
    table = "const struct { const char *name; void (*run)(void *); size_t size; u64 hash; } "
    table += "ptx_kernels[] = {\n" + "\n".join(kernels) + "\n{NULL, NULL, 0, 0}};\n"
    return "\n".join([PRELUDE, constants(text), *prototypes, *bodies, table])


def main():
    module, to = sys.argv[1:]
    with open(module, encoding="utf-8") as file:
        text = file.read()
    with open(to, "w", encoding="utf-8") as file:
        file.write(translated(text))


main()
