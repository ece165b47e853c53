function test_kicks()
  run_tests({@the_torque_of_a_kick_may_be_a_column_or_empty, @a_drift_does_not_use_the_torque_and_can_be_undone, ...
    @kickDrift_has_the_bits_of_a_kick_and_a_drift, ...
    @a_prediction_is_the_velocity_after_the_drift_and_the_torque_for_as_long_as_said, ...
    @a_prediction_belongs_to_the_caller, @only_active_bodies_are_kicked_and_drift, ...
    @an_ensemble_of_none_is_kicked_and_drifts, @large_ensembles_come_through_whole, @threads_change_no_bit, ...
    @a_command_acts_from_the_next_step_on_after_forgetTorque, ...
    @torque_and_acceleration_are_those_of_the_present_state, ...
    @what_is_refused_changes_nothing, @a_torque_function_cannot_kick_its_own_body, @what_is_deleted_is_an_error});
end

function e = some_bodies(n)
  e = quatint.Ensemble(n);
  e.inertia = [2 0.1 0; 0.1 3 0.2; 0 0.2 4];
  e.orientation = quatint.fromAxisAngle([1 2 3], linspace(0, 3, n)');
  e.angularVelocity = [linspace(0, 1, n)', ones(n, 1), linspace(2, -1, n)'];
end

function b = some_body(k, n)
% body k of some_bodies(n)
  b = quatint.Body([2 0.1 0; 0.1 3 0.2; 0 0.2 4]);
  [q, omega] = deal(quatint.fromAxisAngle([1 2 3], linspace(0, 3, n)'), ...
                    [linspace(0, 1, n)', ones(n, 1), linspace(2, -1, n)']);
  b.orientation = q(k, :);
  b.angularVelocity = omega(k, :);
end

function x = state(e)
  x = [e.orientation, e.angularVelocity, repmat(e.time, size(e.orientation, 1), 1)];
end

function the_torque_of_a_kick_may_be_a_column_or_empty()
  b = quatint.Body(diag([1 2 4]));
  b.kick(2, [1; 1; 1]);
  check(abs(b.angularVelocity - [2 1 0.5]) < 1e-15);
  b.kick(2, []);
  check(abs(b.angularVelocity - [2 1 0.5]) < 1e-15);
end

function a_drift_does_not_use_the_torque_and_can_be_undone()
  e = some_bodies(9);
  e.torque = @(t, q, omega) error('a drift does not use the torque');
  e.drift(7);
  check(e.time == 7);
  e.drift(-7);
  check(abs(state(e) - state(some_bodies(9))) < 1e-13);
end

function kickDrift_has_the_bits_of_a_kick_and_a_drift()
  [a, b, c] = deal(some_bodies(50), some_bodies(50), some_bodies(50));
  torques = reshape(sin(1:150), 50, 3);
  a.kickDrift(0.1, 0.2, torques);
  b.kick(0.1, torques);
  b.drift(0.2);
  predicted = c.kickDrift(0.1, 0.2, torques);
  same_bits(state(a), state(b));
  same_bits(state(a), state(c));
  a.kickDrift(0.1, 0.2, []);
  b.drift(0.2);
  check(abs(state(a) - state(b)) < 1e-14);
end

function a_prediction_is_the_velocity_after_the_drift_and_the_torque_for_as_long_as_said()
  for n = [1 7]
    [e, f] = deal(some_bodies(n), some_bodies(n));
    torques = reshape(sin(1:3 * n), n, 3);  % body frame
    predicted = e.kickDrift(0.1, 0.4, torques, 'frame', 'body', 'ahead', 0.3);
    f.kickDrift(0.1, 0.4, torques, 'frame', 'body');
    same_bits(state(e), state(f));
    f.kick(0.3, torques, 'frame', 'body');
    check(isequal(size(predicted), [n 3]) && all(all(abs(predicted - f.angularVelocity) < 1e-14)));
    [e, f] = deal(some_bodies(n), some_bodies(n));
    same_bits(e.kickDrift(0.1, 0.4, torques), f.kickDrift(0.1, 0.4, torques, 'frame', 'world', 'ahead', 0.2));
    [e, f] = deal(some_bodies(n), some_bodies(n));
    predicted = e.kickDrift(0.1, 0.4, [], 'frame', 'world', 'ahead', 5);
    check(abs(predicted - e.angularVelocity) < 1e-14);
  end
end

function a_prediction_belongs_to_the_caller()
  for n = [3 5000]
    e = some_bodies(n);
    first = e.kickDrift(0.1, 0.2, ones(n, 3));
    kept = first + 0;
    copy = first;
    second = e.kickDrift(0.1, 0.2, ones(n, 3));
    e.kickDrift(0.1, 0.2, ones(n, 3));
    e.kick(0.1, ones(n, 3));
    e.advance(0.1, 3);
    same_bits(first, kept);
    same_bits(copy, kept);
    clear first second copy
    bad = ones(n, 3);
    bad(2, 1) = NaN;
    fails_with('quatint:NonFinite', @() one_output(@() e.kickDrift(0.1, 0.2, bad)), 'body 2: the torque is not finite');
    before = state(e);
    fails_with('quatint:NonFinite', @() one_output(@() e.kickDrift(0.1, 0.2, ones(n, 3), 'frame', 'world', 'ahead', Inf)), '`ahead` is');
    same_bits(state(e), before);
    e.kickDrift(0.1, 0.2, ones(n, 3));
  end
end

function x = one_output(action)
  x = action();
end

function only_active_bodies_are_kicked_and_drift()
  for n = [10 2000]
    [e, all] = deal(some_bodies(n), some_bodies(n));
    start = state(e);
    e.active = [2 3 9];
    rest = setdiff(1:n, [2 3 9]);
    torques = reshape(sin(1:3 * n), n, 3);
    some = torques;
    some(rest, :) = NaN;  % is not read
    predicted = e.kickDrift(0.1, 0.2, some);
    predicted_of_all = all.kickDrift(0.1, 0.2, torques);
    same_bits(e.orientation([2 3 9], :), all.orientation([2 3 9], :));
    same_bits(predicted([2 3 9], :), predicted_of_all([2 3 9], :));
    same_bits(predicted(rest, :), start(rest, 5:7));
    e.kick(0.1, some);
    e.drift(0.3);
    same_bits(e.orientation(rest, :), start(rest, 1:4));
    same_bits(e.angularVelocity(rest, :), start(rest, 5:7));
    fails_with('quatint:Size', @() e.kick(0.1, ones(3, 3)), sprintf('must be %d-by-3, not 3-by-3', n));
  end
end

function an_ensemble_of_none_is_kicked_and_drifts()
  e = quatint.Ensemble(0);
  e.kick(0.1, zeros(0, 3));
  e.kick(0.1, []);
  e.drift(0.5);
  check(isequal(size(e.kickDrift(0.1, 0.5, zeros(0, 3))), [0 3]));
  check(e.time == 1);
end

function large_ensembles_come_through_whole()
  n = 20000;
  [e, some] = deal(some_bodies(n), round(linspace(1, n, 10)));
  part = quatint.Ensemble(10);
  part.inertia = e.inertia;
  q = quatint.fromAxisAngle([1 2 3], linspace(0, 3, n)');
  omega = [linspace(0, 1, n)', ones(n, 1), linspace(2, -1, n)'];
  part.orientation = q(some, :);
  part.angularVelocity = omega(some, :);
  torques = reshape(sin(1:3 * n), n, 3);
  for k = 1:3
    predicted = e.kickDrift(0.1, 0.2, torques);
    same_bits(predicted(some, :), part.kickDrift(0.1, 0.2, torques(some, :)));
  end
  same_bits(e.orientation(some, :), part.orientation);
  same_bits(e.angularVelocity(some, :), part.angularVelocity);
end

function threads_change_no_bit()
  [one, three] = deal(some_bodies(3000), some_bodies(3000));
  three.threads = 3;
  torques = reshape(sin(1:9000), 3000, 3);
  for k = 1:3
    same_bits(one.kickDrift(0.1, 0.2, torques), three.kickDrift(0.1, 0.2, torques));
  end
  same_bits(state(one), state(three));
end

function what_is_refused_changes_nothing()
  e = some_bodies(300);
  before = state(e);
  good = ones(300, 3);
  bad = good;
  bad(200, 2) = NaN;
  cases = {
    @() e.kick(0.1, bad), 'quatint:NonFinite', 'body 200: the torque is not finite'
    @() e.kickDrift(0.1, 0.1, bad), 'quatint:NonFinite', 'body 200: the torque is not finite'
    @() e.kick(1e200, 1e200 * good), 'quatint:NonFinite', 'body 1: the motion overflows'
    @() e.kick(NaN, good), 'quatint:NonFinite', 'is NaN'
    @() e.drift(Inf), 'quatint:NonFinite', 'is inf'
    @() e.kickDrift(0.1, NaN, good), 'quatint:NonFinite', 'is NaN'
    @() e.kick([1 2], good), 'quatint:Size', '`duration` must be one number'
    @() e.drift('x'), 'quatint:Type', '`duration`'
    @() e.kickDrift({}, 1, good), 'quatint:Type', '`kick`'
    @() e.kickDrift(1, [], good), 'quatint:Size', '`drift`'
    @() e.kick(0.1, good'), 'quatint:Size', '`torque` must be 300-by-3, not 3-by-300'
    @() e.kick(0.1, [1 2 3]), 'quatint:Size', '`torque` must be 300-by-3, not 1-by-3'
    @() e.kick(0.1, zeros(0, 3)), 'quatint:Size', 'not 0-by-3'
    @() e.kick(0.1, single(good)), 'quatint:Type', 'class double, not single'
    @() e.kick(0.1, {}), 'quatint:Type', 'not cell'
    @() e.kick(0.1, ''), 'quatint:Type', 'not char'
    @() e.kick(0.1, good, 'frame', 'moon'), 'quatint:Invalid', '`frame` must be ''world'' or ''body'''
    @() e.kick(0.1, good, 'frame', 1), 'quatint:Invalid', '`frame` must be'
    @() e.kickDrift(0.1, 0.1, good, 'frame', 'a long frame'), 'quatint:Invalid', '`frame` must be'
    @() one_output(@() e.kickDrift(0.1, 0.1, good, 'frame', 'body', 'ahead', [1 2])), 'quatint:Size', '`ahead` must be one number'
  };
  for k = 1:size(cases, 1)
    fails_with(cases{k, 2}, cases{k, 1}, cases{k, 3});
    same_bits(state(e), before);
  end
end

function a_torque_function_cannot_kick_its_own_body()
  b = some_body(1, 1);
  before = state(b);
  for action = {@() b.kick(0.1, [1 2 3]), @() b.drift(0.1)}
    b.torque = @(t, q, omega) do_it(action{1});
    fails_with('quatint:Order', @() b.step(0.1));
    same_bits(state(b), before);
  end
end

function torque = do_it(action)
  torque = [0 0 0];
  action();
end

function what_is_deleted_is_an_error()
  e = some_bodies(3);
  delete(e);
  for action = {@() e.kick(0.1, ones(3)), @() e.drift(0.1), @() e.kickDrift(0.1, 0.1, ones(3))}
    fails_with('quatint:Deleted', action{1}, 'this object has been deleted');
  end
end

function a_command_acts_from_the_next_step_on_after_forgetTorque()
  global command
  for bodies = {quatint.Body(diag([1, 2, 3])), quatint.Ensemble(2)}
    e = bodies{1};
    e.method = 'splitting';
    e.torque = @commanded;
    momenta = zeros(2, 3);
    for forgets = [false, true]
      command = [1, 0, 0];
      e.step(0.1);
      before = sum(e.angularMomentum, 1);
      command = [0, 0, 0];
      if forgets, e.forgetTorque(); end
      e.step(0.1);
      momenta(1 + forgets, :) = sum(e.angularMomentum, 1) - before;
    end
    check(norm(momenta(1, :)) > 0.04, 'without it the old torque acts for half a step');
    check(norm(momenta(2, :)) < 1e-14, 'after it the new one acts');
  end
  clear global command
end

function torque = commanded(~, q, ~)
  global command
  torque = repmat(command, size(q, 1), 1);
end

function torque_and_acceleration_are_those_of_the_present_state()
  for torque = {@(t, q, omega) [1 + t, 2 * q(1), 3] - omega, quatint.constantTorque([1, 2, 3])}
    b = some_body(2, 3);
    b.method = 'splitting';
    b.torque = torque{1};
    b.setDrag([0.1, 0.2, 0.3]);
    b.rotorMomentum = [0.5, -0.2, 0.1];
    b.rotorTorque = [0.01, 0.02, 0.03];
    b.advance(0.05, 3);
    before = {b.orientation, b.angularVelocityBody, b.clock};
    if isa(torque{1}, 'function_handle')
      acting = torque{1}(b.time, b.orientation, b.angularVelocity);
    else
      acting = [1, 2, 3];
    end
    omega = b.angularVelocityBody;
    of_others = -[0.1, 0.2, 0.3] .* omega + b.rotorTorque;
    acting = acting + quatint.rotateToWorld(b.orientation, of_others);
    momentum = omega * b.inertia + b.rotorMomentum;
    of_body = quatint.rotateToBody(b.orientation, acting) + cross(momentum, omega);
    acceleration = quatint.rotateToWorld(b.orientation, of_body / b.inertia);
    check(norm(b.actingTorque() - acting) < 1e-14 * norm(acting), 'the torque that acts');
    check(norm(b.angularAcceleration() - acceleration) < 1e-13 * norm(acceleration), 'the angular acceleration');
    check(isequal(before, {b.orientation, b.angularVelocityBody, b.clock}), 'the body stays as it is');
  end
  b.torque = @(t, q, omega) error('test:fails', 'on purpose');
  fails_with('test:fails', @() b.actingTorque(), 'on purpose');
  e = quatint.Ensemble(1);
  check(~ismethod(e, 'actingTorque'), 'an ensemble has none');
end
