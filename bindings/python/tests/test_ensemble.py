"""Many bodies: states, steps, torques, populations."""

import numpy as np
import pytest
import quatint
from conftest import same_bits

METHODS = ["pcdm", "splitting", "splitting_4", "splitting_6", "force_gradient", "cf4"]

# the principal axes of these bodies lie along no axis of the body
INERTIAS = np.reshape(
    [
        [4.28, -0.576, 0.768, -0.576, 5.8192, 1.5744, 0.768, 1.5744, 4.9008],
        [2.54, 0.576, -0.432, 0.576, 3.3344, 0.4992, -0.432, 0.4992, 3.6256],
        [3.3736, 1.008, 0.8352, 1.008, 3.24, -1.344, 0.8352, -1.344, 2.8864],
        [2.14, -0.384, 0.288, -0.384, 2.2704, 0.5472, 0.288, 0.5472, 2.5896],
        [3.3104, -0.288, 1.7472, -0.288, 5.36, -0.384, 1.7472, -0.384, 4.3296],
    ],
    (5, 3, 3),
)


def population(n):
    """Inertias for n bodies."""
    return INERTIAS[np.arange(n) % 5]


def test_a_generic_ensemble_comes_where_it_comes_in_every_language():
    """With the numbers of tests/rust/every_language.rs."""
    start = [
        [0.5, -0.1, 0.7, 0.5],
        [0.1, 0.3, -0.9, 0.3],
        [-0.4, 0.2, 0.8, -0.4],
        [0.7, -0.7, 0.1, -0.1],
        [0.8, 0.4, -0.2, 0.4],
    ]
    spins = [[0.3, -0.7, 1.1], [-1.2, 0.6, 0.9], [0.5, 1.3, -0.4], [-0.8, -0.5, 1.4], [1.5, 0.2, -0.6]]
    coefficients = [[0.15, 0.45, 0.85], [0.95, 0.25, 0.55], [0.35, 0.65, 0.05], [0.75, 0.85, 0.45], [0.25, 0.55, 1.15]]
    q_with_drag = [
        [0.34322020947937526, -0.514673656491571, 0.3044616219105275, 0.7243024478090221],
        [0.31006876234467107, 0.6136993314393463, -0.35805990008763133, 0.6316831493384788],
        [-0.8736102551308665, -0.04098689822035527, 0.45930491590566064, -0.15544835325390347],
        [0.32177863570546605, -0.8003367741310565, -0.5056576909313071, 0.01516104148935328],
        [0.2975224835456055, 0.8789496752635488, -0.3574468432490278, 0.10563898139541861],
    ]
    omega_with_drag = [
        [0.20088039458460782, -0.49848139829966837, 1.137601037989131],
        [-0.9276233943553918, 0.5198630595773146, 0.9390982789857145],
        [0.5402056759807812, 1.1383960793268375, -0.3958854438749477],
        [-0.6051480153623199, -0.7941029935567219, 0.9135233403515265],
        [1.6177997825038815, -0.3283464562297587, 0.3651749686206678],
    ]

    def torque(t, q, omega):
        return np.stack([0.5 * q[:, 1] - 0.25 * omega[:, 1], q[:, 0] * q[:, 3], 0.25 * omega[:, 0] - 0.5 * q[:, 2]], 1)

    q, omega_body = np.array(start), np.zeros((5, 3))
    e = quatint.Ensemble(5, inertia=INERTIAS, torque=torque)
    e.bind_orientations(q)
    e.bind_angular_velocities(omega_body, "omega_body")
    e.angular_velocities = spins
    e.drag = quatint.LinearDrag(coefficients, [0.2, -0.1, 0.7])
    e.advance(0.01, 100)
    assert same_bits(q, q_with_drag) and same_bits(e.angular_velocities, omega_with_drag)


def test_states_broadcast_and_come_back(spins):
    e = quatint.Ensemble(100, inertia=[1, 2, 3], angular_velocities=[0, 0, 1])
    assert len(e) == 100
    assert (e.orientations == [1, 0, 0, 0]).all()
    assert (e.angular_velocities == [0, 0, 1]).all()
    e.angular_velocities = spins(100)
    assert np.allclose(e.angular_velocities, spins(100), atol=1e-15)
    e.angular_velocities = spins(100).T.copy().T  # Fortran order
    assert np.allclose(e.angular_velocities, spins(100), atol=1e-15)
    assert np.allclose(e.angular_momenta, spins(100) * [1, 2, 3], atol=1e-14)
    assert np.allclose(e.kinetic_energies, (spins(100) ** 2 * [1, 2, 3]).sum(axis=1) / 2)
    assert e.total_kinetic_energy == pytest.approx(e.kinetic_energies.sum())
    assert np.allclose(e.total_angular_momentum, e.angular_momenta.sum(axis=0))


@pytest.mark.parametrize("shape", [(2,), (4, 3), (5, 4), (5, 3, 1), ()])
def test_other_shapes_are_refused(shape):
    e = quatint.Ensemble(5)
    with pytest.raises(ValueError, match="angular_velocities"):
        e.angular_velocities = np.zeros(shape)


def test_inertias_are_moments_or_tensors_for_all_or_for_each():
    e = quatint.Ensemble(4)
    tensor = np.array([[2, 0.3, 0.1], [0.3, 3, -0.2], [0.1, -0.2, 4]])
    for given, expected in [([1, 2, 3], np.diag([1, 2, 3])), (tensor, tensor)]:
        e.inertia = given
        assert np.allclose(e.inertia, expected, atol=1e-14)
    each = np.array([tensor * (1 + i) for i in range(4)])
    e.inertia = each
    assert np.allclose(e.inertia, each, atol=1e-13)
    moments = np.arange(1.0, 13).reshape(4, 3)
    e.inertia = moments
    assert np.allclose(e.inertia, [np.diag(row) for row in moments])
    with pytest.raises(quatint.ArgumentError) as caught:
        e.inertia = [[1, 1, 1], [1, 1, 1], [1, 1, -1], [1, 1, 1]]
    assert caught.value.body == 2


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("threads", [1, 2])
def test_each_body_has_the_bits_of_a_body_alone(method, threads, spins):
    n, torque = 200, quatint.UniformField([0.1, 0.2, 1], [0, 0, -1])
    e = quatint.Ensemble(
        n, inertia=population(n), angular_velocities=spins(n), torque=torque, method=method, threads=threads
    )
    e.advance(0.01, 50)
    for i in (0, 17, 199):
        body = quatint.Body(INERTIAS[i % 5], angular_velocity=spins(n)[i], torque=torque, method=method)
        body.advance(0.01, 50)
        assert same_bits(e.orientations[i], body.orientation)
        assert same_bits(e.angular_velocities[i], body.angular_velocity)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("layout", ["aos", "soa"])
def test_a_function_gives_the_motion_of_the_same_function_on_each_body(method, layout, spins):
    n = 300

    def torques(t, q, omega):
        assert (q.shape, omega.shape) == ((n, 4), (n, 3))
        return np.stack([np.sin(t) + q[:, 1], q[:, 2] * q[:, 3], -q[:, 0]], axis=1)

    def torque(t, q, omega):
        return torques_of_one(t, q)

    def torques_of_one(t, q):
        return np.sin(t) + q[1], q[2] * q[3], -q[0]

    e = quatint.Ensemble(
        n, inertia=population(n), angular_velocities=spins(n), torque=torques, method=method, layout=layout
    )
    e.advance(0.01, 20)
    e.step(0.01)
    for i in (0, 299):
        body = quatint.Body(INERTIAS[i % 5], angular_velocity=spins(n)[i], torque=torque, method=method)
        body.advance(0.01, 21)
        assert same_bits(e.orientations[i], body.orientation)


@pytest.mark.parametrize("layout", ["aos", "soa"])
def test_a_function_in_the_body_frame_has_angular_velocities_and_torques_there(layout, spins):
    n = 100
    e = quatint.Ensemble(n, inertia=population(n), angular_velocities=spins(n))
    e.set_torque(lambda t, q, omega: -0.3 * omega * [1, 2, 3] + [0, 0, 0.2], frame="body", layout=layout)
    one = quatint.Body(INERTIAS[2], angular_velocity=spins(n)[7])
    one.set_torque(lambda t, q, omega: -0.3 * omega * [1, 2, 3] + [0, 0, 0.2], frame="body")
    e.advance(0.01, 100)
    one.advance(0.01, 100)
    assert np.allclose(e.orientations[7], one.orientation, atol=1e-13)


@pytest.mark.parametrize(
    "result",
    [
        0,
        [0, 0, 2],
        np.zeros((1, 3)),
        np.zeros((50, 1)),
        np.zeros((50, 3), dtype=int),
        np.asfortranarray(np.ones((50, 3))),
        np.ones((100, 6))[::2, ::2],
        np.ones((50, 3))[::-1],
    ],
)
def test_a_torque_is_anything_that_broadcasts(result):
    a, b = (
        quatint.Ensemble(50, torque=torque)
        for torque in (lambda t, q, omega: result, lambda t, q, omega: np.zeros((50, 3)) + result)
    )
    for e in (a, b):
        e.step(0.1)
    assert same_bits(a.angular_velocities, b.angular_velocities)


@pytest.mark.parametrize("result", [np.zeros((49, 3)), np.zeros((50, 4)), [1, 2], None, "x", np.zeros((1, 50, 3)), 1j])
def test_a_torque_of_another_shape_is_refused_and_nothing_has_moved(result):
    e = quatint.Ensemble(50, angular_velocities=[1, 2, 3], torque=lambda t, q, omega: result)
    with pytest.raises((TypeError, ValueError)):
        e.advance(0.1, 3)
    assert (e.orientations == [1, 0, 0, 0]).all()
    e.torque = None
    e.step(0.1)


def test_a_function_may_return_its_own_arguments_and_arrays_that_it_keeps():
    kept = np.empty((40, 3))

    def out(t, q, omega):
        return np.multiply(omega, -0.1, out=kept)

    a, b, c = (
        quatint.Ensemble(40, angular_velocities=[1, 2, 3], torque=f)
        for f in (lambda t, q, w: w, out, lambda t, q, w: -0.1 * w)
    )
    d = quatint.Ensemble(40, angular_velocities=[1, 2, 3], torque=lambda t, q, w: w.copy())
    for e in (a, b, c, d):
        e.advance(0.1, 10)
    assert same_bits(b.angular_velocities, c.angular_velocities)
    assert same_bits(a.angular_velocities, d.angular_velocities)


def test_the_arrays_of_a_function_are_read_only():
    def torque(t, q, omega):
        q[0, 0] = 2

    with pytest.raises(ValueError, match="read-only"):
        quatint.Ensemble(5, torque=torque).step(0.1)


def test_a_sum_has_parameters_for_each_body(spins):
    n = 50

    def torque(i):
        return quatint.UniformField(spins(n)[i], [0, 0, -1]) + quatint.LinearDrag(1 + spins(n)[i], flow=[0, 0, 1])

    e = quatint.Ensemble(n, inertia=population(n), angular_velocities=[1, 1, 1], torque=torque(slice(None)))
    e.advance(0.01, 30)
    for i in (0, 49):
        body = quatint.Body(INERTIAS[i % 5], angular_velocity=[1, 1, 1], torque=torque(i))
        body.advance(0.01, 30)
        assert np.allclose(e.orientations[i], body.orientation, atol=1e-14)


def test_rotors_are_read_back_and_none_removes_them(spins):
    e = quatint.Ensemble(20)
    assert e.rotor_momentum is None
    e.rotor_momentum = [1, 2, 3]
    assert e.rotor_momentum.tolist() == 20 * [[1, 2, 3]]
    e.rotor_momentum = 2 * spins(20)
    assert same_bits(e.rotor_momentum, 2 * spins(20))
    assert e.row_size("torque") == 3
    e.rotor_momentum = None
    assert e.rotor_momentum is None
    assert e.row_size("torque") == 0


def test_rotors_that_are_refused_change_nothing(spins):
    e = quatint.Ensemble(5)
    e.rotor_momentum = [1, 2, 3]
    bad = np.ones((5, 3))
    bad[3, 1] = np.nan
    with pytest.raises(quatint.ArgumentError, match="body 3"):
        e.rotor_momentum = bad
    with pytest.raises(ValueError, match=r"`rotor_momentum` has 4 rows, but must have 5"):
        e.rotor_momentum = np.ones((4, 3))
    with pytest.raises(quatint.ArgumentError, match="rotor"):
        e.bind_angular_velocities(np.zeros((5, 3)), kind="angmom_world")
    assert e.rotor_momentum.tolist() == 5 * [[1, 2, 3]]
    e.rotor_momentum = None
    e.bind_angular_velocities(np.zeros((5, 3)), kind="angmom_world")
    with pytest.raises(quatint.ArgumentError, match="rotor"):
        e.rotor_momentum = [1, 2, 3]
    assert e.rotor_momentum is None


def test_an_ensemble_takes_one_torque_and_one_drag():
    field, drag = quatint.UniformField([0, 0, 1], [0, 0, -1]), quatint.LinearDrag([1, 1, 1])
    with pytest.raises(quatint.ArgumentError, match="one ready-made torque"):
        quatint.Ensemble(3, torque=field + quatint.ConstantTorque([0, 0, 1]))
    e = quatint.Ensemble(3, torque=field + drag)
    with pytest.raises(quatint.ArgumentError, match="one drag"):
        e.drag = drag
    assert e.drag is None
    e.torque = field
    e.drag = drag
    with pytest.raises(quatint.ArgumentError, match="one drag"):
        e.torque = field + drag
    assert e.torque is field


def test_a_refused_torque_leaves_the_one_before(spins):
    field = quatint.UniformField([0, 0, 1], [0, 0, -1])
    e, other = (quatint.Ensemble(5, angular_velocities=[1, 2, 3], torque=field) for _ in range(2))
    for wrong in (quatint.ConstantTorque(np.zeros((4, 3))), field + quatint.LinearDrag(np.zeros((6, 3))), 7):
        with pytest.raises((TypeError, ValueError)):
            e.torque = wrong
    assert e.torque is field
    for each in (e, other):
        each.advance(0.1, 10)
    assert same_bits(e.orientations, other.orientations)


def test_bodies_that_are_not_active_stay(spins):
    e = quatint.Ensemble(10, angular_velocities=spins(10))
    e.active = [1, 3, 9]
    assert e.active.tolist() == [1, 3, 9]
    e.step(0.1)
    moved = (e.orientations != [1, 0, 0, 0]).any(axis=1)
    assert np.flatnonzero(moved).tolist() == [1, 3, 9]
    e.active = moved
    shapes = []
    e.torque = lambda t, q, omega: shapes.append(q.shape) or 0
    e.step(0.1)
    assert shapes == [(3, 4)] * 2
    e.active = None
    e.step(0.1)
    assert shapes[-1] == (10, 4)
    with pytest.raises(IndexError):
        e.active = [2, 10]
    with pytest.raises(quatint.ArgumentError, match="ascending"):
        e.active = [3, 1]


def test_rows_restore_bodies_in_another_ensemble(spins):
    torque = quatint.UniformField(spins(30), [0, 0, -1])
    a = quatint.Ensemble(
        30, inertia=1 + spins(30) ** 2, angular_velocities=spins(30), torque=torque, method="splitting"
    )
    a.advance(0.05, 10)
    rows = a.rows()
    assert rows.shape == (30, a.row_size()) == (30, 23)
    b = quatint.Ensemble(30, torque=torque, method="splitting")
    b.clock = a.clock
    b.set_rows(rows)
    for e in (a, b):
        e.advance(0.05, 10)
    assert same_bits(a.rows(), b.rows())
    assert a.rows([0, -1], "state").shape == (2, 7)
    assert same_bits(a.rows(slice(10, 20), ["inertia", "state"]), a.rows(range(10, 20), ("state", "inertia")))
    with pytest.raises(ValueError, match=r"shape \(30, 23\), not \(30, 5\): a row has 23 numbers here. Are parts, torque, drag, rotors"):
        b.set_rows(rows[:, :5])
    with pytest.raises(ValueError, match="parts"):
        b.rows(parts="mass")


def test_bodies_can_be_removed_sorted_copied_and_added(spins):
    e = quatint.Ensemble(10, angular_velocities=spins(10))
    e.select([9, 0, 0])
    assert np.allclose(e.angular_velocities, spins(10)[[9, 0, 0]], atol=1e-15)
    e.resize(5)
    assert len(e) == 5
    assert (e.angular_velocities[3:] == 0).all()
    e.select(np.array([True, False, False, False, True]))
    assert len(e) == 2
    with pytest.raises(quatint.BodyIndexError, match="no body 2"):
        e.select([2])
    with pytest.raises(IndexError):
        e.select([-3])


def test_a_record_has_the_states_of_all_bodies(spins):
    a, b = (quatint.Ensemble(7, angular_velocities=spins(7)) for _ in range(2))
    t, q, omega = a.record(0.1, 5, every=2)
    assert (t.shape, q.shape, omega.shape) == ((3,), (3, 7, 4), (3, 7, 3))
    b.advance(0.1, 4)
    assert same_bits(q[2], b.orientations)
    assert same_bits(omega[2], b.angular_velocities)
    b.step(0.1)
    assert same_bits(a.orientations, b.orientations)
    assert a.time == b.time


def test_exact_sums_do_not_depend_on_how_bodies_are_spread(spins):
    whole = quatint.Ensemble(100, inertia=population(100), angular_velocities=spins(100))
    parts = [
        quatint.Ensemble(50, inertia=population(50), angular_velocities=half)
        for half in (spins(100)[:50], spins(100)[50:])
    ]
    assert parts[0].kinetic_energy_sum() + parts[1].kinetic_energy_sum() == whole.kinetic_energy_sum()
    x, y, z = whole.angular_momentum_sums()
    assert np.allclose([float(x), float(y), float(z)], whole.total_angular_momentum)
    assert float(quatint.ExactSum([1e16, 1, -1e16])) == 1
    assert quatint.ExactSum.from_limbs(x.limbs + y.limbs) == x + y
    with pytest.raises(quatint.ArgumentError):
        quatint.ExactSum([1, np.inf])


def test_an_ensemble_of_no_bodies_steps():
    e = quatint.Ensemble(0, torque=lambda t, q, omega: omega)
    e.advance(0.1, 3)
    assert e.time == pytest.approx(0.3)
    assert e.orientations.shape == (0, 4)


def test_the_failed_body_is_named():
    torque = np.zeros((1000, 3))
    torque[701, 0] = np.nan
    e = quatint.Ensemble(1000, torque=lambda t, q, omega: torque)
    with pytest.raises(quatint.MotionError, match="body 701") as caught:
        e.step(0.1)
    assert (caught.value.body, caught.value.status.name) == (701, "QI_ERR_NON_FINITE")


def test_an_ensemble_is_shown_with_what_matters():
    e = quatint.Ensemble(5, threads=2, torque=quatint.ConstantTorque([0, 0, 1]))
    e.active = [0, 3]
    text = repr(e)
    assert text.startswith("Ensemble(5, time=0.0")
    for part in ("ConstantTorque", "2 active", "threads=2"):
        assert part in text


def test_a_new_drag_leaves_the_numbers_of_the_torque_as_select_has_sorted_them():
    vectors = np.arange(12.0).reshape(4, 3)
    e = quatint.Ensemble(4, torque=quatint.UniformField(vectors, [0, 0, -1]))
    e.select([3, 2, 1, 0])
    sorted_rows = e.rows(parts="torque")
    e.drag = [1, 1, 1]
    assert np.array_equal(e.rows(parts="torque")[:, :3], sorted_rows)


def test_a_torque_that_is_refused_leaves_the_numbers_of_the_one_before():
    e = quatint.Ensemble(4, torque=quatint.UniformField(np.ones((4, 3)), [0, 0, -1]))
    rows = 2 * e.rows(parts="torque")
    e.set_rows(rows, parts="torque")
    with pytest.raises(TypeError):
        e.torque = 3
    assert np.array_equal(e.rows(parts="torque"), rows)


def test_three_rows_of_moments_are_not_taken_for_a_tensor():
    rows = np.array([[3, 1, 2], [1, 4, 2.5], [2, 2.5, 5]])  # symmetric and positive definite: it could be either
    before = quatint.Ensemble(3, inertia=[1, 2, 3])
    for wrong in (rows, rows + np.eye(3)[::-1]):
        with pytest.raises(quatint.ArgumentError, match=r"ambiguous.*\[tensor\] \* 3, or \[numpy.diag"):
            quatint.Ensemble(3, inertia=wrong)
        with pytest.raises(quatint.ArgumentError, match="ambiguous"):
            before.inertia = wrong
    assert np.allclose(before.inertia, np.diag([1, 2, 3]))
    assert np.allclose(quatint.Ensemble(3, inertia=[rows] * 3).inertia, rows)
    each = quatint.Ensemble(3, inertia=[np.diag(row) for row in rows])
    assert np.allclose(each.inertia, [np.diag(row) for row in rows])
    # a zero or a negative number is no moment
    tensor = np.array([[3, -1, 0], [-1, 4, 1], [0, 1, 5]])
    assert np.allclose(quatint.Ensemble(3, inertia=tensor).inertia, tensor)
    assert np.allclose(quatint.Ensemble(4, inertia=rows).inertia, rows)
