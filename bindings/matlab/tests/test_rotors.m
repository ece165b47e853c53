function test_rotors()
  run_tests({@a_gyrostat_precesses_at_the_rate_of_the_formula, @momentum_includes_the_rotors_and_is_conserved, ...
    @a_body_without_rotors_has_the_bits_it_had, @rotors_come_back_and_are_removed, @rotors_stay_after_a_new_inertia, ...
    @functions_and_ready_made_torques_act_beside_rotors, @an_error_in_the_torque_leaves_the_body, ...
    @wrong_rotors_are_refused, @a_motor_keeps_the_momentum_of_body_and_rotors, @a_motor_alone_counts_as_rotors, ...
    @a_driven_body_restarts_with_its_motor, @rotors_of_ensembles_have_the_bits_of_a_body, ...
    @wrong_rotors_of_ensembles_change_nothing, @the_helpers_are_the_formulas, @helpers_take_rows, @helpers_refuse_what_is_wrong});
end

function b = some_body()
  b = quatint.Body([2 0.1 0; 0.1 3 0.2; 0 0.2 4], quatint.fromAxisAngle([1 2 3], 0.7), [0.3 -0.2 1.1]);
end

function x = state(b)
  x = [b.orientation, b.angularVelocity, b.time];
end

function ways = all_ways()
  ways = {@(b) b.solve(2, 1e-11), @(b) b.advance(1e-3, 2000), @(b) b.record(1e-3, 2000, 'every', 100), @drift_finely, ...
          @(b) b.solveUntil(2, @(t, q, omega) 1, 1e-11)};
end

% A drift with rotors has the order of the method.
function drift_finely(b)
  b.method = 'splitting6';
  for i = 1:100
    b.drift(0.02);
  end
end

% Free, of inertia (a, a, c), rotors h about its axis: the angular velocity turns about that axis, at ((c - a) w + h) / a.
function a_gyrostat_precesses_at_the_rate_of_the_formula()
  [a, c, h, w] = deal(1, 0.5, 3, 0.7);
  angle = ((c - a) * w + h) / a * 2;
  for way = all_ways()
    b = quatint.Body(diag([a a c]), [], [0.4 0 w]);
    b.rotorMomentum = [0 0 h];
    way{1}(b);
    check(abs(b.angularVelocityBody - [0.4 * cos(angle), 0.4 * sin(angle), w]) < 1e-5, '%s', func2str(way{1}));
    check(abs(b.time - 2) < 1e-12);
  end
end

function momentum_includes_the_rotors_and_is_conserved()
  for way = all_ways()
    b = some_body();
    [spin, energy] = deal(b.angularMomentum, b.kineticEnergy);
    b.rotorMomentum = [1 -2 3];
    momentum = b.angularMomentum;
    check(abs(momentum - spin - quatint.rotateToWorld(b.orientation, [1 -2 3])) < 1e-14);
    b.angularVelocity = [9 9 9];
    b.angularMomentum = momentum;
    check(abs(b.angularMomentum - momentum) < 1e-14 & abs(b.kineticEnergy - energy) < 1e-14);
    way{1}(b);
    check(abs(b.angularMomentum - momentum) < 1e-5 & abs(b.kineticEnergy - energy) < 1e-5, '%s', func2str(way{1}));
    check(quatint.angleBetween(b.orientation, some_body().orientation) > 0.1);
  end
end

function a_body_without_rotors_has_the_bits_it_had()
  [a, b] = deal(some_body(), some_body());
  a.rotorMomentum = [1 2 3];
  a.rotorMomentum = [];
  a.advance(0.01, 30);
  b.advance(0.01, 30);
  same_bits(state(a), state(b));
end

function rotors_come_back_and_are_removed()
  b = some_body();
  check(isequal(b.rotorMomentum, [0 0 0]));
  b.rotorMomentum = [1; 2; 3];
  check(isequal(b.rotorMomentum, [1 2 3]));
  b.kick(0.5, [1 1 1]);
  b.rotorMomentum = [];
  check(isequal(b.rotorMomentum, [0 0 0]));
end

function rotors_stay_after_a_new_inertia()
  [a, b] = deal(some_body(), quatint.Body(diag([1 2 4]), some_body().orientation, some_body().angularVelocity));
  [a.rotorMomentum, b.rotorMomentum] = deal([1 2 3]);
  a.inertia = diag([1 2 4]);
  check(isequal(a.rotorMomentum, [1 2 3]));
  a.advance(0.01, 50);
  b.advance(0.01, 50);
  check(abs(state(a) - state(b)) < 1e-12);
end

function functions_and_ready_made_torques_act_beside_rotors()
  for method = {'pcdm', 'cf4', 'splitting'}
    [ready, own, exact] = deal(some_body(), some_body(), some_body());
    ready.torque = quatint.uniformField([0 0 1], [0 0 -3]);
    [own.torque, exact.torque] = deal(@(t, q, omega) quatint.uniformFieldTorque(q, [0 0 1], [0 0 -3]));
    [ready.rotorMomentum, own.rotorMomentum, exact.rotorMomentum] = deal([0.5 0 2]);
    [ready.method, own.method] = deal(method{1});
    ready.advance(1e-3, 1000);
    own.advance(1e-3, 999);
    own.step(1e-3);
    exact.solve(1, 1e-11);
    check(abs(state(ready) - state(own)) < 1e-11 & abs(state(ready) - state(exact)) < 1e-4);
  end
end

function an_error_in_the_torque_leaves_the_body()
  b = some_body();
  b.rotorMomentum = [1 2 3];
  before = state(b);
  b.torque = @(t, q, omega) error('mine:stalled', 'at %g', t);
  fails_with('mine:stalled', @() b.step(0.1), 'at 0');
  same_bits(state(b), before);
  b.torque = @(t, q, omega) [1 2];
  fails_with('quatint:Size', @() b.advance(0.1, 3), '`torque` must be 1-by-3, not 1-by-2');
  same_bits(state(b), before);
  b.torque = @(t, q, omega) [NaN 0 0];
  fails_with('quatint:NonFinite', @() b.step(0.1), 'the torque is not finite');
  same_bits(state(b), before);
  b.torque = @(t, q, omega) set_and_give(b);
  fails_with('quatint:Order', @() b.step(0.1));
  same_bits(state(b), before);
  b.torque = @late;
  fails_with('mine:late', @() b.advance(0.1, 10));
  check(abs(b.time - 0.4) < 1e-12);
  b.torque = [];
  b.advance(0, 3);
  b.advance(0.1, 6);
  check(abs(b.time - 1) < 1e-12);
end

function torque = set_and_give(b)
  b.rotorMomentum = [0 0 0];
  torque = [0 0 0];
end

function torque = late(t, q, omega)
  torque = [1 0 0];
  if t > 0.4 - 1e-9
    error('mine:late', 'so far');
  end
end

function wrong_rotors_are_refused()
  b = some_body();
  b.rotorMomentum = [1 2 3];
  before = state(b);
  for bad = {[1 2], 'abc', {1}, single([1 2 3]), eye(3)}
    try
      b.rotorMomentum = bad{1};
      error('check:failed', 'no error');
    catch err
      check(any(strcmp(err.identifier, {'quatint:Size', 'quatint:Type'})), err.message);
    end
  end
  fails_with('quatint:NonFinite', @() set_property(b, 'rotorMomentum', [1 NaN 3]));
  fails_with('quatint:NonFinite', @() set_property(b, 'rotorMomentum', [1 2 Inf]));
  check(isequal(b.rotorMomentum, [1 2 3]));
  same_bits(state(b), before);
end

function a_motor_keeps_the_momentum_of_body_and_rotors()
  [wheels, motor] = deal([0.8 -0.5 1.1], [0.2 -0.1 0.15]);
  for method = {'splitting', 'splitting4', 'splitting6'}
    for way = {@(b) b.advance(0.01, 200), @(b) b.solve(2, 1e-13), @(b) b.record(0.01, 200, 'every', 10), ...
               @(b) arrayfun(@(i) b.drift(0.5), 1:4), @(b) arrayfun(@(i) b.step(0.01), 1:200)}
      b = some_body();
      b.method = method{1};
      b.rotorMomentum = wheels;
      before = b.angularMomentum;
      b.rotorTorque = motor;
      check(isequal(b.rotorTorque, motor));
      way{1}(b);
      check(abs(b.time - 2) < 1e-12 & abs(b.rotorMomentum - (wheels - 2 * motor)) < 1e-12, '%s', func2str(way{1}));
      check(abs(b.angularMomentum - before) < 1e-12, '%s', func2str(way{1}));
    end
  end
  own = some_body();  % the torque of an M function acts beside the motor's
  exact = some_body();
  [own.torque, exact.torque] = deal(@(t, q, omega) quatint.uniformFieldTorque(q, [0 0 1], [0 0 -3]), quatint.uniformField([0 0 1], [0 0 -3]));
  for b = {own, exact}
    b{1}.rotorMomentum = wheels;
    b{1}.rotorTorque = motor;
  end
  own.method = 'splitting4';
  own.advance(0.01, 100);
  exact.solve(1, 1e-13);
  check(abs(state(own) - state(exact)) < 1e-6);
  check(abs(own.rotorMomentum - exact.rotorMomentum) < 1e-13);
end

function a_motor_alone_counts_as_rotors()
  [a, b] = deal(some_body(), some_body());
  check(isequal(a.rotorTorque, [0 0 0]));
  a.rotorTorque = [1; 2; 3];
  check(isequal(a.rotorMomentum, [0 0 0]) && isequal(a.rotorTorque, [1 2 3]));
  fails_with('quatint:NonFinite', @() set_property(a, 'rotorTorque', [1 NaN 3]));
  fails_with('quatint:Size', @() set_property(a, 'rotorTorque', [1 2]));
  a.inertia = diag([1 2 4]);  % the motors stay
  check(isequal(a.rotorTorque, [1 2 3]));
  a.drift(0.5);
  check(abs(a.rotorMomentum + [0.5 1 1.5]) < 1e-15);
  shown = evalc('disp(a)');
  check(~isempty(strfind(shown, 'rotorTorque')) && ~isempty(strfind(shown, 'rotorMomentum')));
  [a.rotorTorque, a.rotorMomentum] = deal([], []);
  a.setRows(b.rows('state'), 'state');
  [a.inertia, a.clock] = deal(b.inertia, [0 0]);
  a.advance(0.01, 30);
  b.advance(0.01, 30);
  same_bits(state(a), state(b));
end

function a_driven_body_restarts_with_its_motor()
  for method = {'pcdm', 'cf4', 'splitting4'}
    a = some_body();
    [a.rotorMomentum, a.rotorTorque] = deal([0.3 0 -0.5], [0.1 0.2 0.3]);
    a.torque = quatint.uniformField([0 0 1], [1 0 -1]);
    a.method = method{1};
    a.advance(0.01, 10);
    b = quatint.Body.loadobj(a.saveobj());
    a.advance(0.01, 10);
    b.advance(0.01, 10);
    same_bits([state(a), a.rotorMomentum, a.rotorTorque], [state(b), b.rotorMomentum, b.rotorTorque]);
  end
end

function rotors_of_ensembles_have_the_bits_of_a_body()
  n = 20;
  h = sin((1:n)' + (1:3));
  for method = {'pcdm', 'splitting4'}
    e = quatint.Ensemble(n);
    check(isempty(e.rotorMomentum));
    e.inertia = some_body().inertia;
    [e.orientation, e.angularVelocity] = deal(quatint.fromAxisAngle([1 2 3], 0.7), [0.3 -0.2 1.1]);  % as some_body
    e.method = method{1};
    e.torque = quatint.uniformField([0 0 1], [0 0 -3]);
    e.setDrag([]);
    e.rotorMomentum = h;
    same_bits(e.rotorMomentum, h);
    e.advance(0.01, 10);
    f = quatint.Ensemble.loadobj(e.saveobj());
    same_bits(f.rotorMomentum, h);
    e.advance(0.01, 10);
    f.advance(0.01, 10);
    same_bits([e.orientation, e.angularVelocityBody], [f.orientation, f.angularVelocityBody]);
    for i = [1 7 n]
      b = some_body();
      b.method = method{1};
      b.torque = e.torque;
      b.rotorMomentum = h(i, :);
      b.advance(0.01, 20);
      same_bits([b.orientation, b.angularVelocityBody], [e.orientation(i, :), e.angularVelocityBody(i, :)]);
      check(abs(b.angularMomentum - e.angularMomentum(i, :)) < 1e-14);
    end
    e.select([3 1]);
    same_bits(e.rotorMomentum, h([3 1], :));
    check(~isempty(strfind(evalc('disp(e)'), 'rotorMomentum')) && e.rowSize('torque') == 6);
    e.rotorMomentum = [1 2 3];
    same_bits(e.rotorMomentum, [1 2 3; 1 2 3]);
    e.kickDrift(0.1, 0.2, []);
    e.rotorMomentum = [];
    check(isempty(e.rotorMomentum) && e.rowSize('torque') == 3);
  end
  e = quatint.Ensemble(0);
  e.rotorMomentum = zeros(0, 3);
  f = quatint.Ensemble.loadobj(e.saveobj());
  check(isequal(size(f.rotorMomentum), [0 3]) && f.rowSize('torque') == 3);
end

function wrong_rotors_of_ensembles_change_nothing()
  e = quatint.Ensemble(5);
  e.rotorMomentum = [1 2 3];
  bad = ones(5, 3);
  bad(4, 2) = NaN;
  fails_with('quatint:NonFinite', @() set_property(e, 'rotorMomentum', bad), 'body 4: ');
  fails_with('quatint:Size', @() set_property(e, 'rotorMomentum', ones(4, 3)), '`rotorMomentum` must be 5-by-3, not 4-by-3');
  fails_with('quatint:Type', @() set_property(e, 'rotorMomentum', 'abc'));
  same_bits(e.rotorMomentum, repmat([1 2 3], 5, 1));
end

function the_helpers_are_the_formulas()
  q = quatint.fromAxisAngle([1 2 3], 0.7);
  [omega, v, F, c] = deal([0.3 -0.2 1.1], [1 2 -1], [0.5 0 -3], [1 2 3]);
  R = quatint.toMatrix(q);
  near = @(a, b) check(isequal(size(a), [1 3]) && max(abs(a - b)) < 1e-13, '%s is not %s', mat2str(a), mat2str(b));
  near(quatint.bodyTorque(q, v), (R * v')');
  near(quatint.uniformFieldTorque(q, v, F), cross((R * v')', F));
  inertia = some_body().inertia;
  n = [1 1 0] / sqrt(2);
  near(quatint.gravityGradientTorque(q, inertia, [1 1 0], 0.5), 1.5 * cross(n, (R * inertia * R' * n')'));
  near(quatint.linearDragTorque(q, omega, c), -(R * diag(c) * R' * omega')');
  near(quatint.linearDragTorque(q, omega, c, 'flow', [0 0 2]), -(R * diag(c) * R' * (omega - [0 0 2])')');
  % a sphere of radius a: 8 pi mu a^3 (half of the vorticity - omega)
  resistances = quatint.shearFlowResistances([2 2 2], 0.5);
  check(isequal(size(resistances), [1 6]));
  torque = quatint.shearFlowTorque(q, omega, resistances, [0 0.6 0; 0 0 0; 0 0 0]);
  check(abs(torque - 8 * pi * 0.5 * 8 * ([0 0 -0.3] - omega)) < 1e-11);
end

function helpers_take_rows()
  q = quatint.fromAxisAngle([1 2 3], [0.1; 0.5; 0.9]);
  omega = eye(3);
  torques = {@(q, omega) quatint.bodyTorque(q, [1 2 3]), @(q, omega) quatint.uniformFieldTorque(q, omega, [0 0 -1]), ...
             @(q, omega) quatint.gravityGradientTorque(q, diag([1 2 3]), omega, 2), ...
             @(q, omega) quatint.linearDragTorque(q, omega, [1 2 3]), ...
             @(q, omega) quatint.shearFlowTorque(q, omega, quatint.shearFlowResistances([1 2 3], 1), [0 1 0; 0 0 0; 0 0 0])};
  for torque = torques
    all = torque{1}(q, omega);
    for k = 1:3
      same_bits(all(k, :), torque{1}(q(k, :), omega(k, :)));
    end
  end
  e = quatint.Ensemble(3);
  e.torque = @(t, q, omega) quatint.linearDragTorque(q, omega, [1 2 3]);
  e.angularVelocity = eye(3);
  e.step(0.1);
  check(e.kineticEnergy < 0.5);
  check(isequal(size(quatint.shearFlowResistances([1 2 3; 2 2 2], 1)), [2 6]));
end

function helpers_refuse_what_is_wrong()
  q = [1 0 0 0];
  fails_with('quatint:Size', @() quatint.bodyTorque(q, [1 2]), '`torqueBody` must be n-by-3');
  fails_with('quatint:Orientation', @() quatint.bodyTorque([1 1 0 0], [1 2 3]));
  fails_with('quatint:NonFinite', @() quatint.uniformFieldTorque(q, [1 2 NaN], [0 0 1]));
  fails_with('quatint:Size', @() quatint.uniformFieldTorque(q, eye(3), [1 2 3; 4 5 6]), 'rows');
  fails_with('quatint:Size', @() quatint.gravityGradientTorque(q, [1 2 3], [1 0 0], 1), '`inertia` must be 3-by-3-by-n');
  fails_with('quatint:Invalid', @() quatint.gravityGradientTorque(q, eye(3), [0 0 0], 1));
  fails_with('quatint:Type', @() quatint.linearDragTorque(q, single([1 2 3]), [1 2 3]));
  fails_with('quatint:Invalid', @() quatint.shearFlowResistances([1 1 0], 1));
  fails_with('quatint:Size', @() quatint.shearFlowTorque(q, [1 2 3], [1 2 3], eye(3)), '`resistances` must be n-by-6');
end
