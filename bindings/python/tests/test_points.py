"""Points fixed to the bodies of an ensemble."""

import copy

import numpy as np
import pytest
import quatint
from conftest import same_bits

COUNT = 300  # several pieces of bodies, so that threads share them


class Clumps:
    """Bodies with 0 to 3 points each, in any state."""

    def __init__(self, threads=1):
        rng = np.random.default_rng(1)
        q = rng.normal(size=(COUNT, 4))
        self.q = q / np.linalg.norm(q, axis=1)[:, None]
        self.omega, self.centres, self.velocities = rng.normal(size=(3, COUNT, 3))
        self.bodies = np.repeat(np.arange(COUNT), rng.integers(0, 4, COUNT))
        self.arms, self.forces = rng.normal(size=(2, len(self.bodies), 3))
        self.e = quatint.Ensemble(
            COUNT, inertia=[1, 2, 3], orientations=self.q, angular_velocities=self.omega, threads=threads
        )
        self.e.set_points(self.bodies, self.arms)

    def results(self):
        e = self.e
        sums = e.sum_point_forces(self.forces)
        return e.point_positions(self.centres), e.point_velocities(self.velocities), *sums


def test_points_move_and_act_as_the_formulas_say():
    clumps = Clumps()
    assert clumps.e.point_count == len(clumps.bodies)
    body = clumps.bodies
    arms = np.einsum("mjk,mk->mj", quatint.orientation_to_matrix(clumps.q)[body], clumps.arms)
    positions, velocities, forces, torques = clumps.results()
    assert np.allclose(positions, clumps.centres[body] + arms, rtol=0, atol=1e-14)
    turning = np.cross(clumps.omega[body], arms)
    assert np.allclose(velocities, clumps.velocities[body] + turning, rtol=0, atol=1e-14)
    expected_forces, expected_torques = np.zeros((2, COUNT, 3))
    np.add.at(expected_forces, body, clumps.forces)
    np.add.at(expected_torques, body, np.cross(arms, clumps.forces))
    assert np.allclose(forces, expected_forces, rtol=0, atol=1e-14)
    assert np.allclose(torques, expected_torques, rtol=0, atol=1e-14)
    without = np.setdiff1d(np.arange(COUNT), body)
    assert len(without) > 0 and (forces[without] == 0).all() and (torques[without] == 0).all()
    assert np.allclose(clumps.e.point_positions(), arms, rtol=0, atol=1e-15)
    assert np.allclose(clumps.e.point_velocities(), turning, rtol=0, atol=1e-14)


def test_threads_change_no_bit():
    for one, other in zip(Clumps().results(), Clumps(threads=3).results()):
        assert same_bits(one, other)


@pytest.mark.parametrize("order", ["C", "F"])
def test_results_go_to_arrays_of_the_caller(order):
    clumps = Clumps()
    expected = clumps.results()
    of_points = np.zeros((2, len(clumps.bodies), 3), order=order)
    of_bodies = np.zeros((2, COUNT, 7), order=order)[:, :, 1:6:2]
    e = clumps.e
    assert e.point_positions(clumps.centres, out=of_points[0]).base is of_points
    assert e.point_velocities(np.asfortranarray(clumps.velocities), out=of_points[1]).base is of_points
    sums = e.sum_point_forces(np.asfortranarray(clumps.forces), out_forces=of_bodies[0], out_torques=of_bodies[1])
    assert [same_bits(*pair) for pair in zip((*of_points, *of_bodies), expected)] == [True] * 4
    assert [same_bits(*pair) for pair in zip(sums, expected[2:])] == [True] * 2


def test_points_follow_bound_orientations_and_predicted_velocities():
    clumps = Clumps()
    q, predicted = clumps.q.copy(), np.zeros((COUNT, 3))
    with pytest.raises(quatint.ArgumentError, match="predicted"):
        clumps.e.point_velocities(predicted=True)
    clumps.e.bind_orientations(q)
    clumps.e.bind_predicted_velocities(predicted, 0.05)
    clumps.e.kick_drift(0.05, 0.1, [0.1, 0.2, 0.3])
    arms = quatint.rotate(q[clumps.bodies], clumps.arms)
    assert np.allclose(clumps.e.point_positions(), arms, rtol=0, atol=1e-14)
    velocities = clumps.e.point_velocities(predicted=True)
    assert np.allclose(velocities, np.cross(predicted[clumps.bodies], arms), rtol=0, atol=1e-14)


def test_the_torques_of_points_are_what_a_kick_takes():
    clumps, expected = Clumps(), Clumps()
    arms = expected.e.point_positions()
    torques = np.zeros((COUNT, 3))
    np.add.at(torques, expected.bodies, np.cross(arms, expected.forces))
    clumps.e.kick(0.1, clumps.e.sum_point_forces(clumps.forces)[1])
    expected.e.kick(0.1, torques)
    assert np.allclose(clumps.e.angular_momenta, expected.e.angular_momenta, rtol=0, atol=1e-14)


def test_points_are_replaced_dropped_and_not_copied():
    e = quatint.Ensemble(3)
    for call in (lambda: e.point_count, e.point_positions, e.point_velocities, lambda: e.sum_point_forces([0, 0, 1])):
        with pytest.raises(quatint.OrderError, match="no points"):
            call()
    e.set_points([0, 2], [1, 2, 3])
    assert (e.point_positions() == [1, 2, 3]).all()
    e.set_points(np.array([0, 0, 1, 2], dtype=np.uint8), np.eye(4, 3))
    assert e.point_count == 4
    with pytest.raises(quatint.OrderError):
        _ = copy.copy(e).point_count
    e.set_points([], np.zeros((0, 3)))
    assert e.point_positions().shape == (0, 3)
    e.set_points([1], [[1, 2, 3]])
    for change in (lambda: e.resize(4), lambda: e.select([1, 0, 2, 3])):
        e.set_points([1], [[1, 2, 3]])
        change()
        with pytest.raises(quatint.OrderError, match="no points"):
            e.point_positions()


@pytest.mark.parametrize(
    ("bodies", "arms", "error", "words"),
    [
        ([1, 0], np.zeros((2, 3)), quatint.ArgumentError, "ascending"),
        ([0, 3], np.zeros((2, 3)), quatint.ArgumentError, "below the number"),
        ([-1], np.zeros((1, 3)), quatint.ArgumentError, "below the number"),
        ([0.0, 1.0], np.zeros((2, 3)), TypeError, "integers, not of dtype float64"),
        ([True, False, True], np.zeros((2, 3)), TypeError, "must be numbers, not bools"),
        ([[0, 1]], np.zeros((2, 3)), ValueError, r"\(n,\)"),
        ([0, 1], np.zeros((3, 3)), ValueError, "3 rows, but must have 2"),
        ([0, 1], np.zeros((2, 4)), ValueError, r"\(n, 3\)"),
        ([0, 1], [[0, 0, 0], [0, np.nan, 0]], quatint.ArgumentError, "body 1"),
    ],
)
def test_wrong_points_are_refused_and_change_nothing(bodies, arms, error, words):
    e = quatint.Ensemble(3)
    e.set_points([2], [[1, 2, 3]])
    with pytest.raises(error, match=words):
        e.set_points(bodies, arms)
    assert (e.point_positions() == [[1, 2, 3]]).all()


def test_wrong_arrays_of_points_are_refused():
    clumps = Clumps()
    e, m = clumps.e, len(clumps.bodies)
    with pytest.raises(ValueError, match=f"{COUNT - 1} rows, but must have {COUNT}"):
        e.point_positions(clumps.centres[1:])
    with pytest.raises(ValueError, match=f"{m - 1} rows, but must have {m}"):
        e.sum_point_forces(clumps.forces[1:])
    with pytest.raises(ValueError, match=f"`out` has {m - 1} rows, but {m} are needed"):
        e.point_positions(out=np.zeros((m - 1, 3)))
    with pytest.raises(TypeError, match="float32"):
        e.point_velocities(out=np.zeros((m, 3), dtype=np.float32))
    with pytest.raises(ValueError, match="read-only"):
        e.sum_point_forces(clumps.forces, out_torques=np.broadcast_to(np.zeros(3), (COUNT, 3)))
    same = np.zeros((COUNT, 3))
    with pytest.raises(quatint.ArgumentError, match="overlap"):
        e.sum_point_forces(clumps.forces, out_forces=same, out_torques=same)
    e.bind_angular_velocities(same)
    with pytest.raises(quatint.ArgumentError, match="overlap"):
        e.sum_point_forces(clumps.forces, out_torques=same)
