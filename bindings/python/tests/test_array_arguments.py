"""Every argument that is an array, in every form: its numbers are taken, or it is refused by name; never other numbers.

The arguments are listed from the annotations, so that a new one without a row here fails."""

import ast
import pathlib
import re

import numpy as np
import pytest
import quatint

N = 4
M = 5
FOLDER = pathlib.Path(quatint.__file__).parent
generator = np.random.default_rng(20)


def vectors(*shape):
    """Numbers that are whole, so that integers have them too, and generic."""
    return generator.permutation(np.arange(2.0, 2 + np.prod(shape, dtype=int))).reshape(shape)


Q = vectors(N, 4)
Q /= np.linalg.norm(Q, axis=1)[:, None]
MEASURED = vectors(6, 3)
TENSORS = np.array([np.diag([3.0, 4.0, 5.0]) + 0.2 * (1 - np.eye(3)) + i * np.eye(3) for i in range(N)])
MATRICES = quatint.orientation_to_matrix(Q)
TETRAHEDRON = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=float)
CORNERS = TETRAHEDRON[[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]]
GRADIENTS = vectors(N, 3, 3)


def body(**settings):
    return quatint.Body([3, 4, 5], [0.6, 0, 0.8, 0], [1, -2, 0.5], **settings)


def ensemble(**settings):
    return quatint.Ensemble(N, inertia=[3, 4, 5], orientations=Q, angular_velocities=[1, -2, 0.5], **settings)


def moved(thing):
    """The numbers of a body or of an ensemble after steps: all of them depend on the argument."""
    thing.advance(0.01, 3)
    return thing.rows()


def did(make, act):
    """What is left of a body or an ensemble after an action."""

    def call(a):
        thing = make()
        act(thing, a)
        return moved(thing)

    return call


def of(make, name):
    return did(make, lambda thing, a: setattr(thing, name, a))


def in_points(act):
    def call(a):
        e = ensemble()
        e.set_points([0, 0, 1, 2, 3], vectors_of_points)
        return act(e, a)

    return call


vectors_of_points = vectors(M, 3)


def added(name, *arguments):
    """The sum with a part, of whose arguments one is the array: `...` stands for it."""

    def call(a):
        m = quatint.Mass()
        getattr(m, name)(*[a if argument is ... else argument for argument in arguments])
        return m.numbers

    return call


def rolling(t):
    return [0.3, -0.2, 0.7 * t]


def inertia_about(a):
    m = quatint.Mass()
    m.add_sphere(2.0, 0.5, [1, 2, 3])
    return m.inertia_about(a)


def acting(make_torque):
    return did(ensemble, lambda e, a: setattr(e, "torque", make_torque(a)))


def dragged(make_drag):
    return did(ensemble, lambda e, a: setattr(e, "drag", make_drag(a)))


def random(**given):
    def act(e, a):
        e.method = "splitting"
        arguments = {"coefficients": [1, 1, 1], "kt": 1.0, "seed": 5}
        e.langevin = quatint.Langevin(**{**arguments, **{name: a if value is ... else value for name, value in given.items()}})

    return did(ensemble, act)


def sent(a):
    e = ensemble()
    stages = e.stages(0.01, 1)
    for _ in stages:
        stages.send(a)
    return e.rows()


field = quatint.UniformField([1, 2, 3], [0, 0, 1])

# The value of an argument that is (n, k) or (k,) or one number a body, and what its numbers change.
REAL = {
    "Body.__new__.inertia": (lambda a: moved(quatint.Body(a, angular_velocity=[1, 2, 3])), TENSORS[1]),
    "Body.__new__.orientation": (lambda a: moved(quatint.Body([1, 2, 3], a)), Q[1]),
    "Body.__new__.angular_velocity": (lambda a: moved(quatint.Body([1, 2, 3], angular_velocity=a)), vectors(3)),
    "Body.orientation.orientation": (of(body, "orientation"), Q[1]),
    "Body.angular_velocity.omega": (of(body, "angular_velocity"), vectors(3)),
    "Body.angular_velocity_body.omega": (of(body, "angular_velocity_body"), vectors(3)),
    "Body.inertia.inertia": (of(body, "inertia"), TENSORS[1]),
    "Body.set_inertia.inertia": (did(body, lambda b, a: b.set_inertia(a)), vectors(3)),
    "Body.drag.drag": (of(body, "drag"), vectors(3)),
    "Body.clock.clock": (of(body, "clock"), np.array([3.0, 0.0])),
    "Body.angular_momentum.angular_momentum": (of(body, "angular_momentum"), vectors(3)),
    "Body.rotor_momentum.momentum": (of(body, "rotor_momentum"), vectors(3)),
    "Body.rotor_torque.torque_body": (of(body, "rotor_torque"), vectors(3)),
    "Body.set_state.orientation": (did(body, lambda b, a: b.set_state(a, [1, 2, 3])), Q[1]),
    "Body.set_state.angular_velocity": (did(body, lambda b, a: b.set_state(Q[1], a)), vectors(3)),
    "Body.set_state_body.orientation": (did(body, lambda b, a: b.set_state_body(a, [1, 2, 3])), Q[1]),
    "Body.set_state_body.angular_velocity_body": (did(body, lambda b, a: b.set_state_body(Q[1], a)), vectors(3)),
    "Body.kick.torque": (did(body, lambda b, a: b.kick(0.1, a)), vectors(3)),
    "Body.kick_drift.torque": (did(body, lambda b, a: b.kick_drift(0.1, 0.1, a)), vectors(3)),
    "Body.solve.times": (lambda a: body().solve(a, 1e-8).q, np.array([1.0, 2.0, 4.0])),
    "Body.set_rows.rows": (did(body, lambda b, a: b.set_rows(a)), np.array(body(method="splitting").rows())),
    "Ensemble.__new__.inertia": (lambda a: moved(quatint.Ensemble(N, inertia=a, angular_velocities=[1, 2, 3])), TENSORS),
    "Ensemble.__new__.orientations": (lambda a: moved(quatint.Ensemble(N, orientations=a)), Q),
    "Ensemble.__new__.angular_velocities": (lambda a: moved(quatint.Ensemble(N, angular_velocities=a)), vectors(N, 3)),
    "Ensemble.orientations.given": (of(ensemble, "orientations"), Q[::-1].copy()),
    "Ensemble.inertia.inertia": (of(ensemble, "inertia"), 30 + vectors(N, 3)),
    "Ensemble.drag.drag": (of(ensemble, "drag"), vectors(N, 3)),
    "Ensemble.rotor_momentum.momenta": (of(ensemble, "rotor_momentum"), vectors(N, 3)),
    "Ensemble.clock.clock": (did(ensemble, lambda e, a: setattr(e, "clock", a)), np.array([3.0, 0.0])),
    "Ensemble.angular_velocities.angular_velocities": (of(ensemble, "angular_velocities"), vectors(N, 3)),
    "Ensemble.angular_momenta.angular_momenta": (of(ensemble, "angular_momenta"), vectors(N, 3)),
    "Ensemble.kick.torque": (did(ensemble, lambda e, a: e.kick(0.1, a)), vectors(N, 3)),
    "Ensemble.kick_drift.torque": (did(ensemble, lambda e, a: e.kick_drift(0.1, 0.1, a)), vectors(N, 3)),
    "Ensemble.set_points.arms": (
        did(ensemble, lambda e, a: (e.set_points([0, 0, 1, 2, 3], a), e.kick(0.1, e.point_positions()[:N]))),
        vectors(M, 3),
    ),
    "Ensemble.point_positions.centres": (in_points(lambda e, a: e.point_positions(a)), vectors(N, 3)),
    "Ensemble.point_velocities.centre_velocities": (in_points(lambda e, a: e.point_velocities(a)), vectors(N, 3)),
    "Ensemble.sum_point_forces.forces": (in_points(lambda e, a: np.array(e.sum_point_forces(a))), vectors(M, 3)),
    "Ensemble.set_rows.rows": (did(ensemble, lambda e, a: e.set_rows(a)), np.array(moved(ensemble()))),
    "Stages.send.torque": (sent, vectors(N, 3)),
    "ExactSum.__new__.values": (lambda a: float(quatint.ExactSum(a)), vectors(M)),
    "Mass.__new__.numbers": (lambda a: quatint.Mass(a).numbers, vectors(20)),
    "Mass.add_point.position": (added("add_point", 2.0, ...), vectors(3)),
    "Mass.add_sphere.position": (added("add_sphere", 2.0, 0.5, ...), vectors(3)),
    "Mass.add_ellipsoid.semi_axes": (added("add_ellipsoid", 2.0, ..., [1, 2, 3], Q[1]), vectors(3)),
    "Mass.add_ellipsoid.position": (added("add_ellipsoid", 2.0, [1, 2, 3], ..., Q[1]), vectors(3)),
    "Mass.add_ellipsoid.orientation": (added("add_ellipsoid", 2.0, [1, 2, 3], [1, 2, 3], ...), Q[1]),
    "Mass.add_box.edges": (added("add_box", 2.0, ..., [1, 2, 3], Q[1]), vectors(3)),
    "Mass.add_box.position": (added("add_box", 2.0, [1, 2, 3], ..., Q[1]), vectors(3)),
    "Mass.add_box.orientation": (added("add_box", 2.0, [1, 2, 3], [1, 2, 3], ...), Q[1]),
    "Mass.add_cylinder.position": (added("add_cylinder", 2.0, 0.5, 2.0, ..., Q[1]), vectors(3)),
    "Mass.add_cylinder.orientation": (added("add_cylinder", 2.0, 0.5, 2.0, [1, 2, 3], ...), Q[1]),
    "Mass.add_capsule.position": (added("add_capsule", 2.0, 0.5, 2.0, ..., Q[1]), vectors(3)),
    "Mass.add_capsule.orientation": (added("add_capsule", 2.0, 0.5, 2.0, [1, 2, 3], ...), Q[1]),
    "Mass.add_hemisphere.position": (added("add_hemisphere", 2.0, 0.5, ..., Q[1]), vectors(3)),
    "Mass.add_hemisphere.orientation": (added("add_hemisphere", 2.0, 0.5, [1, 2, 3], ...), Q[1]),
    "Mass.add_cone.position": (added("add_cone", 2.0, 0.5, 2.0, ..., Q[1]), vectors(3)),
    "Mass.add_cone.orientation": (added("add_cone", 2.0, 0.5, 2.0, [1, 2, 3], ...), Q[1]),
    "turn_orientation.orientation": (lambda a: quatint.turn_orientation(a, 0.0, 1.0, 3, rolling), Q[1]),
    "turn_by_samples.orientation": (lambda a: quatint.turn_by_samples(a, MEASURED, 0.1), Q[1]),
    "turn_by_samples.angular_velocities": (lambda a: quatint.turn_by_samples(Q[1], a, 0.1), vectors(6, 3)),
    "orientation_rate.orientation": (lambda a: quatint.orientation_rate(a, [1, 2, 3]), Q[1]),
    "orientation_rate.angular_velocity": (lambda a: quatint.orientation_rate(Q[1], a), vectors(3)),
    "Mass.inertia_about.point": (inertia_about, vectors(3)),
    "Mass.add_mesh.corners": (added("add_mesh", 2.0, ...), CORNERS),
    "Mass.add_inertia.inertia": (added("add_inertia", 2.0, ..., [1, 2, 3], Q[1]), TENSORS[1]),
    "Mass.add_inertia.position": (added("add_inertia", 2.0, [3, 4, 5], ..., Q[1]), vectors(3)),
    "Mass.add_inertia.orientation": (added("add_inertia", 2.0, [3, 4, 5], [1, 2, 3], ...), Q[1]),
    "principal_axes.inertia": (lambda a: quatint.principal_axes(a).orientation, TENSORS[1]),
    "rotate.orientation": (lambda a: quatint.rotate(a, [1, 2, 3]), Q),
    "rotate.vector": (lambda a: quatint.rotate(Q, a), vectors(N, 3)),
    "rotate_inverse.orientation": (lambda a: quatint.rotate_inverse(a, [1, 2, 3]), Q),
    "rotate_inverse.vector": (lambda a: quatint.rotate_inverse(Q, a), vectors(N, 3)),
    "orientation_from_axis_angle.axis": (lambda a: quatint.orientation_from_axis_angle(a, 0.3), vectors(N, 3)),
    "orientation_from_axis_angle.angle": (lambda a: quatint.orientation_from_axis_angle([1, 2, 3], a), vectors(N)),
    "orientation_to_axis_angle.orientation": (lambda a: quatint.orientation_to_axis_angle(a)[0], Q),
    "orientation_from_rotation_vector.vector": (quatint.orientation_from_rotation_vector, vectors(N, 3)),
    "orientation_to_rotation_vector.orientation": (quatint.orientation_to_rotation_vector, Q),
    "orientation_exp.vector": (quatint.orientation_exp, vectors(N, 3)),
    "orientation_log.orientation": (quatint.orientation_log, Q),
    "orientation_power.orientation": (lambda a: quatint.orientation_power(a, 0.5), Q),
    "orientation_power.exponent": (lambda a: quatint.orientation_power(Q, a), vectors(N)),
    "orientation_from_matrix.matrix": (quatint.orientation_from_matrix, MATRICES),
    "orientation_to_matrix.orientation": (quatint.orientation_to_matrix, Q),
    "orientation_from_euler.angles": (lambda a: quatint.orientation_from_euler("ZXZ", a), vectors(N, 3)),
    "orientation_to_euler.orientation": (lambda a: quatint.orientation_to_euler("xyz", a), Q),
    "angular_velocity_from_euler_rates.angles": (
        lambda a: quatint.angular_velocity_from_euler_rates("ZXZ", a, [1, 2, 3]),
        vectors(N, 3),
    ),
    "angular_velocity_from_euler_rates.rates": (
        lambda a: quatint.angular_velocity_from_euler_rates("ZXZ", [1, 2, 3], a),
        vectors(N, 3),
    ),
    "angular_velocity_to_euler_rates.angles": (
        lambda a: quatint.angular_velocity_to_euler_rates("ZXZ", a, [1, 2, 3]),
        vectors(N, 3),
    ),
    "angular_velocity_to_euler_rates.angular_velocity": (
        lambda a: quatint.angular_velocity_to_euler_rates("ZXZ", [1, 2, 3], a),
        vectors(N, 3),
    ),
    "orientation_from_mrp.parameters": (quatint.orientation_from_mrp, vectors(N, 3)),
    "orientation_to_mrp.orientation": (quatint.orientation_to_mrp, Q),
    "orientation_product.a": (lambda a: quatint.orientation_product(a, Q[1]), Q),
    "orientation_product.b": (lambda a: quatint.orientation_product(Q[1], a), Q),
    "orientation_inverse.orientation": (quatint.orientation_inverse, Q),
    "orientation_slerp.a": (lambda a: quatint.orientation_slerp(a, Q[1], 0.3), Q),
    "orientation_slerp.b": (lambda a: quatint.orientation_slerp(Q[1], a, 0.3), Q),
    "orientation_angle.a": (lambda a: quatint.orientation_angle(a, Q[1]), Q),
    "orientation_angle.b": (lambda a: quatint.orientation_angle(Q[1], a), Q),
    "torque_at.orientation": (lambda a: field(0.0, a, [1, 2, 3]), Q),
    "torque_at.angular_velocity": (lambda a: quatint.LinearDrag([1, 2, 3])(0.0, Q, a), vectors(N, 3)),
    "torque_at.inertia": (
        lambda a: quatint.GravityGradient([1, 2, 3], 0.5)(0.0, Q, [1, 2, 3], a),
        TENSORS[1],
    ),
    "ConstantTorque.__init__.torque": (acting(quatint.ConstantTorque), vectors(N, 3)),
    "UniformField.__init__.vectors_body": (acting(lambda a: quatint.UniformField(a, [0, 0, 1])), vectors(N, 3)),
    "UniformField.__init__.field": (acting(lambda a: quatint.UniformField([1, 2, 3], a)), vectors(3)),
    "GravityGradient.__init__.direction": (acting(lambda a: quatint.GravityGradient(a, 0.5)), vectors(3)),
    "GravityGradient.__init__.gradient": (acting(lambda a: quatint.GravityGradient([1, 2, 3], a)), vectors(N)),
    "LinearDrag.__init__.coefficients": (dragged(quatint.LinearDrag), vectors(N, 3)),
    "LinearDrag.__init__.flow": (dragged(lambda a: quatint.LinearDrag([1, 2, 3], a)), vectors(N, 3)),
    "ShearFlow.__init__.semi_axes": (acting(lambda a: quatint.ShearFlow(a, 0.1, GRADIENTS[0])), vectors(N, 3)),
    "ShearFlow.__init__.velocity_gradient": (acting(lambda a: quatint.ShearFlow([1, 2, 3], 0.1, a)), GRADIENTS[0]),
    "Langevin.__init__.coefficients": (random(coefficients=...), vectors(N, 3)),
    "Langevin.__init__.flow": (random(flow=...), vectors(N, 3)),
    "solve_ivp.body": (lambda a: quatint.solve_ivp(a, (0, 1), [1, 0, 0, 0, 1, 2, 3]).y, TENSORS[1]),
    "solve_ivp.y0": (lambda a: quatint.solve_ivp([3, 4, 5], (0, 1), a).y, np.append(Q[1], vectors(3))),
    "solve_ivp.t_eval": (lambda a: quatint.solve_ivp(body(), (0, 4), t_eval=a).y, np.array([1.0, 2.0, 4.0])),
    "orientation_mean.weights": (lambda a: quatint.orientation_mean(Q, a), vectors(N)),
    "Solution.__call__.times": (lambda a: body().solve_dense(9)(a).q, vectors(N)),
}


def bound(bind):
    """The states that an array gives an ensemble which is bound to it, and those that are then in it."""

    def call(a):
        e = ensemble(torque=quatint.ShearFlow([1, 2, 3], 0.1, np.zeros((3, 3))))
        bind(e, a)
        e.advance(0.01, 3)
        return np.concatenate([np.ravel(a), np.ravel(e.orientations), np.ravel(e.angular_velocities)])

    return call


def predicted(e, a):
    e.bind_predicted_velocities(a, 0.05)
    e.kick_drift(0.1, 0.1, [1, 2, 3])


def filled(act):
    def call(a):
        e = ensemble()
        e.set_points([0, 0, 1, 2, 3], vectors_of_points)
        act(e, a)
        return np.ravel(a)

    return call


# Arrays that are worked in: refused where the work would be in a copy.
IN_PLACE = {
    "Ensemble.bind_orientations.array": (bound(lambda e, a: e.bind_orientations(a)), Q[::-1].copy()),
    "Ensemble.bind_angular_velocities.array": (bound(lambda e, a: e.bind_angular_velocities(a)), vectors(N, 3)),
    "Ensemble.bind_predicted_velocities.array": (bound(predicted), vectors(N, 3)),
    "Ensemble.bind_flow_gradients.gradients": (bound(lambda e, a: e.bind_flow_gradients(a)), GRADIENTS.reshape(N, 9)),
    "Ensemble.point_positions.out": (filled(lambda e, a: e.point_positions(out=a)), vectors(M, 3)),
    "Ensemble.point_velocities.out": (filled(lambda e, a: e.point_velocities(out=a)), vectors(M, 3)),
    "Ensemble.sum_point_forces.out_forces": (
        filled(lambda e, a: e.sum_point_forces([1, 2, 3], out_forces=a)),
        vectors(N, 3),
    ),
    "Ensemble.sum_point_forces.out_torques": (
        filled(lambda e, a: e.sum_point_forces([1, 2, 3], out_torques=a)),
        vectors(N, 3),
    ),
}


def in_rows(name, width):
    def call(a):
        e = ensemble()
        array = np.zeros((7, width))
        array[:, 0] = 1
        getattr(e, name)(array, rows=a)
        e.angular_velocities = np.arange(3.0 * N).reshape(N, 3)
        e.advance(0.01, 3)
        return array

    return call


def selected(a):
    e = ensemble()
    e.angular_velocities = np.arange(3.0 * N).reshape(N, 3)
    e.select(a)
    return e.angular_velocities


def noisy(a):
    e = ensemble(method="splitting")
    e.langevin = quatint.Langevin([1, 1, 1], 1.0, 5)
    e.ids = a
    return moved(e)


def set_some(a):
    e = ensemble()
    count = int(np.sum(a)) if np.asarray(a).dtype == bool else np.size(a)
    e.set_rows(np.array(moved(ensemble()))[:count], a)
    return e.rows()


# Lists of whole numbers, and whether a mask of bools may stand for them.
WHOLE = {
    "Ensemble.bind_orientations.rows": (in_rows("bind_orientations", 4), [6, 0, 3, 1], False),
    "Ensemble.bind_angular_velocities.rows": (in_rows("bind_angular_velocities", 3), [6, 0, 3, 1], False),
    "Ensemble.set_points.bodies": (
        lambda a: did(ensemble, lambda e, a: (e.set_points(a, vectors_of_points[:4]), e.kick(1.0, e.point_positions())))(a),
        [0, 2, 2, 3],
        False,
    ),
    "Ensemble.ids.ids": (noisy, [7, 2, 9, 4], False),
    "Ensemble.active.bodies": (of(ensemble, "active"), [0, 1, 3], True),
    "Ensemble.rows.bodies": (lambda a: moved(ensemble()) if a is None else ensemble().rows(a), [2, 0, 3, 1], True),
    "Ensemble.set_rows.bodies": (set_some, [2, 0, 3, 1], True),
    "Ensemble.select.bodies": (selected, [2, 0, 3, 1], True),
    "Ensemble.lock_axes.axes": (did(ensemble, lambda e, a: e.lock_axes(a)), [3, 5, 6, 7], False),
    "ExactSum.from_limbs.limbs": (lambda a: float(quatint.ExactSum.from_limbs(a)), list(range(68)), False),
}


def counted(make, act):
    def call(a):
        thing = make()
        act(thing, a)
        return thing.rows()

    return call


# One whole number.
COUNTS = {
    "Ensemble.__new__.count": lambda a: quatint.Ensemble(a).rows(),
    "Ensemble.__new__.threads": lambda a: moved(ensemble(threads=a)),
    "turn_orientation.steps": lambda a: quatint.turn_orientation(Q[1], 0.0, 1.0, a, rolling),
    "Ensemble.threads.threads": of(ensemble, "threads"),
    "Ensemble.noise_draws.draws": of(ensemble, "noise_draws"),
    "Ensemble.advance.steps": counted(ensemble, lambda e, a: e.advance(0.1, a)),
    "Ensemble.record.steps": lambda a: ensemble().record(0.1, a).q,
    "Ensemble.record.every": lambda a: ensemble().record(0.1, 4, a).q,
    "Ensemble.resize.count": counted(ensemble, lambda e, a: e.resize(a)),
    "Ensemble.stages.steps": lambda a: len(list(zip(range(1), ensemble().stages(0.1, a)))),
    "Body.noise_draws.draws": of(body, "noise_draws"),
    "Body.solve_most_evaluations.most": of(body, "solve_most_evaluations"),
    "Body.advance.steps": counted(body, lambda b, a: b.advance(0.1, a)),
    "Body.record.steps": lambda a: body().record(0.1, a).q,
    "Body.record.every": lambda a: body().record(0.1, 4, a).q,
    "Langevin.__init__.seed": random(seed=...),
    "Langevin.__init__.id": lambda a: quatint.Langevin([1, 1, 1], 1.0, 5, id=a).id,
}

# What is no array of numbers, or has a test of its own.
OTHERS = {
    "Pointer.__new__.address",  # made by compiled functions alone
    "Pointer.__new__.user_data",
    "Pointer.event_value.orientation",
    "Pointer.event_value.angular_velocity",
    "Body.set_inertia_function.function",  # a function: test_what_functions_return_is_taken_or_refused
    "solve_ivp.t_span",  # two numbers
    "turn_orientation.rate",  # a function: test_attitude.py
    "Body._solve_sampled.events",
    "real_numbers.given",  # what the others call
    "ReadyMade.__call__.omega",  # calls torque_at
    "ReadyMade.__call__.inertia",
}

TAKEN = re.compile(r"ArrayLike|_Orientation|NDArray|_Array\b|_Bodies|Sequence\[(int|float)\]|^int$|SupportsIndex")


def annotated():
    """Each argument of a public function that is an array or a whole number."""
    found = set()

    def visit(node, prefix):
        for child in node.body:
            if isinstance(child, ast.ClassDef) and not child.name.startswith("_"):
                visit(child, [*prefix, child.name])
            is_public = isinstance(child, ast.FunctionDef) and not re.match(r"_(?!_(new|init|call)__)", child.name)
            if is_public:
                every = child.args.posonlyargs + child.args.args + child.args.kwonlyargs
                for argument in every:
                    kind = ast.unparse(argument.annotation) if argument.annotation else ""
                    if TAKEN.search(kind) and "Callable[[float, _Array" not in kind:
                        found.add(".".join([*prefix, child.name, argument.arg]))

    for file in ("_quatint.pyi", "_torques.py", "_ivp.py", "_mean.py", "_solution.py"):
        visit(ast.parse((FOLDER / file).read_text()), [])
    return found - {"Solution.__init__.rows"}


def test_each_argument_that_is_an_array_or_a_count_has_a_row_here():
    assert annotated() - OTHERS == {*REAL, *IN_PLACE, *WHOLE, *COUNTS}


class Named(np.ndarray):
    """A class of a user."""


def apart(a):
    """Elements that are not side by side, in any direction."""
    return np.repeat(np.repeat(a, 3, axis=0), 2, axis=-1)[::3, ..., ::2] if a.ndim > 1 else np.repeat(a, 3)[::3]


def unaligned(a):
    copy = np.zeros(a.nbytes + 1, np.uint8)[1:].view(a.dtype).reshape(a.shape)
    copy[...] = a
    return copy


SAME_MEMORY = {
    "Fortran order": np.asfortranarray,
    "backwards": lambda a: a[::-1].copy()[::-1],
    "every other": apart,
    "of a user": lambda a: a.view(Named),
}
SAME_NUMBERS = {
    **SAME_MEMORY,
    "big-endian": lambda a: a.astype(">f8"),
    "unaligned": unaligned,
    "list": lambda a: a.tolist(),
    "rows in a list": lambda a: [*a],
    "read-only": lambda a: np.frombuffer(a.tobytes()).reshape(a.shape),
    "masked nowhere": lambda a: np.ma.array(a, mask=np.zeros(a.shape, bool)),
}


def masked(a):
    mask = np.zeros(np.shape(a), bool)
    mask.flat[0] = True
    return np.ma.array(a, mask=mask)


REFUSED = {
    "masked": masked,
    "masked in a list": lambda a: [*masked(a)],
    "bools": lambda a: a != a.flat[0],
    "bools in a list": lambda a: (a != a.flat[0]).tolist(),
    "complex": lambda a: a + 1j,
    "texts": lambda a: a.astype(str),
    "objects": lambda a: np.full(a.shape, None),
    "one axis more": lambda a: np.array([[[a]]]),
    "empty": lambda a: a[:0] if a.ndim > 1 else np.zeros((0, 7)),
}


# A sum of numbers in any arrangement, or of no triangles.
HONEST = {("ExactSum.__new__.values", "one axis more"), ("ExactSum.__new__.values", "empty"), ("Mass.add_mesh.corners", "empty")}

# The word of a message where it is not the name of the argument: of a setter it is that of the property.
WORDS = {
    "omega": "angular_velocity",
    "angular_velocity_body.omega": "angular_velocity_body",
    "momentum": "rotor_momentum",
    "momenta": "rotor_momentum",
    "torque_body": "rotor_torque",
    "given": "orientations",
    "drag": "coefficients",
    "body": "inertia",
}


def names_the_argument(error, name):
    argument = name.rsplit(".", 1)[1]
    text = str(error.value)
    word = WORDS.get(name.split(".", 1)[-1], WORDS.get(argument, argument))
    return f"`{argument}`" in text or f"`{word}`" in text or "torques must broadcast" in text


@pytest.mark.parametrize("name", REAL)
def test_an_array_of_numbers_is_taken_in_any_form_or_refused(name):
    call, value = REAL[name]
    expected = np.array(call(value))
    for form, formed in SAME_NUMBERS.items():
        assert np.array_equal(call(formed(value)), expected, equal_nan=True), form
    if np.array_equal(value, np.round(value)):
        for kind in ("int32", ">i8", "uint8"):
            assert np.array_equal(call(value.astype(kind)), expected, equal_nan=True), kind
    for form, formed in REFUSED.items():
        if (name, form) in HONEST:
            continue
        with pytest.raises((TypeError, ValueError)) as error:
            result = call(formed(value))
            if form == "empty" and np.size(result) == 0:
                raise ValueError(f"`{name.rsplit('.', 1)[1]}` of nothing gives nothing")
            pytest.fail(f"{form} was taken")
        assert names_the_argument(error, name), f"{form}: {error.value}"


@pytest.mark.parametrize("name", IN_PLACE)
def test_an_array_that_is_worked_in_is_that_of_the_caller_or_refused(name):
    call, value = IN_PLACE[name]
    expected = call(value.copy())
    for form, formed in SAME_MEMORY.items():
        if "gradients" in name and form in ("Fortran order", "every other"):
            continue
        assert np.array_equal(call(formed(value.copy())), expected), form
    copies = {
        **{form: formed for form, formed in REFUSED.items() if form != "one axis more"},
        "list": lambda a: a.tolist(),
        "big-endian": lambda a: a.astype(">f8"),
        "float32": lambda a: a.astype("f4"),
        "masked nowhere": SAME_NUMBERS["masked nowhere"],
        "unaligned": unaligned,
    }
    for form, formed in copies.items():
        with pytest.raises((TypeError, ValueError)) as error:
            call(formed(value.copy()))
            pytest.fail(f"{form} was taken")
        assert name.rsplit(".", 1)[1] in str(error.value) or "array" in name, f"{form}: {error.value}"


@pytest.mark.parametrize("name", WHOLE)
def test_a_list_of_whole_numbers_is_taken_in_any_form_or_refused(name):
    call, value, takes_mask = WHOLE[name]
    expected = call(value)
    same = [np.array(value, kind) for kind in ("int64", ">i4", "uint8", "uint64")]
    same += [np.repeat(value, 2)[::2], np.array(value[::-1])[::-1], tuple(value)]
    for form in same:
        assert np.array_equal(call(form), expected, equal_nan=True), form
    bools = np.array(value) > value[0]
    refused = [np.array(value, float), [float(x) for x in value], masked(np.array(value)), [str(x) for x in value]]
    refused += [np.array([value]), [*value[:-1], True], np.array(value) + 1j]
    refused += [] if takes_mask else [bools, bools.tolist()]
    refused += [masked(bools), bools[:-1]]
    for form in refused:
        with pytest.raises((TypeError, ValueError)) as error:
            call(form)
            pytest.fail(f"{form!r} was taken")
        words = {"Ensemble.active.bodies": "`active`", "Ensemble.lock_axes.axes": "axes"}
        word = words.get(name, f"`{name.rsplit('.', 1)[1]}`")
        assert word in str(error.value), f"{form!r}: {error.value}"
    if takes_mask:
        mask = np.array([True, False, True, True])
        assert np.array_equal(call(mask), call(np.flatnonzero(mask)), equal_nan=True)


@pytest.mark.parametrize("name", COUNTS)
def test_a_count_is_no_bool(name):
    call = COUNTS[name]
    assert np.array_equal(call(2), call(np.int32(2)), equal_nan=True)
    for wrong in (True, np.True_, False):
        with pytest.raises(TypeError, match="must be a whole number, not a bool"):
            call(wrong)


@pytest.mark.parametrize("value", [masked(vectors(3)), [*masked(vectors(3))], np.array([True, False, True]), vectors(3) + 1j])
def test_what_functions_return_is_taken_or_refused(value):
    for make in (body, ensemble):
        thing = make()
        thing.torque = lambda t, q, omega: value
        before = thing.rows()
        with pytest.raises((TypeError, ValueError), match="torque"):
            thing.step(0.01)
        assert np.array_equal(thing.rows(), before, equal_nan=True)
    b = body(method="splitting")
    with pytest.raises((TypeError, ValueError), match="inertia"):
        b.set_inertia_function(lambda t: value)


def test_the_ids_of_two_bodies_are_not_the_same():
    e = ensemble()
    with pytest.raises(quatint.ArgumentError, match="`ids` must be different: 9 is there twice"):
        e.ids = [9, 1, 9, 2]
    assert e.ids.tolist() == [0, 1, 2, 3]
    e.ids = [9, 1, 7, 2]
    e.select([1, 1, 2])  # copies of a body have its id
    assert e.ids.tolist() == [1, 1, 7]


def test_great_ids_in_a_list_keep_all_their_bits():
    e = quatint.Ensemble(3)
    e.ids = [2**64 - 1, 0, 2**63 + 1]
    assert e.ids.tolist() == [2**64 - 1, 0, 2**63 + 1]


@pytest.mark.parametrize("bind", ["bind_orientations", "bind_angular_velocities", "bind_flow_gradients"])
@pytest.mark.parametrize("of_view", [False, True])
def test_an_ensemble_whose_array_has_lost_its_memory_refuses_to_go_on(bind, of_view):
    width = {"bind_orientations": 4, "bind_angular_velocities": 3, "bind_flow_gradients": 9}[bind]
    e = quatint.Ensemble(N, torque=quatint.ShearFlow([1, 2, 3], 0.1, np.zeros((3, 3))))
    array = np.zeros((N, width))
    array[:, 0] = 1
    getattr(e, bind)(array[:] if of_view else array)
    e.step(0.01)
    array.__setstate__((1, (1, 3), np.dtype("f8"), False, np.ones(3).tobytes()))
    for use in (lambda: e.step(0.01), lambda: e.orientations, e.release_arrays, lambda: e.kick(1.0, [0, 0, 1])):
        with pytest.raises(quatint.ArgumentError, match="has lost its memory"):
            use()


def test_a_torque_function_that_takes_the_memory_of_an_array_away_ends_the_step():
    e, array = quatint.Ensemble(1000), np.ones((1000, 3))
    state = (1, (1, 3), np.dtype("f8"), False, np.ones(3).tobytes())
    e.bind_angular_velocities(array)
    e.torque = lambda t, q, omega: array.__setstate__(state) or np.zeros((1000, 3))
    with pytest.raises(quatint.ArgumentError, match="has lost its memory"):
        e.step(0.01)
    e = quatint.Ensemble(1000)
    e.torque = lambda t, q, omega: omega.base.__setstate__(state) or np.zeros((1000, 3))
    with pytest.raises(ValueError, match="taken away the memory"):
        e.step(0.01)


def test_swapped_arguments_of_euler_angles_are_said_to_be_swapped():
    for function, call in (
        (quatint.orientation_to_euler, "orientation_to_euler(sequence, orientation)"),
        (quatint.orientation_from_euler, "orientation_from_euler(sequence, angles)"),
    ):
        with pytest.raises(TypeError, match=re.escape(f"the arguments are swapped: write {call}, with 'ZXZ' first")):
            function(Q[0], "ZXZ")
    for function in (quatint.angular_velocity_from_euler_rates, quatint.angular_velocity_to_euler_rates):
        with pytest.raises(TypeError, match="the arguments are swapped"):
            function([1, 2, 3], "ZXZ", [1, 2, 3])
    with pytest.raises(TypeError, match="`sequence` must be a string, such as .*, not int"):
        quatint.orientation_to_euler(5, Q[0])


def test_a_body_names_the_shape_that_it_takes():
    with pytest.raises(ValueError, match=r"`orientation` must have the shape \(4,\), not \(3,\)"):
        quatint.Body([1, 2, 3], [1, 0, 0])
    with pytest.raises(ValueError, match=r"`angular_velocity` must have the shape \(3,\), not \(1, 3\)"):
        quatint.Body([1, 2, 3], [1, 0, 0, 0], [[1, 0, 0]])
