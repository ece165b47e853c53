function test_random()
  run_tests({@a_body_has_the_bits_of_the_one_with_its_id_in_an_ensemble, @noise_goes_with_the_ids_of_the_bodies, ...
    @a_run_restarted_from_rows_has_the_same_bits, @saved_objects_go_on_with_the_same_noise, ...
    @thermalize_between_drifts_is_the_step_of_the_library, ...
    @drag_alone_decays_at_its_rate, @a_host_scales_angular_momenta_to_a_temperature, ...
    @rotors_of_an_ensemble_are_found_beside_random_torques, @what_random_torques_exclude_is_refused, ...
    @a_new_inertia_keeps_random_torques, @wrong_numbers_are_refused, @linear_molecules_keep_their_energy_and_do_not_spin, ...
    @linear_molecules_have_two_degrees_of_freedom});
end

% Potential energy -2 cos(theta) of the third body axis in a field along z, kT = 1.
function e = dipoles(n, method, torque)
  e = quatint.Ensemble(n);
  e.setPrincipalInertias([1 2 3]);
  e.method = method;
  e.torque = torque;
  e.setLangevin([1 1 6], 1, 'seed', 42);
end

function torque = field()
  torque = quatint.uniformField([0 0 1], [0 0 2]);
end

function torque = field_function()
  torque = @(t, q, omega) quatint.uniformFieldTorque(q, [0 0 1], [0 0 2]);
end

function rows = spins(n)
  rows = sin(0.1 * (0:n-1)' + (0:2));
end

function a_body_has_the_bits_of_the_one_with_its_id_in_an_ensemble()
  for method = {'splitting', 'brownian'}
    for torque = {[], field(), field_function()}
      e = dipoles(4, method{1}, torque{1});
      e.setLangevin([1 1 6], 1, 'seed', uint64(18446744073709551615), 'flow', [0 0 0.3]);
      e.ids = [uint64(7), bitshift(uint64(1), 63) + 5, uint64(0), bitshift(uint64(1), 53) + 1];
      e.advance(0.1, 20);
      for i = 1:4
        b = quatint.Body(diag([1 2 3]));
        b.method = method{1};
        b.torque = torque{1};
        b.setLangevin([1 1 6], 1, 'seed', uint64(18446744073709551615), 'flow', [0 0 0.3], 'id', e.ids(i));
        b.advance(0.1, 20);
        check(isequal(b.noiseDraws, uint64(20)) && isa(b.noiseDraws, 'uint64'));
        same_bits(b.orientation, e.orientation(i, :));
        same_bits(b.angularVelocityBody, e.angularVelocityBody(i, :));
      end
      check(~isequal(e.orientation(1, :), e.orientation(2, :)));
    end
  end
end

function noise_goes_with_the_ids_of_the_bodies()
  [straight, permuted] = deal(dipoles(20, 'splitting', field()), dipoles(20, 'splitting', field()));
  order = mod(7 * (0:19), 20) + 1;
  permuted.ids = order - 1;
  straight.advance(0.1, 10);
  permuted.advance(0.1, 10);
  same_bits(permuted.orientation, straight.orientation(order, :));
  [~, back] = sort(order);
  permuted.select(back(1:15));
  check(isa(permuted.ids, 'uint64') && isequal(permuted.ids, uint64(0:14)'));
  permuted.resize(17);
  check(isequal(permuted.ids(16:17), uint64([15; 16])));
  permuted.ids = uint64(100):uint64(116);
  permuted.ids = [];
  check(isequal(permuted.ids, uint64(0:16)'));
end

function a_run_restarted_from_rows_has_the_same_bits()
  for method = {'splitting', 'brownian'}
    going = dipoles(10, method{1}, field());
    going.ids = 1000 + 3 * (0:9);
    going.advance(0.1, 7);
    [x, clock, draws] = deal(going.rows({'all', 'id'}), going.clock, going.noiseDraws);
    again = dipoles(10, method{1}, field());
    again.threads = 2;
    again.clock = clock;
    again.noiseDraws = draws;
    again.setRows(x, {'all', 'id'});
    check(isequal(again.ids, going.ids));
    going.advance(0.1, 9);
    again.advance(0.1, 9);
    same_bits(again.rows({'all', 'id'}), going.rows({'all', 'id'}));
    check(isequal(again.noiseDraws, uint64(16)));
  end
end

function saved_objects_go_on_with_the_same_noise()
  for torque = {[], field(), field_function()}
    e = dipoles(6, 'splitting', torque{1});
    e.setLangevin(1 + abs(spins(6)), 1, 'seed', 42, 'flow', spins(6));
    e.select([6 4 2]);
    b = quatint.Body(diag([1 2 3]));
    b.method = 'brownian';
    b.torque = torque{1};
    b.setLangevin([1 1 6], 1, 'seed', uint64(2)^60, 'id', 5);
    for original = {e, b}
      o = original{1};
      o.advance(0.1, 5);
      again = o.loadobj(o.saveobj());
      check(isequal(again.noiseDraws, uint64(5)));
      check(~isa(o, 'quatint.Body') || isequal(again.langevin, o.langevin));
      o.advance(0.1, 5);
      again.advance(0.1, 5);
      same_bits(again.rows(), o.rows());
    end
    check(isequal(e.ids, uint64([5; 3; 1])));
  end
end

% Kick, half a drift, thermalize, half a drift, kick: BAOAB.
function thermalize_between_drifts_is_the_step_of_the_library()
  torque = @(e) quatint.uniformFieldTorque(e.orientation, [0 0 1], [0 0 2]);
  [stepped, hosted] = deal(dipoles(15, 'splitting', field()), dipoles(15, 'splitting', []));
  stepped.advance(0.1, 20);
  for step = 1:20
    hosted.kick(0.05, torque(hosted));
    hosted.drift(0.05);
    hosted.thermalize(0.1);
    hosted.drift(0.05);
    hosted.kick(0.05, torque(hosted));
  end
  check(isequal(hosted.noiseDraws, uint64(20)));
  check(abs(hosted.orientation - stepped.orientation) < 1e-13);
end

function drag_alone_decays_at_its_rate()
  b = quatint.Body(diag([1 2 3]));
  b.setLangevin([1 1 1], 0, 'seed', 0, 'flow', [0 0 1]);
  b.thermalize(1.5);
  check(abs(b.angularVelocity - [0, 0, 1 - exp(-1.5 / 3)]) < 1e-15);
  b.noiseDraws = uint64(18446744073709551615);
  b.thermalize(1);
  check(isequal(b.noiseDraws, uint64(0)));
end

function a_host_scales_angular_momenta_to_a_temperature()
  e = quatint.Ensemble(50);
  e.setPrincipalInertias([1 2 3]);
  e.angularVelocity = spins(50);
  check(e.degreesOfFreedom == 150 && e.temperature == 2 * e.totalKineticEnergy / 150);
  [before, factor] = deal(e.angularMomentum, sqrt(0.7 / e.temperature));
  e.scaleAngularMomenta(factor);
  check(abs(e.temperature - 0.7) < 1e-14);
  check(abs(e.angularMomentum - factor * before) < 1e-14);
  e.active = [1 2];
  check(e.degreesOfFreedom == 6);
end

function rotors_of_an_ensemble_are_found_beside_random_torques()
  e = quatint.Ensemble(6);
  e.torque = field();
  e.rotorMomentum = spins(6);
  e.setLangevin([1 2 3], 1, 'seed', 1, 'flow', [4 5 6]);
  same_bits(e.rotorMomentum, spins(6));
  same_bits(quatint.Ensemble.loadobj(e.saveobj()).rotorMomentum, spins(6));
  e.setLangevin([]);
  same_bits(e.rotorMomentum, spins(6));
  check(isequal(e.langevin, []));
end

function what_random_torques_exclude_is_refused()
  for made = {quatint.Body(eye(3)), quatint.Ensemble(3)}
    e = made{1};
    e.setLangevin([1 1 1], 1, 'seed', 1);
    before = e.rows();
    fails_with('quatint:Invalid', @() e.step(0.1), 'random torques');  % by PCDM
    fails_with('quatint:Invalid', @() e.setDrag([1 1 1]), 'one drag');
    fails_with('quatint:Invalid', @() e.setLangevin([1 -1 1], 1, 'seed', 1), 'must not be negative');
    e.method = 'splitting';
    fails_with('quatint:Invalid', @() e.step(-0.1), 'dt');
    check(isequal(e.noiseDraws, uint64(0)) && isequal(e.drag, []) && isequal(e.langevin.coefficients, [1 1 1]));
    same_bits(e.rows({'state', 'inertia', 'torque'}), before);
    e.rotorMomentum = [1 0 0];
    fails_with('quatint:Invalid', @() e.step(0.1), 'rotor');
    e.rotorMomentum = [];
    e.setLangevin([]);
    e.method = 'brownian';
    fails_with('quatint:Invalid', @() e.step(0.1), 'random torques');
    fails_with('quatint:Invalid', @() e.thermalize(0.1), 'random torques');
  end
  b = quatint.Body(eye(3));
  b.setLangevin([1 1 1], 1, 'seed', 1);
  fails_with('quatint:Invalid', @() b.solve(1, 1e-9), 'random torques');
  b.torque = @(t, q, omega) [0 0 0];
  fails_with('quatint:Invalid', @() b.solve(1, 1e-9), 'random torques');
end

function a_new_inertia_keeps_random_torques()
  b = quatint.Body(eye(3));
  b.setLangevin([1 1 1], 1, 'seed', 1);
  b.inertia = diag([1 2 3]);
  fails_with('quatint:Invalid', @() b.solve(1, 1e-9), 'random torques');
  b.method = 'splitting';
  b.step(0.1);
  check(any(b.angularVelocity) && isequal(b.noiseDraws, uint64(1)));
end

function wrong_numbers_are_refused()
  e = quatint.Ensemble(3);
  for seed = {-1, 0.5, NaN, 2^54}
    fails_with('quatint:Invalid', @() e.setLangevin([1 1 1], 1, 'seed', seed{1}), 'seed');
  end
  fails_with('quatint:Type', @() e.setLangevin([1 1 1], 1, 'seed', int32(4)), 'seed');
  fails_with('quatint:Arguments', @() e.setLangevin([1 1 1]), 'e.setLangevin(c, kT');
  fails_with('quatint:Arguments', @() e.setLangevin([1 1 1], 1, 'id', 3), 'there is no argument ''id''');
  fails_with('quatint:Size', @() e.setLangevin([1 1], 1, 'seed', 1), 'coefficients');
  fails_with('quatint:Size', @() set_property(e, 'ids', [1 2]), '`ids` must be 3 numbers');
  fails_with('quatint:Invalid', @() set_property(e, 'ids', [1 2 -3]), 'ids');
  fails_with('quatint:Invalid', @() e.rows('ids'), '''id''');
  check(isequal(e.langevin, []) && isequal(e.ids, uint64([0; 1; 2])));
end

function linear_molecules_keep_their_energy_and_do_not_spin()
  omega = spins(10);
  q = quatint.fromRotationVector(omega);
  for method = {'pcdm', 'splitting', 'splitting4', 'cf4'}
    e = quatint.Ensemble(10);
    e.setPrincipalInertias([1 1 0]);
    e.method = method{1};
    e.torque = field();
    e.orientation = q;
    e.angularVelocity = omega;
    energy = @() e.totalKineticEnergy - 2 * sum(1 - 2 * sum(e.orientation(:, 2:3).^2, 2));
    before = energy();
    b = quatint.Body(diag([1 1 0]), q(4, :), omega(4, :));
    b.method = method{1};
    b.torque = field();
    e.advance(0.01, 200);
    b.advance(0.01, 200);
    check(abs(energy() - before) < 2e-3, '%s: %g', method{1}, energy() - before);
    check(~any(e.angularVelocityBody(:, 3)) && e.degreesOfFreedom == 20);
    same_bits(b.orientation, e.orientation(4, :));
  end
end

function linear_molecules_have_two_degrees_of_freedom()
  e = quatint.Ensemble(10000);
  e.setPrincipalInertias([1 1 0]);
  e.method = 'splitting';
  e.setLangevin([1 1 0], 0.5, 'seed', 3);
  e.advance(0.5, 40);
  check(abs(e.temperature - 0.5) < 4 * 0.5 * sqrt(2 / e.degreesOfFreedom), '%g', e.temperature);
end
