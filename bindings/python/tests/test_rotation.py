"""Orientations: conversions, and the Rotation of scipy."""

import numpy as np
import pytest
import quatint
from scipy.spatial.transform import Rotation

RANDOM = Rotation.random(50, random_state=1)
Q = np.roll(RANDOM.as_quat(), 1, axis=1)


def same_rotation(q, rotation):
    turns = (rotation.inv() * Rotation.from_quat(np.roll(q, -1, axis=-1))).magnitude()
    return np.max(turns) < 1e-14


def test_a_rotation_of_scipy_goes_in_and_out():
    body = quatint.Body([1, 2, 3], RANDOM[3])
    assert np.allclose(body.orientation, Q[3], atol=1e-15)
    body.orientation = RANDOM[4]
    assert isinstance(body.rotation, Rotation)
    assert np.allclose(body.rotation.as_matrix(), RANDOM[4].as_matrix(), atol=1e-14)
    e = quatint.Ensemble(50, orientations=RANDOM)
    assert np.allclose(e.orientations, Q, atol=1e-15)
    assert np.allclose(e.rotation.as_matrix(), RANDOM.as_matrix(), atol=1e-14)
    body.rotation, e.rotation = RANDOM[1], RANDOM.inv()
    assert np.allclose(body.rotation.as_matrix(), RANDOM[1].as_matrix(), atol=1e-14)
    assert np.allclose(e.rotation.as_matrix(), RANDOM.inv().as_matrix(), atol=1e-14)
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


def test_angles_in_degrees_are_those_of_scipy():
    for sequence in ("xyz", "ZXZ"):
        angles = RANDOM.as_euler(sequence, degrees=True)
        assert same_rotation(quatint.orientation_from_euler(sequence, angles, degrees=True), RANDOM)
        assert np.allclose(quatint.orientation_to_euler(sequence, Q, degrees=True), angles, atol=1e-10)
    vectors = RANDOM.as_rotvec(degrees=True)
    assert same_rotation(quatint.orientation_from_rotation_vector(vectors, degrees=True), RANDOM)
    assert np.allclose(quatint.orientation_to_rotation_vector(Q, degrees=True), vectors, atol=1e-11)
    quarter = quatint.orientation_from_axis_angle([0, 0, 1], 90, degrees=True)
    assert np.allclose(quarter, [0.5**0.5, 0, 0, 0.5**0.5], atol=1e-15)
    assert quatint.orientation_to_axis_angle(quarter, degrees=True)[1] == pytest.approx(90, abs=1e-13)
    assert quatint.orientation_angle(quarter, [1, 0, 0, 0], degrees=True) == pytest.approx(90, abs=1e-13)


def test_rates_of_euler_angles_become_an_angular_velocity_and_come_back():
    rates = np.array([0.3, -0.7, 1.1])
    for sequence in ("ZYX", "xyz", "ZXZ"):
        angles = RANDOM.as_euler(sequence)
        omega = quatint.angular_velocity_from_euler_rates(sequence, angles, rates)
        h = 1e-6
        before, after = (Rotation.from_euler(sequence, angles + t * rates) for t in (-h, h))
        assert np.allclose(omega, (after * before.inv()).as_rotvec() / (2 * h), rtol=0, atol=1e-8)
        assert np.allclose(quatint.angular_velocity_to_euler_rates(sequence, angles, omega), rates, rtol=0, atol=1e-11)
    yaw, pitch, roll = 0.4, 1.1, -2.0
    omega = [
        rates[2] * np.cos(pitch) * np.cos(yaw) - rates[1] * np.sin(yaw),
        rates[2] * np.cos(pitch) * np.sin(yaw) + rates[1] * np.cos(yaw),
        rates[0] - rates[2] * np.sin(pitch),
    ]
    angles = [yaw, pitch, roll]
    assert np.allclose(quatint.angular_velocity_from_euler_rates("ZYX", angles, rates), omega, rtol=0, atol=1e-15)
    degrees = np.degrees(omega)
    back = quatint.angular_velocity_to_euler_rates("ZYX", np.degrees(angles), degrees, degrees=True)
    assert np.allclose(back, np.degrees(rates), rtol=0, atol=1e-12)
    there = quatint.angular_velocity_from_euler_rates("ZYX", np.degrees(angles), back, degrees=True)
    assert np.allclose(there, degrees, rtol=0, atol=1e-12)
    with pytest.raises(quatint.ArgumentError, match="gimbal lock"):
        quatint.angular_velocity_to_euler_rates("ZYX", [yaw, np.pi / 2, roll], omega)
    with pytest.raises(quatint.ArgumentError, match="sequence"):
        quatint.angular_velocity_from_euler_rates("zzx", angles, rates)


def test_rodrigues_parameters_are_those_of_scipy():
    assert np.allclose(quatint.orientation_to_mrp(Q), RANDOM.as_mrp(), rtol=0, atol=1e-14)
    assert same_rotation(quatint.orientation_from_mrp(RANDOM.as_mrp()), RANDOM)
    shadow = -RANDOM.as_mrp() / np.sum(RANDOM.as_mrp() ** 2, axis=1, keepdims=True)
    assert same_rotation(quatint.orientation_from_mrp(shadow), RANDOM)
    parameters = np.tan(2.2 / 4) * np.array([0.48, -0.6, 0.64])
    q = quatint.orientation_from_axis_angle([0.48, -0.6, 0.64], 2.2)
    assert np.allclose(quatint.orientation_from_mrp(parameters), q, rtol=0, atol=1e-15)
    with pytest.raises(quatint.ArgumentError, match="parameters"):
        quatint.orientation_from_mrp([0, np.nan, 0])


def test_exponential_and_logarithm_are_inverse_with_the_sign_of_the_quaternion():
    assert np.allclose(quatint.orientation_exp(quatint.orientation_log(Q)), Q, atol=1e-15)
    assert np.allclose(quatint.orientation_exp(quatint.orientation_log(-Q)), -Q, atol=1e-15)
    both = np.where(Q[:, :1] < 0, -Q, Q)
    assert np.allclose(quatint.orientation_log(both), RANDOM.as_rotvec() / 2, atol=1e-14)
    v = np.array([0.3, -0.4, 0.5])
    size = np.linalg.norm(v)
    assert np.allclose(quatint.orientation_exp(v), [np.cos(size), *(v / size * np.sin(size))], atol=1e-15)
    for q in ([1, 0, 0, 0], [-1, 0, 0, 0], [0, 0, -1, 0], [-0.0, 1, 0, 0], [0, -0.6, 0, 0.8]):
        assert np.allclose(quatint.orientation_exp(quatint.orientation_log(q)), q, atol=1e-15), q
    with pytest.raises(quatint.ArgumentError):
        quatint.orientation_exp([0, np.inf, 0])


def test_a_power_turns_by_a_multiple_of_the_shortest_angle():
    assert same_rotation(quatint.orientation_power(Q, 0.5), RANDOM**0.5)
    assert same_rotation(quatint.orientation_power(Q, -1), RANDOM.inv())
    assert same_rotation(quatint.orientation_power(-Q, 2.5), RANDOM**2.5)
    t = np.linspace(0, 1, 5)
    between = quatint.orientation_power(Q[0], t)
    assert np.allclose(quatint.orientation_angle(between, [1, 0, 0, 0]), t * RANDOM[0].magnitude(), atol=1e-14)
    with pytest.raises(quatint.ArgumentError, match="exponent"):
        quatint.orientation_power(Q, np.nan)


def test_the_mean_is_that_of_scipy_whatever_the_signs_of_the_quaternions():
    signs = np.where(np.arange(50) % 2, 1, -1)[:, None]
    weights = np.linspace(0, 1, 50)
    near = quatint.orientation_power(Q, 0.2)
    rotation = Rotation.from_quat(np.roll(near, -1, axis=1))
    mean = quatint.orientation_mean(near * signs)
    assert same_rotation(mean, rotation.mean())
    assert mean[0] > 0
    assert same_rotation(quatint.orientation_mean(near, weights), rotation.mean(weights))
    assert same_rotation(quatint.orientation_mean(rotation), rotation.mean())
    assert np.allclose(quatint.orientation_mean(Q[:1]) * np.sign(Q[0, 0]), Q[0], atol=1e-15)
    with pytest.raises(ValueError, match="no unique mean"):
        quatint.orientation_mean([[1, 0, 0, 0], [0, 1, 0, 0]])
    for wrong in (np.zeros((0, 4)), Q[0]):
        with pytest.raises(ValueError, match="shape"):
            quatint.orientation_mean(wrong)
    for wrong in (-weights, weights[1:], 0 * weights):
        with pytest.raises(ValueError, match="weights"):
            quatint.orientation_mean(near, wrong)
    with pytest.raises(quatint.ArgumentError, match="body 3"):
        quatint.orientation_mean(np.where(np.arange(50)[:, None] == 3, 2 * near, near))


def test_the_order_of_a_quaternion_is_said_and_the_ambiguous_one_warns():
    scipy_order = RANDOM.as_quat()
    assert np.allclose(quatint.Body([1, 2, 3], scipy_order[0], scalar_first=False).orientation, Q[0], atol=1e-15)
    e = quatint.Ensemble(50, orientations=scipy_order, scalar_first=False)
    assert np.allclose(e.orientations, Q, atol=1e-15)
    assert np.allclose(quatint.Body([1, 2, 3], RANDOM[0], scalar_first=False).orientation, Q[0], atol=1e-15)
    with pytest.warns(UserWarning, match="half a turn about z.*scalar_first=False"):
        body = quatint.Body([1, 2, 3], [0, 0, 0, 1])
    assert body.orientation.tolist() == [0, 0, 0, 1]
    with pytest.warns(UserWarning, match="scalar_first"):
        quatint.Ensemble(2, orientations=[[0, 0, 0, 1]] * 2)
    # none of these warns: warnings are errors here
    assert quatint.Body([1, 2, 3], [0, 0, 0, 1], scalar_first=False).orientation.tolist() == [1, 0, 0, 0]
    assert quatint.Body([1, 2, 3], [0, 0, 0, 1], scalar_first=True).orientation.tolist() == [0, 0, 0, 1]
    quatint.Body([1, 2, 3], Rotation.from_quat([0, 0, 1, 0]))
    quatint.Ensemble(2, orientations=[[0, 0, 0, 1], [1, 0, 0, 0]])


def test_the_older_name_of_the_order_of_a_quaternion_is_warned_of():
    q = np.array([[0.0, 0.6, 0, 0.8]])
    e = quatint.Ensemble(1)
    for last in (True, False):
        with pytest.warns(DeprecationWarning, match="scalar_first=False") as caught:
            body = quatint.Body([1, 2, 3], q[0], scalar_last=last)
        assert caught[0].filename == __file__
        assert np.array_equal(body.orientation, quatint.Body([1, 2, 3], q[0], scalar_first=not last).orientation)
        with pytest.warns(DeprecationWarning, match="scalar_last"):
            assert np.array_equal(quatint.Ensemble(1, orientations=q, scalar_last=last).orientations[0], body.orientation)
        with pytest.warns(DeprecationWarning, match="scalar_last"):
            e.bind_orientations(q.copy(), scalar_last=last)
        assert np.array_equal(e.orientations[0], body.orientation)
    for call in (lambda **order: quatint.Body([1, 2, 3], q[0], **order), lambda **order: e.bind_orientations(q, **order)):
        with pytest.raises(quatint.ArgumentError, match="`scalar_first` alone"):
            call(scalar_first=False, scalar_last=True)
