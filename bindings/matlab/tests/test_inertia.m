function test_inertia()
  run_tests({@another_inertia_keeps_the_velocity_or_the_momentum, @another_inertia_leaves_the_rest_of_the_body, ...
    @a_body_does_not_turn_about_locked_axes, @a_locked_body_does_all_that_a_body_does, @locks_add_up_until_another_inertia, ...
    @the_inertia_tells_the_locks, @all_bodies_of_an_ensemble_may_lock_the_same_axes, @each_body_may_lock_axes_of_its_own, ...
    @a_saved_body_keeps_its_locks, @a_saved_ensemble_keeps_its_locks, @wrong_inertias_are_refused, @wrong_axes_are_refused, ...
    @a_torque_function_cannot_lock_its_body, @what_is_deleted_is_an_error, @an_inertia_changes_with_the_clock_and_then_stays, ...
    @steps_in_a_changing_inertia_have_order_2, @an_error_in_the_inertia_stops_the_body_where_it_was, ...
    @a_wrong_inertia_function_is_refused, @random_torques_act_on_a_changing_inertia, @another_inertia_ends_the_change, @a_saved_body_keeps_its_inertia_function});
end

function I = swelling(t)
% The inertia of a body whose end was computed elsewhere.
  I = diag([1 + 0.1 * t, 2 + 0.05 * t, 3]);
end

function b = swelling_body(f)
  b = quatint.Body(swelling(0), [], [0.3 1 0.5]);
  b.setInertiaFunction(f);
end

function distance = from_end(b)
  distance = max(abs(b.angularVelocityBody - [0.1248670609424564 -0.7487586384725389 0.5551412234308847]));
end

function an_inertia_changes_with_the_clock_and_then_stays()
  b = swelling_body(@swelling);
  b.solve(10, 1e-12);
  check(from_end(b) < 1e-10);
  check(abs(b.inertia - swelling(10)) < 1e-15);
  check(abs(b.angularMomentum - [0.3 2 1.5]) < 1e-10);
  check(abs(b.kineticEnergy - 0.5 * b.angularVelocityBody.^2 * [2; 2.5; 3]) < 1e-15);
  check(~isempty(strfind(evalc('disp(b)'), 'swelling')));
  fails_with('quatint:Invalid', @() b.step(0.1), 'splitting of order 2');
  fails_with('quatint:Invalid', @() b.angularAcceleration(), 'constant inertia');
  b.setInertiaFunction([]);
  constant = quatint.Body(swelling(10));
  [constant.orientation, constant.angularVelocityBody, constant.time] = deal(b.orientation, b.angularVelocityBody, b.time);
  b.step(0.1);
  constant.step(0.1);
  same_bits(state(b), state(constant));
end

function steps_in_a_changing_inertia_have_order_2()
  errors = zeros(1, 2);
  for k = 1:2
    b = swelling_body(@swelling);
    b.method = 'splitting';
    b.torque = @(t, q, omega) [0 0 0];
    b.advance(10 / (100 * k), 100 * k);
    errors(k) = from_end(b);
  end
  check(errors(1) < 1e-3 && abs(errors(1) / errors(2) - 4) < 0.3, '%g %g', errors);
  b = swelling_body(@swelling);
  b.method = 'splitting';
  c = swelling_body(@swelling);
  for k = 1:20
    b.step(0.05);
    c.kick(0.025, [0 0 0]);
    c.drift(0.05);
    c.kick(0.025, [0 0 0]);
  end
  check(abs(state(b) - state(c)) < 1e-13);
  [t, ~, omega] = c.record(0, 1);
  check(isequal(t, [c.time; c.time]) && isequal(omega(1, :), omega(2, :)));
end

function I = failing(t)
  if t > 1
    error('inertia:trouble', 'no inertia at %g', t);
  end
  I = swelling(t);
end

function I = stepping(b)
  b.step(0.1);
  I = b.inertia;
end

function set_clock(b)
  b.clock = [2 0];
end

function set_time(b)
  b.time = 2;
end

function an_error_in_the_inertia_stops_the_body_where_it_was()
  for torque = {[], quatint.linearDrag([1 1 1]), @(t, q, omega) -omega}
    b = swelling_body(@failing);
    b.method = 'splitting';
    b.torque = torque{1};
    fails_with('inertia:trouble', @() b.advance(0.3, 10), 'no inertia at 1.');
    check(abs(b.time - 0.9) < 1e-15);
    [x, I] = deal(state(b), b.inertia);
    for action = {@() b.step(0.3), @() b.drift(0.3), @() b.record(0.3, 2), @() set_clock(b), @() set_time(b)}
      fails_with('inertia:trouble', action{1});
      same_bits(state(b), x);
      same_bits(b.inertia, I);
    end
    for action = {@() b.solve(5, 1e-9), @() b.solve([2 5], 1e-9), @() b.solveUntil(5, @(t, q, omega) 1, 1e-9)}
      fails_with('inertia:trouble', action{1});
      check(b.time < 1);
      check(abs(b.inertia - swelling(b.time)) < 1e-15);
    end
  end
end

function a_wrong_inertia_function_is_refused()
  b = swelling_body(@swelling);
  fails_with('quatint:Type', @() b.setInertiaFunction([1 2 3]), 'a function @(t), or []');
  fails_with('quatint:Size', @() b.setInertiaFunction(@(t) [1 2 3]), 'inertia');
  fails_with('inertia:trouble', @() b.setInertiaFunction(@(t) failing(2)));
  fails_with('quatint:Inertia', @() b.setInertiaFunction(@(t) diag([1 -2 3])), 'the inertia function, at time 0');
  fails_with('quatint:Order', @() b.setInertiaFunction(@(t) stepping(b)), 'in use');
  b.solve(10, 1e-12);
  check(from_end(b) < 1e-10);
end

function random_torques_act_on_a_changing_inertia()
  omega = zeros(2, 3);
  for changes = 1:2
    b = quatint.Body(swelling(0), 'method', 'splitting');
    b.setLangevin([1 1 1], 1, 'seed', 7);
    if changes == 2, b.setInertiaFunction(@(t) (1 + 1000 * t) * swelling(0)); end
    b.step(0.1);
    omega(changes, :) = b.angularVelocity;
    check(isequal(b.noiseDraws, uint64(1)));
  end
  check(norm(omega(1, :)) > 2 * norm(omega(2, :)), 'the heavier body moves less');
end

function another_inertia_ends_the_change()
  for action = {@(b) b.setInertia(plate(), 'angularVelocity'), @(b) b.lockAxes('xz'), @(b) set_property(b, 'inertia', diag([1 2 3]))}
    b = swelling_body(@swelling);
    b.time = 4;
    action{1}(b);
    I = b.inertia;
    b.advance(0.1, 3);
    same_bits(b.inertia, I);
  end
end

function a_saved_body_keeps_its_inertia_function()
  b = swelling_body(@swelling);
  b.method = 'splitting';
  b.torque = quatint.constantTorque([0.1 0.2 0.3]);
  b.advance(0.01, 10);
  restored = quatint.Body.loadobj(b.saveobj());
  same_bits(restored.rows(), b.rows());
  b.advance(0.01, 10);
  restored.advance(0.01, 10);
  same_bits(state(restored), state(b));
end

function I = plate()
% Its axis z is principal; x and y are not.
  I = [2 0.3 0; 0.3 3 0; 0 0 4];
end

function I = disc()
% Its axis z may be locked alone.
  I = diag([2 2 4]);
end

function I = generic()
  I = [2 0.1 -0.3; 0.1 3 0.2; -0.3 0.2 4];
end

function b = some_body(inertia)
  b = quatint.Body(inertia, quatint.fromAxisAngle([1 2 3], 0.7), [0.3 -0.2 1.1]);
end

function x = state(b)
  x = [b.orientation, b.angularVelocityBody, b.time];
end

function another_inertia_keeps_the_velocity_or_the_momentum()
  b = some_body(generic());
  momentum = b.angularMomentum;
  b.setInertia(plate(), 'angularMomentum');
  check(abs(b.angularMomentum - momentum) < 1e-15);
  check(abs(plate() * b.angularVelocityBody' - quatint.rotateToBody(b.orientation, momentum)') < 1e-15);
  check(isequal(b.inertia, plate()));
  omega = b.angularVelocityBody;
  b.setInertia(generic(), 'angular_velocity');  % spelling as with methods
  same_bits(b.angularVelocityBody, omega);
  check(abs(generic() * omega' - quatint.rotateToBody(b.orientation, b.angularMomentum)') < 1e-15);
end

function another_inertia_leaves_the_rest_of_the_body()
  for method = {'pcdm', 'splitting', 'cf4'}
    for torque = {quatint.uniformField([0.1 0.2 0.3], [1 -2 0.5]), @(t, q, omega) [t, q(2), -omega(1)]}
      [a, b] = deal(some_body(generic()), some_body(plate()));
      for c = {a, b}
        c{1}.method = method{1};
        c{1}.torque = torque{1};
        c{1}.setDrag([0.1 0.2 0.3]);
        if strcmp(method{1}, 'cf4')
          c{1}.rotorMomentum = [1 2 3];
          c{1}.rotorTorque = [0.3 0 0.1];
        end
      end
      a.advance(0.01, 5);
      a.setInertia(plate(), 'angularVelocity');
      [b.orientation, b.angularVelocityBody, b.time] = deal(a.orientation, a.angularVelocityBody, a.time);
      b.rotorMomentum = a.rotorMomentum;
      same_bits(state(a), state(b));
      a.advance(0.01, 5);
      b.advance(0.01, 5);
      check(abs(state(a) - state(b)) < 1e-14, '%s', method{1});
      a.solve(1, 1e-10);
      b.solve(1, 1e-10);
      check(abs(state(a) - state(b)) < 1e-12, '%s', method{1});
    end
  end
end

function a_body_does_not_turn_about_locked_axes()
  torque = [0.3 0.2 5];
  b = some_body(disc());
  omega = b.angularVelocityBody;
  b.lockAxes('z');
  check(abs(b.angularVelocityBody - [omega(1:2), 0]) < 1e-15);
  b.kick(0.5, torque, 'frame', 'body');
  after = b.angularVelocityBody;
  check(abs(after - [omega(1:2), 0] - 0.5 * [torque(1:2) / 2, 0]) < 1e-15 & [true true after(3) == 0]);
  b.advance(0.01, 20);
  after = b.angularVelocityBody;
  check(after(3) == 0);
end

function a_locked_body_does_all_that_a_body_does()
  ways = {@(b) b.advance(1e-3, 1000), @(b) b.solve(1, 1e-11), @(b) b.drift(1), @(b) b.record(1e-3, 1000, 'every', 100), ...
          @(b) b.solveUntil(1, @(t, q, omega) 1, 1e-11)};
  for way = ways
    for torque = {quatint.constantTorque([0.3 0.2 0.5]), @(t, q, omega) [0.3 0.2 0.5]}
      b = some_body(disc());
      b.torque = torque{1};
      b.lockAxes('z');
      start = b.orientation;
      way{1}(b);
      check(abs(b.angularVelocityBody(3)) < 1e-12 && quatint.angleBetween(b.orientation, start) > 0.1, '%s', func2str(way{1}));
    end
  end
end

function locks_add_up_until_another_inertia()
  [a, b] = deal(some_body(diag([3 3 4])), some_body(diag([3 3 4])));
  omega = a.angularVelocityBody;
  a.lockAxes('z');
  a.lockAxes('x');
  a.lockAxes('');
  b.lockAxes('xz');
  check(isequal(a.angularVelocityBody, [0 omega(2) 0]));
  same_bits(state(a), state(b));
  b.setInertia(diag([2 3 4]), 'angularVelocity');
  a.inertia = diag([2 3 4]);
  for c = {a, b}
    c{1}.kick(1, [2 3 4], 'frame', 'body');
    check(abs(c{1}.angularVelocityBody - [1, omega(2) + 1, 1]) < 1e-14);
  end
end

function the_inertia_tells_the_locks()
  b = some_body(disc());
  b.lockAxes('z');
  check(abs(b.inertia - diag([2 2 0])) < 1e-14);
  e = quatint.Ensemble(2);
  e.inertia = diag([2 3 4]);
  e.lockAxes({'', 'xy'});
  check(abs(e.inertia - cat(3, diag([2 3 4]), diag([0 0 4]))) < 1e-14);
  check(e.degreesOfFreedom == 4);
end

function e = some_ensemble(n)
  b = some_body(eye(3));
  e = quatint.Ensemble(n);
  e.inertia = diag([2 3 4]);
  e.orientation = b.orientation;
  e.angularVelocity = b.angularVelocity;
end

function I = beside(axes)
% The inertia of a body some of whose axes are going to be locked: beside one lock the other two moments must be equal.
  moments = [2 3 4];
  if numel(axes) == 1
    moments('xyz' ~= axes) = 3.5;
  end
  I = diag(moments);
end

function moves_like_one(e, i, axes, inertia)
  b = some_body(inertia);
  b.lockAxes(axes);
  b.kick(0.5, [0.3 0.2 5], 'frame', 'body');
  b.advance(0.01, 20);
  check(abs([e.orientation(i, :), e.angularVelocityBody(i, :)] - [b.orientation, b.angularVelocityBody]) < 1e-14, '%d', i);
end

function all_bodies_of_an_ensemble_may_lock_the_same_axes()
  n = 70;
  e = some_ensemble(n);
  e.inertia = diag([2 3 3]);
  e.lockAxes('x');
  e.lockAxes('z');
  e.kick(0.5, repmat([0.3 0.2 5], n, 1), 'frame', 'body');
  e.advance(0.01, 20);
  moves_like_one(e, 1, 'xz', diag([2 3 3]));
  moves_like_one(e, n, 'xz', diag([2 3 3]));
  e.setPrincipalInertias([2 3 4]);  % unlocks
  e.angularVelocityBody = [1 2 3];
  check(isequal(e.angularVelocityBody(n, :), [1 2 3]));
  quatint.Ensemble(0).lockAxes('y');
end

function each_body_may_lock_axes_of_its_own()
  n = 70;
  e = some_ensemble(n);
  some = {'', 'x', 'y', 'z', 'xy', 'zx', 'yz', 'xyz'};
  axes = some(1 + mod(1:n, 8));
  inertias = cellfun(@beside, axes, 'UniformOutput', false);
  e.inertia = cat(3, inertias{:});
  e.lockAxes(axes);
  e.kick(0.5, repmat([0.3 0.2 5], n, 1), 'frame', 'body');
  e.advance(0.01, 20);
  for i = [1:8, n]
    moves_like_one(e, i, axes{i}, inertias{i});
  end
  quatint.Ensemble(0).lockAxes({});
  b = some_body(disc());
  b.lockAxes({'z'});
  check(b.angularVelocityBody(3) == 0);
end

function a_saved_body_keeps_its_locks()
  for axes = {'z', 'xz', 'xyz'}
    b = some_body(beside(axes{1}));
    b.torque = quatint.constantTorque([1 2 3]);
    b.lockAxes(axes{1});
    b.advance(0.01, 5);
    restored = quatint.Body.loadobj(b.saveobj());
    same_bits(restored.rows(), b.rows());
    b.advance(0.01, 5);
    restored.advance(0.01, 5);
    same_bits(state(restored), state(b));
    b.solve(1, 1e-9);
    restored.solve(1, 1e-9);
    same_bits(state(restored), state(b));
  end
end

function a_saved_ensemble_keeps_its_locks()
  e = some_ensemble(3);
  e.inertia = cat(3, beside(''), beside('z'), beside('xz'));
  e.lockAxes({'', 'z', 'xz'});
  e.advance(0.01, 5);
  restored = quatint.Ensemble.loadobj(e.saveobj());
  e.advance(0.01, 5);
  restored.advance(0.01, 5);
  same_bits(restored.rows(), e.rows());
end

function wrong_inertias_are_refused()
  b = some_body(generic());
  before = b.rows();
  cases = {
    @() b.setInertia([1 0.1 0; 0 1 0; 0 0 1], 'angularMomentum'), 'quatint:Inertia', 'symmetric'
    @() b.setInertia(diag([1 NaN 1]), 'angularMomentum'), 'quatint:NonFinite', '`inertia(2, 2)`'
    @() b.setInertia([1 2 3], 'angularMomentum'), 'quatint:Size', '`inertia` must be 3-by-3'
    @() b.setInertia(single(eye(3)), 'angularMomentum'), 'quatint:Type', '`inertia`'
    @() b.setInertia(eye(3), 'energy'), 'quatint:Invalid', '`keep` must be ''angularVelocity'' or ''angularMomentum'''
    @() b.setInertia(eye(3), 1), 'quatint:Invalid', '`keep`'
    @() b.setInertia(eye(3)), 'quatint:Arguments', 'body.setInertia(inertia, keep)'
  };
  for k = 1:size(cases, 1)
    fails_with(cases{k, 2}, cases{k, 1}, cases{k, 3});
    same_bits(b.rows(), before);
    check(isequal(b.inertia, generic()));
  end
end

function wrong_axes_are_refused()
  b = some_body(plate());
  e = quatint.Ensemble(3);
  e.inertia = cat(3, eye(3), plate(), eye(3));
  before = {b.rows(), e.rows()};
  cases = {
    @() b.lockAxes('x'), 'quatint:Inertia', 'no principal axis'
    @() b.lockAxes('z'), 'quatint:Invalid', '`axes` must not lock one axis beside two different moments: lock two axes'
    @() e.lockAxes({'z', 'z', ''}), 'quatint:Invalid', 'body 2: `axes` must not lock one axis'
    @() b.lockAxes('w'), 'quatint:Invalid', '`axes` must be letters x, y and z'
    @() b.lockAxes('xyzxyzxyz'), 'quatint:Invalid', '`axes`'
    @() b.lockAxes(1), 'quatint:Invalid', '`axes`'
    @() b.lockAxes({'x', 'z'}), 'quatint:Size', '`axes` must have 1 cells, not 2'
    @() e.lockAxes('x'), 'quatint:Inertia', 'body 2: '
    @() e.lockAxes({'z', 'y', ''}), 'quatint:Inertia', 'body 2: '
    @() e.lockAxes({'z', 'y'}), 'quatint:Size', '`axes` must have 3 cells, not 2'
    @() e.lockAxes({'z', 3, 'z'}), 'quatint:Invalid', '`axes`'
    @() e.lockAxes(), 'quatint:Arguments', 'e.lockAxes(axes)'
  };
  for k = 1:size(cases, 1)
    fails_with(cases{k, 2}, cases{k, 1}, cases{k, 3});
    same_bits(b.rows(), before{1});
    same_bits(e.rows(), before{2});
  end
end

function a_torque_function_cannot_lock_its_body()
  for call = {@(b) b.lockAxes('z'), @(b) b.setInertia(eye(3), 'angularMomentum')}
    b = some_body(disc());
    b.torque = @(t, q, omega) pushed_after(call{1}, b);
    fails_with('quatint:Order', @() b.step(0.1), 'its own torque');
    fails_with('quatint:Order', @() b.solve(1, 1e-9), 'its own torque');
  end
end

function torque = pushed_after(call, b)
  call(b);
  torque = [1 2 3];
end

function what_is_deleted_is_an_error()
  b = some_body(plate());
  delete(b);
  fails_with('quatint:Deleted', @() b.lockAxes('z'), 'this object has been deleted');
  fails_with('quatint:Deleted', @() b.setInertia(eye(3), 'angularMomentum'), 'this object has been deleted');
end
