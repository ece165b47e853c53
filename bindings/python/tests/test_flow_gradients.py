"""The velocity gradient of the fluid at each body, in an array of the caller."""

import copy
import gc
import pickle
import weakref

import numpy as np
import pytest
import quatint
from conftest import same_bits

COUNT, DT = 60, 0.01
SHARED = [[0.1, 0.2, -0.3], [0.4, -0.3, 0.6], [-0.7, 0.8, 0.2]]


def gradients(seed=0):
    """Generic: a transposed one is another one."""
    return np.random.default_rng(seed).normal(size=(COUNT, 3, 3))


def semi_axes():
    return 0.5 + np.random.default_rng(3).random((COUNT, 3))


def ellipsoids(method="pcdm"):
    q = np.random.default_rng(2).normal(size=(COUNT, 4))
    q /= np.linalg.norm(q, axis=1)[:, None]
    torque = quatint.ShearFlow(semi_axes(), 0.2, SHARED)
    return quatint.Ensemble(COUNT, inertia=[1, 1.5, 2], orientations=q, torque=torque, method=method)


def state(e):
    return np.column_stack([e.orientations, e.angular_velocities_body])


def alone(i, method, *gradients_by_step):
    """The state of a body of `ellipsoids`, alone in a flow whose gradient changes from step to step."""
    body = quatint.Body([1, 1.5, 2], ellipsoids().orientations[i], method=method)
    for gradient in gradients_by_step:
        body.torque = quatint.ShearFlow(semi_axes()[i], 0.2, gradient)
        body.step(DT)
    return np.append(body.orientation, body.angular_velocity_body)


@pytest.mark.parametrize("method", ["pcdm", "cf4", "splitting"])
def test_each_body_has_the_bits_of_a_body_alone_in_its_flow_also_as_it_changes(method):
    e, now = ellipsoids(method), gradients(0)
    e.bind_flow_gradients(now)
    for step in range(3):
        now[:] = gradients(step)  # as a flow solver does, between the steps
        e.step(DT)
    for i in range(0, COUNT, 7):
        assert same_bits(state(e)[i], alone(i, method, *(gradients(step)[i] for step in range(3))))


def layouts():
    values = gradients()
    cells = np.zeros(COUNT, np.dtype([("u", float, 3), ("gradient", float, (3, 3)), ("p", float)]))
    cells["gradient"] = values
    components_first = np.ascontiguousarray(values.transpose(1, 2, 0)).transpose(2, 0, 1)
    read_only = values.copy()
    read_only.setflags(write=False)
    nines = np.asfortranarray(values.reshape(COUNT, 9))
    every_second = np.repeat(values, 2, axis=0)[::2]
    by_columns = np.ascontiguousarray(values.transpose(0, 2, 1)).transpose(0, 2, 1)  # as OpenFOAM has them
    wide = np.zeros((COUNT, 3, 4))
    wide[:, :, :3] = values
    apart = [by_columns, wide[:, :, :3], values[:, ::-1].copy()[:, ::-1]]
    return [values.reshape(COUNT, 9), cells["gradient"], every_second, components_first, read_only, nines, *apart]


@pytest.mark.parametrize("array", layouts())
def test_the_array_may_have_any_distance_between_bodies(array):
    expected, e = ellipsoids(), ellipsoids()
    expected.bind_flow_gradients(gradients())
    e.bind_flow_gradients(array)
    for each in expected, e:
        each.advance(DT, 5)
    assert same_bits(state(e), state(expected))


def test_all_bodies_may_read_one_gradient_and_the_shared_one_comes_back():
    expected, e = ellipsoids(), ellipsoids()
    e.bind_flow_gradients(np.broadcast_to(np.array(SHARED), (COUNT, 3, 3)))
    assert "bound flow gradients" in repr(e)
    for _ in range(2):
        for each in expected, e:
            each.advance(DT, 5)
        assert same_bits(state(e), state(expected))
        e.bind_flow_gradients(None)
    assert "bound" not in repr(e)


def test_gradients_that_belong_to_other_bodies_are_refused_by_steps():
    for change in (lambda e: e.resize(COUNT), lambda e: e.select(range(COUNT)), lambda e: e.release_arrays()):
        e = ellipsoids()
        e.bind_flow_gradients(gradients())
        change(e)
        for each in e, copy.copy(e), pickle.loads(pickle.dumps(e)):
            with pytest.raises(quatint.OrderError, match="bound for other bodies"):
                each.step(DT)
            each.bind_flow_gradients(None)
            each.step(DT)


def test_copies_read_the_same_array_and_pickles_a_copy():
    e, now = ellipsoids(), gradients()
    e.bind_flow_gradients(now)
    shallow, *deep = copy.copy(e), copy.deepcopy(e), pickle.loads(pickle.dumps(e))
    for each in e, shallow, *deep:
        each.step(DT)
        assert same_bits(state(each), state(e))
    now[:] = gradients(1)
    for each in e, shallow, *deep:
        each.step(DT)
    assert same_bits(state(shallow), state(e))
    assert not np.allclose(state(deep[0]), state(e))
    assert same_bits(state(deep[0]), state(deep[1]))


@pytest.mark.parametrize(
    ("array", "error", "words"),
    [
        (gradients().tolist(), TypeError, "numpy array of float64, not list"),
        (gradients().astype(np.float32), TypeError, "astype"),
        (gradients()[1:], ValueError, f"{COUNT - 1} rows, but {COUNT}"),
        (gradients()[0], ValueError, r"\(n, 3, 3\) or \(n, 9\), not \(3, 3\)"),
        (np.zeros((COUNT, 3)), ValueError, r"\(n, 3, 3\) or \(n, 9\)"),
        (np.zeros((COUNT, 3, 4)), ValueError, r"\(n, 3, 3\) or \(n, 9\)"),
        (np.zeros(72 * COUNT + 1, dtype=np.uint8)[1:].view(float).reshape(COUNT, 3, 3), ValueError, "aligned"),
    ],
)
def test_other_arrays_are_refused_and_never_copied(array, error, words):
    e = ellipsoids()
    e.bind_flow_gradients(gradients())
    with pytest.raises(error, match=words):
        e.bind_flow_gradients(array)
    e.step(DT)
    assert same_bits(state(e)[0], alone(0, "pcdm", gradients()[0]))


def test_gradients_that_are_not_finite_are_refused_with_the_body():
    wrong = gradients()
    wrong[7, 1, 2] = np.nan
    e = ellipsoids()
    with pytest.raises(quatint.ArgumentError, match="body 7"):
        e.bind_flow_gradients(wrong)
    now = gradients()
    e.bind_flow_gradients(now)
    now[9, 0, 0] = np.inf
    with pytest.raises(quatint.Error) as caught:
        e.step(DT)
    assert caught.value.body == 9


def test_an_ensemble_keeps_the_array_alive_and_lets_it_go():
    class Array(np.ndarray):  # a plain array takes no weak references
        pass

    array = gradients().view(Array)
    gone = weakref.ref(array)
    e = ellipsoids()
    e.bind_flow_gradients(array)
    del array
    gc.collect()
    assert gone() is not None
    e.step(DT)
    e.bind_flow_gradients(None)
    assert gone() is None
