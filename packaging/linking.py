"""For the tests of packages: runs commands, links the heavy top with a package and compares what
it prints."""

import sys
from pathlib import Path

import limits

ROOT = Path(__file__).resolve().parent.parent
EXPECTED = (ROOT / "tests" / "heavy_top.txt").read_text()


def check_program_with(flags, cwd, env):
    """The heavy top, compiled with these flags in a folder, prints its numbers. The shell expands
    the flags."""
    line = f"cc {ROOT}/c_examples/heavy_top.c {flags} -o program && ./program"
    printed = output("sh", "-ec", line, cwd=cwd, env=env)
    assert printed == EXPECTED, f"{line}\n{printed}"


def output(*command, cwd=None, env=None):
    """What a command prints. A failure of it ends the test."""
    words = [str(part) for part in command]
    result = limits.run(words, limits.BUILD, cwd=cwd, env=env)
    if result.returncode != 0:
        printed = result.stdout[-8000:] + result.stderr[-8000:]
        sys.exit(f"{' '.join(words)}\nfailed with {result.returncode}\n{printed}")
    return result.stdout
