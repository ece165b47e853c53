"""Orientations: conversions, and the Rotation of scipy."""

import numpy as np
import pytest
import quatint
from scipy.spatial.transform import Rotation

RANDOM = Rotation.random(50, random_state=1)
Q = np.roll(RANDOM.as_quat(), 1, axis=1)


def same_rotation(q, rotation):
    return (rotation.inv() * Rotation.from_quat(np.roll(q, -1, axis=-1))).magnitude().max() < 1e-14


def test_a_rotation_of_scipy_goes_in_and_out():
    body = quatint.Body([1, 2, 3], RANDOM[3])
    assert np.allclose(body.orientation, Q[3], atol=1e-15)
    body.orientation = RANDOM[4]
    assert isinstance(body.rotation, Rotation)
    assert np.allclose(body.rotation.as_matrix(), RANDOM[4].as_matrix(), atol=1e-14)
    e = quatint.Ensemble(50, orientations=RANDOM)
    assert np.allclose(e.orientations, Q, atol=1e-15)
    assert np.allclose(e.rotation.as_matrix(), RANDOM.as_matrix(), atol=1e-14)
    e.orientations = RANDOM[7]
    assert np.allclose(e.orientations, Q[7], atol=1e-15)


def test_conversions_agree_with_scipy():
    angles, vectors = np.linspace(-2, 2, 50), RANDOM.as_rotvec()
    assert np.allclose(quatint.rotate(Q, vectors), RANDOM.apply(vectors), atol=1e-14)
    assert np.allclose(quatint.rotate(Q, [1, 2, 3]), RANDOM.apply([1, 2, 3]), atol=1e-14)
    assert np.allclose(quatint.rotate(Q[0], vectors), RANDOM[0].apply(vectors), atol=1e-14)
    assert np.allclose(quatint.rotate_inverse(Q, vectors), RANDOM.apply(vectors, inverse=True), atol=1e-14)
    assert same_rotation(quatint.orientation_from_rotation_vector(vectors), RANDOM)
    assert np.allclose(quatint.orientation_to_rotation_vector(Q), vectors, atol=1e-13)
    assert same_rotation(quatint.orientation_from_matrix(RANDOM.as_matrix()), RANDOM)
    assert np.allclose(quatint.orientation_to_matrix(Q), RANDOM.as_matrix(), atol=1e-14)
    assert quatint.orientation_to_matrix(Q[0]).shape == (3, 3)
    about = quatint.orientation_from_axis_angle([0, 0, 2], angles)
    assert same_rotation(about, Rotation.from_rotvec(np.outer(angles, [0, 0, 1])))
    axis, angle = quatint.orientation_to_axis_angle(Q)
    assert np.allclose(axis * angle[:, None], vectors, atol=1e-13)
    for sequence in ("xyz", "ZXZ"):
        assert same_rotation(quatint.orientation_from_euler(sequence, RANDOM.as_euler(sequence)), RANDOM)
        assert np.allclose(quatint.orientation_to_euler(sequence, Q), RANDOM.as_euler(sequence), atol=1e-12)
    assert same_rotation(quatint.orientation_product(Q, Q[::-1]), RANDOM * RANDOM[::-1])
    assert same_rotation(quatint.orientation_inverse(Q), RANDOM.inv())
    assert np.allclose(quatint.orientation_angle(Q, Q[0]), (RANDOM[0].inv() * RANDOM).magnitude(), atol=1e-7)
    assert same_rotation(quatint.orientation_slerp(Q, Q[::-1], 1), RANDOM[::-1])


def test_one_orientation_gives_one_result_and_a_batch_of_one_gives_a_batch():
    assert quatint.orientation_inverse(Q[0]).shape == (4,)
    assert quatint.orientation_inverse(Q[:1]).shape == (1, 4)
    assert quatint.orientation_inverse(Q[:0]).shape == (0, 4)
    assert isinstance(quatint.orientation_angle(Q[0], Q[1]), float)
    assert quatint.rotate(Q[:1], RANDOM.as_rotvec()).shape == (50, 3)


def test_the_row_that_is_wrong_is_named():
    wrong = Q.copy()
    wrong[17] *= 1.1
    with pytest.raises(quatint.ArgumentError, match="body 17") as caught:
        quatint.orientation_to_matrix(wrong)
    assert caught.value.status.name == "QI_ERR_ORIENTATION"
    with pytest.raises(ValueError, match="49 rows"):
        quatint.rotate(Q, np.zeros((49, 3)))
    with pytest.raises(quatint.ArgumentError):
        quatint.rotate(Q[0], [1, np.nan, 0])
    with pytest.raises(quatint.ArgumentError, match="sequence"):
        quatint.orientation_from_euler("xxy", [0, 0, 0])
