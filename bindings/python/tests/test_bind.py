"""Arrays in which an ensemble works."""

import gc
import weakref

import numpy as np
import pytest
import quatint
from conftest import same_bits


def stepped(spins, n=100, **options):
    """The states after some steps in the ensemble's own memory."""
    e = quatint.Ensemble(n, inertia=[1, 2, 3], angular_velocities=spins(n), **options)
    e.advance(0.01, 20)
    return e


def structs(n):
    kind = np.dtype([("mass", float), ("q", float, 4), ("name", "S8"), ("omega", float, 3)], align=True)
    return np.zeros(n, kind)


def arrays(kind, n):
    """Arrays (n, 4) and (n, 3) in some layout, filled with 7."""
    if kind == "c":
        return np.full((n, 4), 7.0), np.full((n, 3), 7.0)
    if kind == "fortran":
        return np.full((n, 4), 7.0, order="F"), np.full((n, 3), 7.0, order="F")
    if kind == "structs":
        particles = structs(n)
        return particles["q"], particles["omega"]
    if kind == "reversed":
        return np.full((n, 4), 7.0)[::-1], np.full((n, 3), 7.0)[::-1]
    if kind == "reversed columns":
        return np.full((n, 4), 7.0)[:, ::-1], np.full((n, 3), 7.0)[:, ::-1]
    one = np.full((3 * n, 16), 7.0)
    return one[::3, 1:9:2], one[::3, 10:13]


@pytest.mark.parametrize("kind", ["c", "fortran", "structs", "reversed", "reversed columns", "every third row"])
def test_an_ensemble_steps_arrays_of_any_strides_in_place(kind, spins):
    n, expected = 100, stepped(spins)
    q, omega = arrays(kind, n)
    q[:], omega[:] = [1, 0, 0, 0], spins(n)
    base = q.base if q.base is not None else q
    around = np.array(base, copy=True)
    e = quatint.Ensemble(n, inertia=[1, 2, 3])
    e.bind_orientations(q)
    e.bind_angular_velocities(omega, "omega_body")
    assert e.bound_orientations is q
    assert e.bound_angular_velocities is omega
    e.advance(0.01, 20)
    assert same_bits(q, expected.orientations)
    assert same_bits(omega, expected.angular_velocities_body)
    if kind == "structs":
        assert (np.asarray(base)["mass"] == around["mass"]).all()
        assert (np.asarray(base)["name"] == around["name"]).all()
    if kind == "every third row":
        q[:], omega[:] = 7, 7
        assert (base == 7).all()


def test_what_the_caller_writes_is_what_the_next_step_starts_from(spins):
    q, omega = np.tile([1.0, 0, 0, 0], (5, 1)), np.zeros((5, 3))
    e = quatint.Ensemble(5)
    e.bind_orientations(q)
    e.bind_angular_velocities(omega)
    omega[3] = [0, 0, 1]
    e.step(0.1)
    assert (q[[0, 1, 2, 4]] == [1, 0, 0, 0]).all()
    assert q[3, 3] > 0


def test_quaternions_may_have_the_scalar_last(spins):
    expected = stepped(spins)
    q = np.tile([0.0, 0, 0, 1], (100, 1))
    e = quatint.Ensemble(100, inertia=[1, 2, 3], angular_velocities=spins(100))
    e.bind_orientations(q, scalar_first=False)
    e.advance(0.01, 20)
    assert same_bits(np.roll(q, 1, axis=1), expected.orientations)


@pytest.mark.parametrize("kind", ["omega_world", "omega_body", "angmom_world", "angmom_body"])
def test_velocities_and_momenta_of_each_kind_give_the_motion(kind, spins):
    expected = stepped(spins)
    array = spins(100) * ([1, 2, 3] if "angmom" in kind else 1)
    e = quatint.Ensemble(100, inertia=[1, 2, 3])
    e.bind_angular_velocities(array, kind)
    e.advance(0.01, 20)
    assert np.allclose(e.orientations, expected.orientations, atol=1e-14)
    if kind == "angmom_world":
        assert np.allclose(array, expected.angular_momenta, atol=1e-13)


def test_bodies_may_be_in_other_rows_of_a_longer_array(spins):
    expected, q = stepped(spins, 5), np.full((20, 4), 9.0)
    rows = [3, 17, 0, 5, 11]
    q[rows] = [1, 0, 0, 0]
    e = quatint.Ensemble(5, inertia=[1, 2, 3], angular_velocities=spins(5))
    e.bind_orientations(q, rows=np.array(rows))
    e.advance(0.01, 20)
    assert same_bits(q[rows], expected.orientations)
    assert (np.delete(q, rows, axis=0) == 9).all()
    with pytest.raises(quatint.ArgumentError, match="rows"):
        e.bind_orientations(q, rows=[0, 1, 2, 3, 20])
    with pytest.raises(quatint.ArgumentError, match="5 bodies"):
        e.bind_orientations(q, rows=[0, 1])


def unaligned(n):
    return np.zeros(32 * n + 1, dtype=np.uint8)[1:].view(float).reshape(n, 4)


def packed_structs(n):
    return np.zeros(n, np.dtype([("tag", "i4"), ("q", float, 4)]))["q"]


def read_only(n):
    array = np.tile([1.0, 0, 0, 0], (n, 1))
    array.setflags(write=False)
    return array


@pytest.mark.parametrize(
    ("array", "error", "words"),
    [
        ([[1, 0, 0, 0]] * 5, TypeError, "numpy array of float64, not list"),
        (np.ones((5, 4), dtype=np.float32), TypeError, "astype"),
        (np.ones((5, 4), dtype=int), TypeError, "astype"),
        (np.ones((5, 4), dtype=">f8"), TypeError, "astype"),
        (read_only(5), ValueError, "read-only"),
        (np.broadcast_to([1.0, 0, 0, 0], (5, 4)), ValueError, "read-only"),
        (unaligned(5), ValueError, "aligned"),
        (packed_structs(5), ValueError, "aligned"),
        (np.ones((4, 4)), ValueError, "4 rows, but 5"),
        (np.ones((5, 3)), ValueError, r"\(n, 4\)"),
        (np.ones(20), ValueError, r"\(n, 4\)"),
        (np.lib.stride_tricks.as_strided(np.ones(8), (5, 4), (8, 8)), ValueError, "place of its own"),
    ],
)
def test_other_arrays_are_refused_and_never_copied(array, error, words):
    e = quatint.Ensemble(5, angular_velocities=[0, 0, 1])
    with pytest.raises(error, match=words):
        e.bind_orientations(array)
    assert e.bound_orientations is None
    e.step(0.1)


def test_contents_that_are_no_orientations_are_refused():
    q = np.tile([1.0, 0, 0, 0], (5, 1))
    q[3] = 0
    e = quatint.Ensemble(5)
    with pytest.raises(quatint.ArgumentError, match="body 3") as caught:
        e.bind_orientations(q)
    assert caught.value.status == quatint.Status.QI_ERR_ORIENTATION


def test_two_bound_arrays_must_not_overlap():
    both = np.tile([1.0, 0, 0, 0], (5, 1))
    e = quatint.Ensemble(5)
    e.bind_orientations(both)
    with pytest.raises(quatint.ArgumentError, match="overlap"):
        e.bind_angular_velocities(both[:, 1:])


def test_an_ensemble_keeps_its_arrays_alive_and_lets_them_go():
    class Array(np.ndarray):  # a plain array takes no weak references
        pass

    first, second = (np.tile([1.0, 0, 0, 0], (1000, 1)).view(Array) for _ in range(2))
    gone = [weakref.ref(first), weakref.ref(second)]
    e = quatint.Ensemble(1000, angular_velocities=[0, 0, 1])
    e.bind_orientations(first)
    del first
    gc.collect()
    e.step(0.1)
    assert gone[0]() is not None
    e.bind_orientations(second)
    del second
    assert gone[0]() is None
    before = e.orientations
    e.release_arrays()
    assert gone[1]() is None
    assert same_bits(e.orientations, before)
    e.step(0.1)


@pytest.mark.parametrize("part", [slice(None), slice(10), slice(None, None, 2)])
def test_an_array_that_is_bound_cannot_be_resized(part):
    q = np.zeros((20, 4))
    q[:, 0] = 1
    bound = q[part][:10]
    e = quatint.Ensemble(10)
    e.bind_orientations(bound)
    for refcheck in True, False:
        with pytest.raises(ValueError, match="resize"):
            q.resize((40, 4), refcheck=refcheck)
    e.release_arrays()
    del bound
    q.resize((40, 4), refcheck=False)


def test_predicted_velocities_are_written_by_kick_drift(spins):
    ahead = np.zeros((10, 3), order="F")
    e = quatint.Ensemble(10, inertia=[2, 2, 2], angular_velocities=[0, 0, 1])
    e.bind_predicted_velocities(ahead, 0.05)
    e.kick_drift(0.05, 0.1, [0, 0, 2])
    assert np.allclose(ahead, [0, 0, 1 + 0.05 + 0.05], atol=1e-14)
    with pytest.raises(TypeError, match="needs `ahead`"):
        e.bind_predicted_velocities(ahead)
    e.bind_predicted_velocities(None)
    before = ahead.copy()
    e.kick_drift(0.05, 0.1, [0, 0, 2])
    assert same_bits(ahead, before)


def test_a_torque_for_a_kick_may_have_any_strides_but_not_be_a_bound_array(spins):
    n, torques = 40, np.zeros((40, 8))
    torques[:, 1:7:2] = spins(n)
    a, b = quatint.Ensemble(n), quatint.Ensemble(n)
    a.kick(0.1, torques[:, 1:7:2])
    b.kick(0.1, spins(n))
    assert same_bits(a.angular_velocities, b.angular_velocities)
    omega = spins(n)
    a.bind_angular_velocities(omega)
    with pytest.raises(quatint.ArgumentError, match="bound"):
        a.kick(0.1, omega)


def test_a_bound_array_and_a_function_go_together(spins):
    n, q = 60, np.tile([1.0, 0, 0, 0], (60, 1))

    def torque(t, orientations, omega):
        return -0.1 * omega + orientations[:, 1:]

    a = quatint.Ensemble(n, angular_velocities=spins(n), torque=torque)
    b = quatint.Ensemble(n, angular_velocities=spins(n), torque=torque)
    a.bind_orientations(q)
    for e in (a, b):
        e.advance(0.01, 30)
    assert same_bits(q, b.orientations)
