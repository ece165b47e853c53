"""What several tests use."""

import ctypes
import pathlib
import subprocess
import sys

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).parents[3]


def bits(array):
    """The 64 bits of each number."""
    return np.ascontiguousarray(array, dtype=float).view(np.uint64)


def same_bits(a, b):
    return np.array_equal(bits(a), bits(b))


@pytest.fixture(scope="session")
def c_output(tmp_path_factory):
    """What a program of c_examples prints. The functions of quatint.h that it calls are those of the extension module."""
    folder = tmp_path_factory.mktemp("c_examples")

    def output(name, *arguments):
        shared = folder / f"{name}.so"
        source = ROOT / "c_examples" / f"{name}.c"
        command = [
            "cc",
            "-O2",
            "-ffp-contract=off",
            "-shared",
            "-fPIC",
            "-Dmain=run",
            f"-I{ROOT / 'include'}",
            source,
            "-o",
            shared,
            "-lm",
        ]
        subprocess.run(command, check=True)
        program = """if True:
            import ctypes, sys, quatint._quatint
            ctypes.CDLL(quatint._quatint.__file__, ctypes.RTLD_GLOBAL)
            arguments = [argument.encode() for argument in sys.argv[1:]]
            sys.exit(ctypes.CDLL(arguments[0].decode()).run(len(arguments), (ctypes.c_char_p * len(arguments))(*arguments)))
        """
        done = subprocess.run(
            [sys.executable, "-c", program, shared, *arguments], capture_output=True, text=True, check=True
        )
        return done.stdout

    return output


@pytest.fixture(scope="session")
def c():
    """The functions of quatint.h, to be called by ctypes."""
    import quatint._quatint

    library = ctypes.CDLL(quatint._quatint.__file__)
    library.qi_create_body.restype = ctypes.c_void_p
    library.qi_create_ensemble.restype = ctypes.c_void_p
    return library


@pytest.fixture
def spins():
    """Angular velocities of many bodies, all different."""

    def of(n):
        return np.array([[np.sin(c + 0.1 * i) for c in range(3)] for i in range(n)])

    return of
