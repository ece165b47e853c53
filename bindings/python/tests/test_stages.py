"""Loops that compute the torques at each stage."""

import gc

import numpy as np
import pytest
import quatint
from conftest import same_bits


def torque(t, q, omega):
    return np.sin(t) * q[:, 1:] - 0.1 * np.nan_to_num(omega)  # some methods show NaN


@pytest.mark.parametrize("method", ["pcdm", "splitting", "splitting_4", "force_gradient", "cf4"])
@pytest.mark.parametrize("layout", ["aos", "soa"])
def test_a_loop_over_stages_gives_the_bits_of_a_function(method, layout, spins):
    a, b = (quatint.Ensemble(70, angular_velocities=spins(70), method=method) for _ in range(2))
    a.torque = torque
    a.advance(0.01, 20)
    stages = b.stages(0.01, 20, layout=layout)
    for t, q, omega in stages:
        stages.send(torque(t, q, omega))
    assert same_bits(a.orientations, b.orientations)
    assert a.time == b.time


def test_leaving_the_loop_early_cancels_the_step(spins):
    e = quatint.Ensemble(10, angular_velocities=spins(10))
    before = e.orientations
    stages = e.stages(0.1, 5)
    for i, (_t, _q, omega) in enumerate(stages):
        if i == 3:  # the second step of PCDM has begun
            break
        stages.send(-omega)
    with pytest.raises(quatint.OrderError):
        e.step(0.1)
    del stages
    gc.collect()
    assert e.time == 0.1
    assert not same_bits(e.orientations, before)
    after_one = e.orientations
    for _ in e.stages(0.1):
        break  # the iterator has no other owner
    assert same_bits(e.orientations, after_one)
    e.step(0.1)


def test_an_exception_in_the_loop_cancels_the_step():
    e = quatint.Ensemble(10, angular_velocities=[0, 0, 1])

    def run():
        for t, _q, _omega in e.stages(0.1):
            raise KeyError(t)

    with pytest.raises(KeyError):
        run()
    e.step(0.1)


def test_close_cancels_the_step():
    e = quatint.Ensemble(10, angular_velocities=[0, 0, 1])
    stages = e.stages(0.1)
    next(stages)
    stages.close()
    stages.close()
    e.step(0.1)
    assert list(stages) == []


def test_the_order_of_the_calls_is_checked():
    e = quatint.Ensemble(10)
    stages = e.stages(0.1)
    with pytest.raises(quatint.OrderError, match="no stage"):
        stages.send(0)
    next(stages)
    with pytest.raises(quatint.OrderError, match="send the torque"):
        next(stages)
    with pytest.raises(quatint.OrderError):
        e.stages(0.1)
    with pytest.raises(ValueError, match="broadcast"):
        stages.send(np.zeros((3, 10)))
    stages.send(0)
    stages.send([0, 0, 1])  # the last one counts
    for _ in stages:
        stages.send([0, 0, 1])
    assert e.angular_velocities[0, 2] == pytest.approx(0.1)


def test_a_torque_that_is_not_finite_ends_the_loop():
    e = quatint.Ensemble(10)
    stages = e.stages(0.1)
    with pytest.raises(quatint.MotionError, match="body 0"):
        for _ in stages:
            stages.send([0, 0, np.inf])
    e.step(0.1)
    assert e.time == 0.1


def test_stages_show_the_active_bodies_in_read_only_arrays():
    e = quatint.Ensemble(10)
    e.active = [2, 5]
    for _t, q, omega in e.stages(0.1):
        assert (q.shape, omega.shape) == ((2, 4), (2, 3))
        assert not q.flags.writeable
        assert not omega.flags.writeable
        break


def test_no_steps_have_no_stages():
    assert list(quatint.Ensemble(3).stages(0.1, 0)) == []
