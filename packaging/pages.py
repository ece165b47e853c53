"""The programs of the pages in docs/ and of examples/, compiled by the lines of targets.toml with an
unpacked archive, or run by a Python with a wheel, on another processor or system: each prints what
its page or its last comment says. tests/house/docs.rs and its neighbours do this on the machine
itself."""

import re

from linking import ROOT

# of each language: the least number of programs on docs/LANGUAGE.md and in examples/LANGUAGE
PROGRAMS = {"c": 20, "cpp": 17, "fortran": 19, "python": 24}
SUFFIXES = {"c": "c", "cpp": "cpp", "fortran": "f90", "python": "py"}
# the sign of a comment; in C the output stands between the ends of one
SIGNS = {"cpp": "//", "fortran": "!", "python": "#"}


def programs(language):
    """Code and output of each complete program, as tests/common/docs.rs finds them."""
    page = ROOT / f"docs/{language}.md"
    blocks = page.read_text().split("\n```")[1::2]
    found = []
    for block in blocks:
        kind, _, code = block.partition("\n")
        if kind == language and "fragment:" not in code.split("\n")[0]:
            found.append([code + "\n", None])
        elif kind == "text" and found and found[-1][1] is None:
            found[-1][1] = code + "\n"
    found += examples(language)
    assert len(found) >= PROGRAMS[language], f"only {len(found)} programs of {language}"
    return found


def examples(language):
    """Code and output of each program in examples/LANGUAGE that says at its end what it prints."""
    found = []
    for path in sorted((ROOT / "examples" / language).glob(f"*.{SUFFIXES[language]}")):
        code = path.read_text()
        _, says, comment = code.rpartition("It prints:\n")
        if says and language == "c":
            found.append([code, comment.removesuffix("*/\n")])
        elif says:
            lines = [line.removeprefix(SIGNS[language]) for line in comment.splitlines()]
            found.append([code, "".join(line.removeprefix(" ") + "\n" for line in lines)])
    return found


def compare(language, folder, run, without=()):
    """`run(source)` compiles and runs a program, and returns its output, its errors and its status.
    Programs that contain one of the texts in `without` are left out. Says how many were run, of how
    many."""
    everything = programs(language)
    chosen = [program for program in everything if not any(text in program[0] for text in without)]
    for number, (code, expected) in enumerate(chosen):
        source = folder / f"program.{SUFFIXES[language]}"
        source.write_text(code)
        result = run(source)
        printed = result.stdout.replace("\r\n", "\n")
        errors = result.stderr.replace("\r\n", "\n")
        # A program in Fortran that shows an error ends with `error stop`. Runtimes add different
        # text to its line.
        stops = re.findall(r"^ERROR STOP.*\n", errors, re.M) if language == "fortran" else []
        printed += "".join(stops)
        has_failed = result.returncode != 0
        assert has_failed == bool(stops), f"{result.returncode}\n{code}\n{printed}{errors}"
        assert printed == expected, (
            f"{language}, program {number}, on another system:\n{code}\n{printed}"
        )
    return f"{len(chosen)} of {len(everything)} programs of {language}"
