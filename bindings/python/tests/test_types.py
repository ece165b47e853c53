"""The stubs, the docstrings, and the type of what a program writes."""

import ast
import builtins
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

def turn(t: float, q: np.ndarray, omega: np.ndarray) -> float:
    return float(omega[0])

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
turn.terminal = True  # type: ignore[attr-defined]
result = quatint.solve_ivp([1, 2, 3], (0, 1), events=[turn], torque=weight)
reveal_type(result.body.solve(2.0).accepted)
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


def public_stubs():
    """The public classes, functions, methods and properties of the stubs."""
    tree = ast.parse((PACKAGE / "_quatint.pyi").read_text())
    for node in tree.body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and node.name in quatint.__all__:
            yield node.name, node
            for member in node.body if isinstance(node, ast.ClassDef) else []:
                if isinstance(member, ast.FunctionDef) and not member.name.startswith("_"):
                    yield f"{node.name}.{member.name}", member


def documented_stubs():
    """Those that have a docstring of their own: no setters, and of overloads the first."""
    seen = set()
    for name, node in public_stubs():
        if name not in seen:
            seen.add(name)
            yield pytest.param(node, id=name)


def sections(text):
    """The parts of a docstring under their titles, each as (what stands at the margin, what stands below it)."""
    lines, found, title = text.split("\n"), {"": []}, ""
    for i, line in enumerate(lines):
        if i + 1 < len(lines) and line and lines[i + 1] == "-" * len(line):
            title = line
            found[title] = []
        elif title and line.startswith("    "):
            found[title][-1][1] += line.strip() + " "
        elif title and line and set(line) != {"-"}:
            found[title].append([line, ""])
    return found


def arguments_of(node):
    if isinstance(node, ast.ClassDef):
        made = [member for member in node.body if isinstance(member, ast.FunctionDef) and member.name == "__new__"]
        return arguments_of(made[0]) if made else []
    given = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
    return [argument.arg for argument in given if argument.arg not in ("self", "cls")]


def test_all_that_is_public_in_the_extension_module_is_in_the_stubs():
    names = {name for name, _ in public_stubs()}
    module = {name for name in quatint.__all__ if hasattr(quatint._quatint, name) and name in quatint._quatint.__all__}
    assert module - {"__version__"} == {name for name in names if "." not in name}
    assert len(names) > 120


@pytest.mark.parametrize("node", list(documented_stubs()))
def test_the_docstring_of_a_stub_names_each_argument_its_shape_and_what_comes_back(node):
    text = ast.get_docstring(node)
    assert text, "no docstring"
    assert text.split("\n\n")[0].rstrip().endswith((".", ":")), text
    found = sections(text)
    assert list(found) == [title for title in ("", "Parameters", "Returns", "Raises") if title in found]
    entries = [entry for title in found if title for entry in found[title]]
    assert all(below.endswith(". ") for _, below in entries), entries
    given = [entry[0].split(" : ") for entry in found.get("Parameters", [])]
    assert [name for name, _ in given] == arguments_of(node)
    is_property = isinstance(node, ast.FunctionDef) and any(
        isinstance(decorator, ast.Name) and decorator.id == "property" for decorator in node.decorator_list
    )
    if isinstance(node, ast.FunctionDef) and not is_property:
        gives = ast.unparse(node.returns) != "None"
        assert ("Returns" in found) == gives
    for head, below in found.get("Parameters", []) + found.get("Returns", []):
        if "array_like" in head.split(" or ")[0] or "ndarray" in head:
            assert "(" in head + below, f"which shape has {head}?"
        if "velocit" in head.split(" : ")[0] and "array" in head:
            assert "rame" in below, f"in which frame is {head}?"
    for error, _ in found.get("Raises", []):
        assert issubclass(getattr(quatint, error, None) or getattr(builtins, error), Exception)
