"""Random torques, ids and thermostats; bodies with an axis that does not turn."""

import copy
import pickle

import numpy as np
import pytest
import quatint
from conftest import same_bits

FIELD = quatint.UniformField([0, 0, 1], [0, 0, 2])  # potential energy -2 cos(theta)
PICKLED = [copy.copy, copy.deepcopy, lambda o: pickle.loads(pickle.dumps(o))]


def dipoles(count=40, method="splitting", torque=FIELD, coefficients=(1, 1, 6), **langevin):
    e = quatint.Ensemble(count, inertia=[1, 2, 3], method=method, torque=torque)
    e.langevin = quatint.Langevin(coefficients, 1.0, 42, **langevin)
    return e


def function(t, q, omega):
    return FIELD(t, q, omega)


def test_a_body_has_the_bits_of_the_one_with_its_id_in_an_ensemble():
    e = dipoles(5, flow=[0, 0, 0.3])
    e.ids = np.array([7, 2**64 - 1, 0, 2**53 + 1, 12], dtype=np.uint64)
    e.advance(0.1, 20)
    for index in range(5):
        body = quatint.Body([1, 2, 3], method="splitting", torque=FIELD)
        body.langevin = quatint.Langevin([1, 1, 6], 1.0, 42, flow=[0, 0, 0.3], id=e.ids[index])
        body.advance(0.1, 20)
        assert body.noise_draws == e.noise_draws == 20
        assert same_bits(body.orientation, e.orientations[index])
        assert same_bits(body.angular_velocity_body, e.angular_velocities_body[index])
    assert not same_bits(e.orientations[0], e.orientations[1])


def test_noise_goes_with_the_ids_of_the_bodies():
    straight, permuted = dipoles(), dipoles()
    order = np.random.default_rng(0).permutation(40)
    permuted.ids = order
    for e in (straight, permuted):
        e.advance(0.1, 10)
    assert same_bits(permuted.orientations, straight.orientations[order])
    permuted.select(np.argsort(order)[:30])
    assert permuted.ids.dtype == np.uint64
    assert permuted.ids.tolist() == list(range(30))
    permuted.resize(32)
    assert permuted.ids.tolist()[-2:] == [30, 31]
    permuted.ids = None
    assert permuted.ids.tolist() == list(range(32))


@pytest.mark.parametrize("method", ["splitting", "brownian"])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_run_that_is_restarted_from_a_file_has_the_same_bits(method, threads, tmp_path):
    going = dipoles(method=method)
    going.ids = 1000 + 3 * np.arange(40)
    going.advance(0.1, 7)
    parts = ("all", "id")
    np.savez(tmp_path / "run", rows=going.rows(parts=parts), clock=going.clock, draws=going.noise_draws)
    saved = np.load(tmp_path / "run.npz")
    again = dipoles(method=method)
    again.threads, again.clock, again.noise_draws = threads, saved["clock"], int(saved["draws"])
    again.set_rows(saved["rows"], parts=parts)
    assert again.ids.tolist() == going.ids.tolist()
    for e in (going, again):
        e.advance(0.1, 9)
    assert same_bits(again.rows(parts=parts), going.rows(parts=parts))
    assert again.noise_draws == going.noise_draws == 16


@pytest.mark.parametrize("method", ["splitting", "brownian"])
@pytest.mark.parametrize("copied", PICKLED)
@pytest.mark.parametrize("torque", [None, FIELD, function])
def test_copies_and_pickles_go_on_with_the_same_noise(method, copied, torque):
    body = quatint.Body([1, 2, 3], method=method, torque=torque)
    body.langevin = quatint.Langevin([1, 1, 6], 1.0, 42, [0, 0, 1], 2**63 + 5)
    e = dipoles(6, method, torque, coefficients=1 + np.arange(18.0).reshape(6, 3), flow=np.eye(6)[:, :3])
    e.select([5, 3, 1])
    for original in (body, e):
        original.advance(0.1, 5)
        again = copied(original)
        assert repr(again) == repr(original)
        assert "langevin=Langevin(" in repr(again)
        assert again.noise_draws == 5
        for each in (original, again):
            each.advance(0.1, 5)
        assert same_bits(again.rows(), original.rows())
    assert again.ids.tolist() == [5, 3, 1]


@pytest.mark.parametrize("method", ["splitting", "brownian"])
def test_stages_and_lists_of_active_bodies_draw_the_same_noise(method):
    e, staged, some = dipoles(6, method, function), dipoles(6, method, None), dipoles(6, method, function)
    some.active = [3, 5]
    e.advance(0.1, 5)
    some.advance(0.1, 5)
    stages = staged.stages(0.1, 5)
    for t, q, omega in stages:
        stages.send(function(t, q, omega))
    assert staged.noise_draws == 5
    assert same_bits(staged.orientations, e.orientations)
    assert same_bits(some.orientations[[3, 5]], e.orientations[[3, 5]])
    assert same_bits(some.orientations[0], [1, 0, 0, 0])


def test_the_mean_cosine_of_dipoles_is_that_of_langevin():
    for method, dt, steps in (("splitting", 0.1, 50), ("brownian", 0.01, 300)):
        e = dipoles(20_000, method)
        e.advance(dt, steps * 2)
        samples = []
        for _ in range(4):
            e.advance(dt, steps)
            samples.append(quatint.rotate(e.orientations, [0, 0, 1])[:, 2].mean())
        exact = 1 / np.tanh(2) - 1 / 2
        error = np.sqrt((1 - 2 * exact / 2 - exact**2) / 20_000)  # of one sample; <cos^2> = 1 - 2 <cos> / x
        assert abs(np.mean(samples) - exact) < 4 * error / np.sqrt(2), method


def test_thermalize_between_drifts_is_the_step_of_the_library():
    """Kick, half a drift, thermalize, half a drift, kick: BAOAB."""
    stepped, hosted = dipoles(30), dipoles(30)
    stepped.advance(0.1, 20)
    for _ in range(20):
        hosted.kick(0.05, FIELD(0, hosted.orientations, np.zeros((30, 3))))
        hosted.drift(0.05)
        hosted.thermalize(0.1)
        hosted.drift(0.05)
        hosted.kick(0.05, FIELD(0, hosted.orientations, np.zeros((30, 3))))
    assert hosted.noise_draws == 20
    assert abs(hosted.orientations - stepped.orientations).max() < 1e-13
    body = quatint.Body([1, 2, 3])
    body.langevin = quatint.Langevin([1, 1, 1], 0.0, 0, flow=[0, 0, 1])
    body.thermalize(1.5)
    assert np.allclose(body.angular_velocity, [0, 0, 1 - np.exp(-1.5 / 3)], rtol=1e-15, atol=1e-16)
    body.noise_draws = 2**64 - 1
    body.thermalize(1)
    assert body.noise_draws == 0


def test_a_host_scales_angular_momenta_to_a_temperature(spins):
    e = quatint.Ensemble(50, inertia=[1, 2, 3], angular_velocities=spins(50))
    assert e.degrees_of_freedom == 150
    assert e.temperature == 2 * e.total_kinetic_energy / 150
    momenta = e.angular_momenta
    e.scale_angular_momenta(np.sqrt(0.7 / e.temperature))
    assert abs(e.temperature - 0.7) < 1e-14
    assert np.allclose(e.angular_momenta, momenta * (e.angular_momenta[0, 1] / momenta[0, 1]), rtol=1e-13)
    e.active = [0, 1]
    assert e.degrees_of_freedom == 6
    assert np.isnan(quatint.Ensemble(0).temperature)


def test_rotors_of_an_ensemble_are_found_beside_random_torques(spins):
    e = quatint.Ensemble(6, torque=FIELD)
    e.rotor_momentum = spins(6)
    e.langevin = quatint.Langevin([1, 2, 3], 1.0, 1, flow=[4, 5, 6])
    assert same_bits(e.rotor_momentum, spins(6))
    e.drag = None
    for copied in PICKLED:
        again = copied(e)
        assert same_bits(again.rotor_momentum, spins(6))
        assert same_bits(again.rows(), e.rows())
    e.langevin = None
    assert same_bits(e.rotor_momentum, spins(6))
    e.rotor_momentum = None
    assert e.rotor_momentum is None


def test_what_random_torques_exclude_is_refused_and_changes_nothing():
    body, e = quatint.Body([1, 2, 3]), quatint.Ensemble(4)
    for each in (body, e):
        each.langevin = quatint.Langevin([1, 1, 1], 1.0, 1)
        before = each.langevin
        with pytest.raises(quatint.ArgumentError, match="random torques"):
            each.step(0.1)  # by PCDM
        with pytest.raises(quatint.ArgumentError, match="one drag"):
            each.drag = [1, 1, 1]
        with pytest.raises(TypeError, match=r"quatint.Langevin or None, not LinearDrag"):
            each.langevin = quatint.LinearDrag([1, 1, 1])
        with pytest.raises(quatint.ArgumentError, match="`coefficients` must not be negative"):
            each.langevin = quatint.Langevin([1, -1, 1], 1.0, 1)
        each.method = "splitting"
        with pytest.raises(quatint.ArgumentError, match="`dt`"):
            each.step(-0.1)
        each.langevin = before
        assert each.drag is None
        assert (each.noise_draws, each.time) == (0, 0)
        each.langevin = None
        each.method = "brownian"
        with pytest.raises(quatint.ArgumentError, match="random torques"):
            each.step(0.1)
        with pytest.raises(quatint.ArgumentError, match="random torques"):
            each.thermalize(0.1)
    body.langevin = before
    with pytest.raises(quatint.ArgumentError):
        body.solve(1)
    with pytest.raises(quatint.ArgumentError, match="set `ids` of the ensemble"):
        e.langevin = quatint.Langevin([1, 1, 1], 1.0, 1, id=3)
    for wrong in ([1, 2, 3], [[1, 2, 3, 4]]):
        with pytest.raises(ValueError, match=r"`ids` must have the shape \((4|n),\)"):
            e.ids = wrong
    for wrong in ([0.5, 1, 2, 3], [-1, 1, 2, 3], ["a", "b", "c", "d"]):
        with pytest.raises(TypeError, match="`ids` must be whole numbers"):
            e.ids = wrong
    for wrong in (-1, 2**64):
        with pytest.raises(ValueError, match="`seed` must be from 0"):
            quatint.Langevin([1, 1, 1], 1.0, wrong)
    with pytest.raises(TypeError):
        quatint.Langevin([1, 1, 1], 1.0, 0.5)


@pytest.mark.parametrize("method", ["pcdm", "splitting", "splitting_4", "cf4"])
def test_linear_molecules_keep_their_energy_and_do_not_spin(method, spins):
    q = quatint.orientation_from_rotation_vector(spins(20))
    e = quatint.Ensemble(20, inertia=[1, 1, 0], orientations=q, angular_velocities=spins(20), method=method)
    e.torque = FIELD
    lone = quatint.Body([1, 1, 0], q[3], spins(20)[3], torque=FIELD, method=method)
    assert e.degrees_of_freedom == 40
    assert not e.angular_velocities_body[:, 2].any()

    def energy():
        return e.total_kinetic_energy - 2 * quatint.rotate(e.orientations, [0, 0, 1])[:, 2].sum()

    before = energy()
    for each in (e, lone):
        each.advance(0.01, 200)
    assert abs(energy() - before) < 2e-3
    assert not e.angular_velocities_body[:, 2].any()
    for copied in PICKLED:
        assert same_bits(copied(lone).orientation, e.orientations[3])
        assert same_bits(copied(e).orientations, e.orientations)
    with pytest.raises(quatint.ArgumentError, match="inertia"):
        quatint.Body([1, 2, 0])


def test_linear_molecules_at_a_temperature_have_two_degrees_of_freedom():
    e = quatint.Ensemble(20_000, inertia=[1, 1, 0], method="splitting")
    e.langevin = quatint.Langevin([1, 1, 0], 0.5, 3)
    e.advance(0.5, 40)
    assert abs(e.temperature - 0.5) < 4 * 0.5 * np.sqrt(2 / e.degrees_of_freedom)


def test_bodies_in_the_plane_diffuse_about_its_normal():
    n, dt, steps = 20_000, 0.01, 20
    e = quatint.Ensemble(n, inertia=[0, 0, 1], angular_velocities=[1, 2, 3], method="brownian")
    assert e.degrees_of_freedom == n
    assert same_bits(e.angular_velocities, np.tile([0.0, 0, 3], (n, 1)))
    e.langevin = quatint.Langevin([1, 1, 2], 1.0, 5)  # D = 1/2
    e.advance(dt, steps)
    assert not e.orientations[:, 1:3].any()
    angles = quatint.orientation_to_rotation_vector(e.orientations)[:, 2]
    assert abs(angles.mean()) < 4 * np.sqrt(dt * steps / n)
    assert abs(angles.var() / (dt * steps) - 1) < 4 * np.sqrt(2 / n)
