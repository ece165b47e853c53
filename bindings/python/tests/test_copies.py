"""Pickles and copies."""

import copy
import pickle

import numpy as np
import pytest
import quatint
from conftest import same_bits

TENSOR = np.array([[2, 0.3, 0.1], [0.3, 3, -0.2], [0.1, -0.2, 4]])
COPIES = [
    copy.copy,
    copy.deepcopy,
    lambda o: pickle.loads(pickle.dumps(o)),
    lambda o: pickle.loads(pickle.dumps(o, protocol=2)),
]


def spring(t, q, omega):
    return -0.3 * q[..., 1:] + np.sin(t)


TORQUES = [
    None,
    spring,
    quatint.ConstantTorque([0.1, 0.2, 0.3], "body"),
    quatint.UniformField([0, 0.1, 1], [0, 0, -1]),
    quatint.GravityGradient([1, 1, 0], 0.4),
    quatint.LinearDrag([0.1, 0.2, 0.3]),
    quatint.LinearDrag([0.1, 0.2, 0.3], [0, 0, 1]),
    quatint.ShearFlow([2, 1, 1], 0.1, [[0, 1, 0], [0, 0, 0], [0, 0, 0]]),
    quatint.UniformField([0, 0.1, 1], [0, 0, -1]) + quatint.LinearDrag([0.1, 0.2, 0.3]),
]


@pytest.mark.parametrize("copied", COPIES)
@pytest.mark.parametrize("method", ["pcdm", "splitting", "cf4"])
@pytest.mark.parametrize("torque", TORQUES)
def test_a_copy_of_a_body_goes_on_with_the_same_bits(copied, method, torque):
    body = quatint.Body(TENSOR, angular_velocity=[1, 2, 3], torque=torque, method=method)
    body.rotor_momentum, body.rotor_torque = [0, 0.1, 0], [0.2, 0, 0.1]
    body.advance(0.01, 10)
    again = copied(body)
    assert same_bits(again.rotor_torque, [0.2, 0, 0.1])
    assert (again.method, again.clock) == (body.method, body.clock)
    for each in (body, again):
        each.advance(0.01, 10)
    assert same_bits(again.orientation, body.orientation)
    assert same_bits(again.angular_velocity, body.angular_velocity)
    assert same_bits(again.rotor_momentum, body.rotor_momentum)


@pytest.mark.parametrize("copied", COPIES)
@pytest.mark.parametrize("method", ["pcdm", "splitting", "cf4"])
@pytest.mark.parametrize("torque", TORQUES)
def test_a_copy_of_an_ensemble_goes_on_with_the_same_bits(copied, method, torque, spins):
    e = quatint.Ensemble(50, inertia=[1, 2, 3], angular_velocities=spins(50), torque=torque, method=method, threads=2)
    if method != "splitting":  # with a list, rows have not what a splitting keeps
        e.active = range(5, 45)
    e.advance(0.01, 10)
    again = copied(e)
    assert (len(again), again.method, again.clock, again.threads) == (50, method, e.clock, 2)
    parts = ("state", "inertia", "torque")
    assert same_bits(again.rows(parts=parts), e.rows(parts=parts))
    assert method == "splitting" or same_bits(again.active, e.active)
    for each in (e, again):
        each.advance(0.01, 10)
    assert same_bits(again.orientations, e.orientations)


@pytest.mark.parametrize("copied", COPIES)
@pytest.mark.parametrize("method", ["pcdm", "splitting_4"])
def test_a_copy_of_an_ensemble_with_rotors_goes_on_with_the_same_bits(copied, method, spins):
    e = quatint.Ensemble(20, inertia=[1, 2, 3], angular_velocities=spins(20), method=method)
    e.torque = quatint.UniformField(spins(20), [0, 0, -1])
    e.rotor_momentum = spins(20)[::-1]
    e.select(np.arange(20)[::-1])
    e.advance(0.01, 10)
    again = copied(e)
    assert same_bits(again.rotor_momentum, spins(20))
    assert repr(again) == repr(e)
    assert ", rotors" in repr(e)
    for each in (e, again):
        each.advance(0.01, 10)
    assert same_bits(again.orientations, e.orientations)
    assert same_bits(again.angular_velocities, e.angular_velocities)
    none = quatint.Ensemble(0)
    none.rotor_momentum = [1, 2, 3]
    assert copied(none).rotor_momentum.shape == (0, 3)


@pytest.mark.parametrize("copied", COPIES)
def test_a_copy_has_the_parameters_of_each_body_after_they_have_changed(copied, spins):
    for torque in (
        quatint.ShearFlow(2 + spins(6), 0.1, np.eye(3)),
        quatint.GravityGradient([1, 0, 0], np.arange(6.0)),
        quatint.UniformField(spins(6), [0, 0, -1]) + quatint.LinearDrag(1 + spins(6) ** 2, flow=spins(6)),
    ):
        e = quatint.Ensemble(
            6, inertia=[TENSOR * (1 + i) for i in range(6)], angular_velocities=spins(6), torque=torque
        )
        e.select([5, 3, 3])
        again = copied(e)
        assert same_bits(again.rows(), e.rows())
        for each in (e, again):
            each.advance(0.01, 10)
        assert same_bits(again.orientations, e.orientations)


def test_a_copy_of_an_ensemble_that_is_bound_has_its_own_memory(spins):
    q = np.tile([1.0, 0, 0, 0], (8, 1))
    e = quatint.Ensemble(8, angular_velocities=spins(8))
    e.bind_orientations(q)
    e.advance(0.1, 3)
    for copied in COPIES:
        again = copied(e)
        before = q.copy()
        again.step(0.1)
        assert again.bound_orientations is None
        assert same_bits(q, before)
    e.step(0.1)
    assert same_bits(q, again.orientations)


def test_copies_are_independent_and_deep_ones_copy_the_torque():
    class Spring:
        k = 1.0

        def __call__(self, t, q, omega):
            return -self.k * q[1:]

    body = quatint.Body([1, 1, 1], angular_velocity=[0, 0, 1], torque=Spring())
    shallow, deep = copy.copy(body), copy.deepcopy(body)
    assert shallow.torque is body.torque
    assert deep.torque is not body.torque
    shallow.step(0.1)
    assert body.time == 0


def test_torques_and_sums_can_be_pickled_and_copied():
    for torque in TORQUES[2:]:
        for copied in COPIES:
            assert repr(copied(torque)) == repr(torque)
    total = quatint.ExactSum([1e300, 1, -1e300])
    for copied in COPIES:
        assert copied(total) == total


def test_an_ensemble_of_no_bodies_can_be_pickled():
    assert len(pickle.loads(pickle.dumps(quatint.Ensemble(0)))) == 0


@pytest.mark.parametrize("method", ["pcdm", "splitting", "splitting_4", "cf4"])
@pytest.mark.parametrize("drag", [None, [0.1, 0.2, 0.3]])
def test_a_body_that_gets_the_rows_of_another_goes_on_with_the_same_bits(method, drag):
    if drag and method == "splitting_4":
        drag = None

    def made():
        body = quatint.Body(TENSOR, angular_velocity=[1, 2, 3], torque=spring_of_one, method=method)
        body.drag = drag
        return body

    body, again = made(), made()
    body.rotor_momentum = [0, 0.1, 0]
    body.advance(0.01, 37)
    rows = body.rows()
    assert rows.shape == (19,)
    again.set_rows(np.load(saved(rows)))
    assert same_bits(again.rows(), rows)
    for each in (body, again):
        each.advance(0.01, 20)
    assert same_bits(again.rows(), body.rows())
    assert again.clock == body.clock


def saved(array):
    import io

    file = io.BytesIO()
    np.save(file, array)
    file.seek(0)
    return file


def spring_of_one(t, q, omega):
    return -0.3 * q[1:] + np.sin(t)


def test_the_state_in_the_rows_of_a_body_is_that_of_an_ensemble():
    body = quatint.Body([1, 2, 3], angular_velocity=[1, 2, 3])
    body.advance(0.01, 10)
    e = quatint.Ensemble(3, inertia=[1, 2, 3])
    e.set_rows([body.rows("state")], [1], "state")
    assert same_bits(e.rows([1], "state")[0], body.rows("state"))
    assert body.rows(["clock", "state"]).shape == (9,)
    assert np.isnan(body.rows("memory")).all()


def test_rows_that_are_wrong_change_nothing():
    body = quatint.Body([1, 2, 3], angular_velocity=[1, 2, 3])
    before = body.rows()
    rows = before.copy()
    rows[:4], rows[7] = [0, 1, 0, 0], np.nan  # the state is good, the clock is not
    with pytest.raises(quatint.ArgumentError, match="clock"):
        body.set_rows(rows)
    assert same_bits(body.rows(), before)
    with pytest.raises(ValueError, match=r"shape \(19,\), not \(18,\)"):
        body.set_rows(rows[1:])
    with pytest.raises(quatint.ArgumentError, match='"rotor".*not "torque"'):
        body.rows("torque")


@pytest.mark.parametrize("copied", COPIES)
@pytest.mark.parametrize("kind", ["omega_world", "omega_body", "angmom_world", "angmom_body"])
@pytest.mark.parametrize("method", ["pcdm", "splitting", "cf4"])
@pytest.mark.parametrize("rows", [None, "in rows", "columns"])
def test_a_copy_of_an_ensemble_with_bound_velocities_goes_on_with_the_same_bits(copied, kind, method, rows, spins):
    """What the array holds is converted in each step, and so is that of the copy."""
    count = 40
    e = quatint.Ensemble(count, inertia=[TENSOR * (1 + i) for i in range(count)], method=method)
    e.torque = quatint.UniformField(spins(count), [0, 0, -1])
    array, places, order = np.zeros((2 * count, 3)), None, np.arange(count)
    if rows == "in rows":
        places = order = np.random.default_rng(3).permutation(2 * count)[:count]
    elif rows == "columns":
        array = np.zeros((3, count)).T
    array = array if rows == "in rows" else array[:count]
    array[order] = spins(count)
    orientations = quatint.orientation_from_rotation_vector(spins(count))
    e.bind_orientations(orientations)
    e.bind_angular_velocities(array, kind, rows=places)
    e.advance(0.01, 10)
    again = copied(e)
    for each in (e, again):
        each.advance(0.01, 10)
    assert same_bits(again.orientations, e.orientations)
    assert same_bits(again.angular_velocities, e.angular_velocities)
    own = again.bound_angular_velocities
    assert (own is None) == (kind == "omega_body")
    assert own is None or (same_bits(own, array[order]) and not np.shares_memory(own, array))
    before = array.copy()
    again.step(0.01)
    assert same_bits(array, before)
