"""Orientations from given angular velocities, beside the closed form of a coning motion."""

import numpy as np
import pytest
import quatint
from scipy.spatial.transform import Rotation

START = np.array([0.5, -0.1, 0.7, 0.5])
END = {
    "body": [0.38577307636891406, 0.043578453853795565, 0.6932969186910561, 0.6071403745774642],
    "world": [0.5962913350399517, 0.037682495356439624, 0.7112801869859638, 0.3702663485940847],
}


def coning(t):
    return 0.8 * np.cos(3 * t), 0.8 * np.sin(3 * t), 0.0


@pytest.mark.parametrize("frame", ["body", "world"])
def test_a_coning_motion_turns_as_its_closed_form_says(frame):
    q = quatint.turn_orientation(START, 0.2, 4.2, 1000, coning, frame=frame)
    assert np.allclose(q, END[frame], rtol=0, atol=5e-12)
    back = quatint.turn_orientation(q, 4.2, 0.2, 1000, lambda t: np.array(coning(t)), frame=frame)
    assert np.allclose(back, START, rtol=0, atol=2e-14)
    samples = np.array([coning(t) for t in 0.2 + 0.01 * np.arange(401)])
    q = quatint.turn_by_samples(START, samples, 0.01, frame=frame)
    assert np.allclose(q, END[frame], rtol=0, atol=5e-9)
    assert np.allclose(quatint.turn_by_samples(q, samples[::-1], -0.01, frame=frame), START, rtol=0, atol=1e-14)
    for same in (np.asfortranarray(samples), np.repeat(samples, 2, axis=1)[:, ::2], samples.tolist()):
        assert quatint.turn_by_samples(START, same, 0.01, frame=frame).tolist() == q.tolist()


def test_the_world_frame_is_the_default_and_a_rotation_of_scipy_is_taken():
    rotation = Rotation.from_quat(np.roll(START, -1))
    q = quatint.turn_orientation(rotation, 0.2, 4.2, 1000, coning)
    assert np.allclose(q, END["world"], rtol=0, atol=5e-12)


def test_the_derivative_is_that_of_a_quaternion_of_any_length():
    rate = quatint.orientation_rate(2 * START, [0.3, -0.7, 1.1])
    assert np.allclose(rate, [-0.03, -0.97, -0.61, 0.69], rtol=0, atol=1e-15)


def test_what_cannot_be_turned_is_refused():
    def broken(t):
        if t > 0.5:
            raise KeyError("here")
        return 0, 0, 1

    with pytest.raises(KeyError, match="here"):
        quatint.turn_orientation(START, 0, 1, 10, broken)
    for call, error, text in (
        (lambda: quatint.turn_orientation(START, 0, 1, 10, lambda t: None), TypeError, "return"),
        (lambda: quatint.turn_orientation(START, 0, 1, 10, lambda t: [1, 2]), ValueError, "shape"),
        (lambda: quatint.turn_orientation(START, 0, 1, 10, lambda t: [1, np.nan, 2]), ValueError, "angular_velocity"),
        (lambda: quatint.turn_orientation(START, 0, 1, 0, coning), ValueError, "steps"),
        (lambda: quatint.turn_orientation(START, 0, 1, 10, [1, 2, 3]), TypeError, "function of the time"),
        (lambda: quatint.turn_orientation([2, 0, 0, 0], 0, 1, 10, coning), ValueError, "orientation"),
        (lambda: quatint.turn_orientation(START, 0, 1, 10, coning, frame="moon"), ValueError, "frame"),
        (lambda: quatint.turn_by_samples(START, [1, 2, 3], 0.1), ValueError, "samples"),
        (lambda: quatint.turn_by_samples(START, np.ones((5, 2)), 0.1), ValueError, "shape"),
        (lambda: quatint.orientation_rate([1, np.nan, 0, 0], [1, 2, 3]), ValueError, "orientation"),
    ):
        with pytest.raises(error, match=text):
            call()
