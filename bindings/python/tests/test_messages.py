"""Every argument of every function, and every property, with values that it cannot have: what is raised names it.

The arguments are listed from the annotations, so that a new one without a valid value here fails."""

import ast
import pathlib

import numpy as np
import pytest
import quatint

FOLDER = pathlib.Path(quatint.__file__).parent
N = 3
Q = np.tile([1.0, 0, 0, 0], (N, 1))
OMEGA = np.ones((N, 3))
CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=float)[[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]]

#: What hardly any argument may be.
WRONG = [
    object(), None, "nonsense", "", b"", 1j, np.nan, np.inf, -1, -1.5, 2**70, True, {}, [1, 2], [[1, 2], [3]], ["a", "b", "c"],
    [None] * 3, [np.nan] * 3, [np.nan] * 4, np.ones((7, 7)), np.zeros((N, 4)), np.full((N, 3), np.nan), lambda: None, quatint.Mass(),
]  # fmt: skip


def body():
    b = quatint.Body([1, 2, 3], angular_velocity=[1, 2, 3], torque=lambda t, q, omega: 0 * omega)
    b.solve_most_evaluations = 2000
    return b


def random_body():
    b = quatint.Body([1, 2, 3], method="splitting")
    b.langevin = quatint.Langevin([1, 1, 1], kt=1.0, seed=3)
    return b


def ensemble():
    return quatint.Ensemble(N, angular_velocities=[1, 2, 3])


def random_ensemble():
    e = quatint.Ensemble(N, method="splitting")
    e.langevin = quatint.Langevin([1, 1, 1], kt=1.0, seed=3)
    return e


def with_points():
    e = ensemble()
    e.set_points([0, 1, 2], OMEGA)
    return e


def in_shear():
    e = ensemble()
    e.torque = quatint.ShearFlow([1, 1, 1], 0.1, np.zeros((3, 3)))
    return e


def stages():
    running = ensemble().stages(0.01, 1)
    next(running)
    return running


OBJECTS = {
    "Body": body,
    "Ensemble": ensemble,
    "Stages": stages,
    "Mass": quatint.Mass,
    "ExactSum": lambda: quatint.ExactSum([1.0]),
    "Solution": lambda: body().solve_dense(1.0),
    "Body.thermalize": random_body,
    "Ensemble.thermalize": random_ensemble,
    "Ensemble.point_positions": with_points,
    "Ensemble.point_velocities": with_points,
    "Ensemble.sum_point_forces": with_points,
    "Ensemble.bind_flow_gradients": in_shear,
}

#: A value that each argument may have: that of "Class.function.argument", else of the argument, else the default.
VALID = {
    "inertia": [1.0, 2, 3],
    "orientation": [1.0, 0, 0, 0],
    "orientations": Q,
    "angular_velocity": [1.0, 2, 3],
    "angular_velocity_body": [1.0, 2, 3],
    "angular_velocities": OMEGA,
    "angular_momentum": [1.0, 2, 3],
    "angular_momenta": OMEGA,
    "torque": [1.0, 2, 3],
    "function": lambda t: [1.0, 2, 3],
    "axes": "x",
    "duration": 0.1,
    "dt": 0.01,
    "steps": 2,
    "kick": 0.1,
    "drift": 0.1,
    "times": 0.1,
    "end_time": 0.1,
    "event": lambda t, q, omega: t - 0.05,
    "rows": None,
    "count": N,
    "factor": 2.0,
    "array": Q.copy(),
    "ahead": 0.005,
    "gradients": np.zeros((N, 3, 3)),
    "bodies": [0, 1, 2],
    "arms": OMEGA,
    "centres": OMEGA,
    "centre_velocities": OMEGA,
    "forces": OMEGA,
    "values": [1.0, 2],
    "limbs": [0] * 68,
    "mass": 2.0,
    "density": 2.0,
    "radius": 1.0,
    "length": 1.0,
    "height": 1.0,
    "position": [1.0, 2, 3],
    "semi_axes": [1.0, 2, 3],
    "edges": [1.0, 2, 3],
    "corners": CORNERS,
    "point": [1.0, 2, 3],
    "vector": [1.0, 2, 3],
    "axis": [1.0, 2, 3],
    "angle": 0.3,
    "exponent": 0.5,
    "matrix": np.eye(3),
    "sequence": "ZXZ",
    "angles": [0.1, 0.2, 0.3],
    "rates": [0.1, 0.2, 0.3],
    "parameters": [0.1, 0.2, 0.3],
    "a": [1.0, 0, 0, 0],
    "b": [0.0, 1, 0, 0],
    "t": 0.5,
    "start": 0.0,
    "end": 1.0,
    "rate": lambda t: [0.1, 0.2, 0.3],
    "vectors_body": [0.0, 0, 1],
    "field": [0.0, 0, 1],
    "direction": [0.0, 0, 1],
    "gradient": 1.0,
    "coefficients": [1.0, 1, 1],
    "viscosity": 0.1,
    "velocity_gradient": np.zeros((3, 3)),
    "kt": 1.0,
    "seed": 3,
    "t_span": (0.0, 0.1),
    "Body.set_torque.torque": None,
    "Ensemble.set_torque.torque": None,
    "Stages.send.torque": OMEGA,
    "Ensemble.bind_angular_velocities.array": OMEGA.copy(),
    "Ensemble.bind_predicted_velocities.array": OMEGA.copy(),
    "Ensemble.kick.torque": OMEGA,
    "Ensemble.kick_drift.torque": OMEGA,
    "Body.set_rows.rows": lambda: body().rows(),
    "Ensemble.set_rows.rows": lambda: ensemble().rows(),
    "Ensemble.set_rows.bodies": None,
    "Ensemble.rows.bodies": None,
    "solve_ivp.body": body,
    "orientation_mean.orientations": Q,
    "ExactSum.from_limbs.limbs": [0] * 68,
    "Mass.__new__.numbers": lambda: quatint.Mass().numbers,
}
CALLED = {"Body.set_rows.rows", "Ensemble.set_rows.rows", "solve_ivp.body", "Mass.__new__.numbers"}

#: What a message may say in place of the argument: the part of it that is wrong, or what it is compared with.
SAYS = {
    "drag": ("`coefficients",),
    "rotation": ("`orientation",),
    "solve_longest_step": ("`longest`",),
    "rotor_momentum": ("`momentum",),
    "rotor_torque": ("`torque_body",),
    "times": ("`end_time`",),
    "array": ("`orientations", "`angular_velocities"),
    "bodies": ("`arms` has", "`rows` must have"),
    "parts": ("`rows` must have",),
    "events": ("an event is", "a numba.njit"),
}

#: Exceptions of the functions that are given come out as they are.
OF_FUNCTIONS = "<lambda>()"

#: These take anything, or only say whether something is wanted.
ANYTHING = {"degrees", "dense_output", "predicted", "scalar_first", "scalar_last"}


def functions():
    """(class or "", function, whether it sets a property, its arguments and whether each has a default) of what users call."""
    for file in ("_quatint.pyi", "_torques.py", "_solution.py", "_ivp.py", "_mean.py"):
        for node in ast.parse((FOLDER / file).read_text()).body:
            name = getattr(node, "name", "_")
            if not hasattr(quatint, name) and name not in ("Stages",):
                continue
            if isinstance(node, ast.FunctionDef):
                yield "", node
            elif isinstance(node, ast.ClassDef):
                yield from ((name, member) for member in node.body if isinstance(member, ast.FunctionDef))


def arguments_of(function):
    given = function.args
    plain = given.posonlyargs + given.args
    with_default = [argument.arg for argument in plain[len(plain) - len(given.defaults) :]]
    with_default += [argument.arg for argument, value in zip(given.kwonlyargs, given.kw_defaults, strict=True) if value is not None]
    names = [argument.arg for argument in plain + given.kwonlyargs if argument.arg not in ("self", "cls")]
    return names, set(with_default)


def is_setter(function):
    return any(isinstance(decorator, ast.Attribute) and decorator.attr == "setter" for decorator in function.decorator_list)


def is_overload(function):
    return any(isinstance(decorator, ast.Name) and decorator.id == "overload" for decorator in function.decorator_list)


def cases():
    seen = set()
    for owner, function in functions():
        made = function.name in ("__new__", "__init__")
        if function.name.startswith("_") and not made and function.name != "__call__" or (owner == "Solution" and made):
            continue
        if owner == "ReadyMade":
            continue
        names, defaults = arguments_of(function)
        for name in names:
            if name not in ANYTHING and (owner, function.name, name) not in seen:
                seen.add((owner, function.name, name))
                yield owner, function.name, is_setter(function), name, tuple(names), frozenset(defaults)


CASES = list(cases())


def valid(owner, function, name):
    for key in (f"{owner}.{function}.{name}".lstrip("."), name):
        if key in VALID:
            return VALID[key]() if key in CALLED else VALID[key]
    raise AssertionError(f"{owner}.{function}: `{name}` has no valid value in this file")


def call(owner, function, name, names, defaults, wrong):
    """Calls it with one argument that is wrong."""
    given = {other: valid(owner, function, other) for other in names if other != name and other not in defaults}
    given[name] = wrong
    if function in ("__new__", "__init__"):
        return getattr(quatint, owner)(**given)
    if not owner:
        return getattr(quatint, function)(**given)
    if function == "from_limbs":
        return quatint.ExactSum.from_limbs(**given)
    return getattr(OBJECTS.get(f"{owner}.{function}", OBJECTS[owner])(), function)(**given)


@pytest.mark.parametrize(("owner", "function", "is_property", "name", "names", "defaults"), CASES)
@pytest.mark.filterwarnings("ignore")
def test_what_is_raised_for_a_wrong_argument_names_it(owner, function, is_property, name, names, defaults):
    refused = []
    for wrong in WRONG:
        try:
            if is_property:
                name = function  # what the user writes
                setattr(OBJECTS[owner](), function, wrong)
            else:
                call(owner, function, name, names, defaults, wrong)
        except quatint.MotionError:
            pass  # a value that it may have, with which the motion cannot go on
        except Exception as error:
            said = " ".join([str(error), *getattr(error, "__notes__", [])])  # Python shows the notes below the message
            is_named = any(words in said for words in (name, *SAYS.get(name, ())))
            assert is_named or OF_FUNCTIONS in said, f"{wrong!r}: {type(error).__name__}: {said}"
            refused.append(wrong)
    assert refused, "nothing is refused"


def test_the_cases_are_all_there():
    assert len(CASES) > 150
    assert {"Body", "Ensemble", "Mass", "Langevin", "Solution", ""} <= {owner for owner, *_ in CASES}
