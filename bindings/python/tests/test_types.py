"""The stubs, the docstrings, and the type of what a program writes."""

import inspect
import os
import pathlib
import subprocess
import sys

import pytest
import quatint

PACKAGE = pathlib.Path(quatint.__file__).parent

PROGRAM = """
import numpy as np
import quatint
from scipy.spatial.transform import Rotation  # type: ignore[import-untyped]

def weight(t: float, q: np.ndarray, omega: np.ndarray) -> tuple[float, float, float]:
    return 0.0, 0.0, 1.0

body = quatint.Body([1, 2, 3], Rotation.identity(), torque=weight)
body.orientation = (1, 0, 0, 0)
body.drag = [1, 1, 1]
body.rotor_torque = (0, 0, 1)
body.rotor_torque = None
body.torque = quatint.UniformField([0, 0, 1], [0, 0, -1]) + quatint.LinearDrag([1, 1, 1])
reveal_type(body.solve(1.0).evaluations)
reveal_type(body.solve(np.linspace(0, 1, 5)))
reveal_type(body.solve_dense(2.0, events=[quatint.Event(lambda t, q, omega: omega[0], "rising", True)])(1.5).q)
reveal_type(body.orientation)
e = quatint.Ensemble(3, torque=quatint.compiled(12345))
e.active = [0, 2]
for t, q, omega in e.stages(0.1):
    reveal_type(t)
"""


def mypy(*arguments, folder):
    environment = dict(os.environ, MYPYPATH=str(PACKAGE.parent), PYTHONPATH=str(PACKAGE.parent))
    command = [sys.executable, "-m", *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def test_the_stubs_are_those_of_the_module(tmp_path):
    code, said = mypy("mypy.stubtest", "quatint", folder=tmp_path)
    assert (code, "Success" in said) == (0, True), said


def test_the_package_has_types_and_mypy_understands_a_program(tmp_path):
    assert (PACKAGE / "py.typed").exists()
    code, said = mypy("mypy", "--strict", "-p", "quatint", folder=tmp_path)
    assert (code, "Success" in said) == (0, True), said
    (tmp_path / "program.py").write_text(PROGRAM)
    code, said = mypy("mypy", "program.py", folder=tmp_path)
    assert code == 0, said
    for revealed in ('"int"', "tuple[numpy.ndarray", '"numpy.ndarray', '"float"'):
        assert revealed in said, said


def test_mypy_refuses_what_the_module_refuses(tmp_path):
    for line in (
        'quatint.Body([1, 2, 3], method="euler")',
        "quatint.Body()",
        "quatint.Ensemble(3).step()",
        'quatint.Ensemble(3).bind_angular_velocities(None, "speed")',
        "quatint.Body([1, 2, 3]).kinetic_energy = 3",
    ):
        (tmp_path / "program.py").write_text(f"import quatint\n{line}\n")
        assert mypy("mypy", "program.py", folder=tmp_path)[0] == 1, line


def members():
    for name in quatint.__all__:
        thing = getattr(quatint, name)
        if name.isupper() or name == "__version__":
            continue
        yield name, thing
        if inspect.isclass(thing) and thing.__module__.startswith("quatint") and not issubclass(thing, BaseException):
            for attribute, member in vars(thing).items():
                if not attribute.startswith("_") and (callable(member) or inspect.isdatadescriptor(member)):
                    yield f"{name}.{attribute}", member


@pytest.mark.parametrize(("name", "thing"), list(members()))
def test_everything_public_has_a_docstring(name, thing):
    fields = {"status", "body", "step", "QI", "real", "imag", "numerator", "denominator"}
    if name.split(".")[-1] in fields or name.startswith(("Status.", "Statistics.", "Compiled.")):
        return
    assert thing.__doc__ and len(thing.__doc__) > 20, name


def test_docstrings_say_what_signatures_say():
    assert "torque=None" in str(inspect.signature(quatint.Body))
    assert "(dt, steps, every=1)" in quatint.Body.record.__text_signature__.replace("$self, ", "")
