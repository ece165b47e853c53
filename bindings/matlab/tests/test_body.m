function test_body()
  run_tests({@a_new_body_is_at_the_identity_and_at_rest, @a_generic_body_comes_where_it_comes_in_every_language, ...
    @a_line_does_not_turn_about_itself, @vectors_may_be_rows_or_columns, ...
    @what_is_assigned_comes_back, @a_torque_function_gives_what_the_ready_made_torque_gives, ...
    @a_torque_function_sees_the_start_and_the_middle_of_the_step, @advance_has_the_bits_of_steps, ...
    @record_gives_the_start_and_every_nth_state, @a_step_forth_and_back_comes_near_the_start, ...
    @a_body_of_an_ensemble_has_the_bits_of_the_body_alone, @a_body_has_the_bits_of_an_ensemble_of_one, ...
    @an_error_in_the_torque_surfaces_and_leaves_the_body, ...
    @a_torque_that_is_not_one_is_refused_and_leaves_the_body, @after_an_error_the_body_goes_on, ...
    @a_torque_may_keep_what_it_was_given, @a_torque_cannot_use_its_own_body_but_may_read_it, ...
    @a_torque_that_deletes_its_body_is_an_error, @a_torque_may_step_other_bodies, @a_failing_advance_keeps_the_steps_before, ...
    @an_assignment_that_is_refused_changes_nothing, ...
    @elements_are_counted_from_1_in_errors, ...
    @a_torque_is_a_closure_and_sees_its_variables, @the_method_is_chosen_by_name, ...
    @names_of_methods_may_be_spelt_otherwise, @a_method_asks_as_many_torques_a_step_as_the_page_says, ...
    @splitting_asks_the_first_torque_anew_after_a_change, @a_torque_function_acts_by_splitting_with_order_2, ...
    @high_orders_of_splitting_refuse_drag_and_shear_flow});
end

function body = some_body()
  % the moments 3, 5 and 7 about axes that are turned in the body
  inertia = [5.72 0.768 -0.576; 0.768 5.0992 -1.5744; -0.576 -1.5744 4.1808];
  body = quatint.Body(inertia, [0.5 -0.1 0.7 0.5], [0.3 -0.7 1.1]);
end

function a_generic_body_comes_where_it_comes_in_every_language()
  % with the numbers of tests/rust/every_language.rs
  body = some_body();
  body.torque = @(t, q, omega) [0.3 + q(2) * q(3) - 0.2 * omega(2), 0.1 * t - q(1) * q(4), ...
                                0.2 + q(3) * q(4) + 0.3 * omega(1)];
  body.advance(0.01, 100);
  near = @(a, b) check(max(abs(a - b)) < 1e-14);
  near(body.orientation, [0.4591273469192799, -0.5026845302823357, 0.1801445488229428, 0.7099706218253464]);
  near(body.angularVelocity, [0.7566512967365715, -0.8861596187131292, 0.9622951882072567]);
  near(body.angularVelocityBody, [-1.318525692064565, -0.37332023040899964, -0.6371295699234223]);
end

function a_new_body_is_at_the_identity_and_at_rest()
  b = quatint.Body(diag([1 2 3]));
  check(isequal(b.orientation, [1 0 0 0]) && isequal(b.angularVelocity, [0 0 0]) && b.time == 0);
  check(isequal(b.inertia, diag([1 2 3])) && isempty(b.torque));
  c = quatint.Body(diag([1 2 3]), [], [1 2 3]);
  check(isequal(c.angularVelocity, [1 2 3]));
end

function a_line_does_not_turn_about_itself()
  b = quatint.Body(diag([0 2 2]), [], [1 0 3]);
  check(isequal(b.angularVelocity, [0 0 3]) && b.kineticEnergy == 9);
end

function vectors_may_be_rows_or_columns()
  b = quatint.Body(eye(3), [0; 1; 0; 0], [1; 2; 3]);
  check(isequal(b.orientation, [0 1 0 0]) && isequal(b.angularVelocity, [1 2 3]));
  b.torque = @(t, q, omega) [1; 2; 3];
  b.step(0.5);
  check(max(abs(b.angularVelocity - 1.5 * [1 2 3])) < 1e-12);
end

function what_is_assigned_comes_back()
  b = some_body();
  b.orientation = [0 0 1 0];
  b.angularVelocity = [1 2 3];
  b.time = 7;
  f = @(t, q, omega) [0 0 0];
  b.torque = f;
  check(isequal(b.orientation, [0 0 1 0]) && b.time == 7);
  check(max(abs(b.angularVelocity - [1 2 3])) < 1e-15 && max(abs(b.angularVelocityBody - [-1 2 -3])) < 1e-15);
  check(isequal(b.torque, f));
  b.torque = [];
  check(isempty(b.torque));
end

function a_torque_function_gives_what_the_ready_made_torque_gives()
  v = [0.2 -0.1 1];
  F = [0 0 -3];
  torques = {
    quatint.uniformField(v, F), @(t, q, omega) cross(quatint.rotateToWorld(q, v), F)
    quatint.constantTorque([1 2 3]), @(t, q, omega) [1 2 3]
    quatint.constantTorque([1 2 3], 'frame', 'body'), @(t, q, omega) quatint.rotateToWorld(q, [1 2 3])
    quatint.linearDrag([1 2 3]), @(t, q, omega) -quatint.rotateToWorld(q, [1 2 3] .* quatint.rotateToBody(q, omega))
    quatint.gravityGradient([1 1 0], 0.5), @(t, q, omega) gradient(q)
    [], @(t, q, omega) [0 0 0]
  };
  for k = 1:size(torques, 1)
    [ready, own] = deal(some_body(), some_body());
    ready.torque = torques{k, 1};
    own.torque = torques{k, 2};
    ready.advance(0.01, 200);
    own.advance(0.01, 200);
    % drag is explicit in a function, implicit if ready-made: equal up to the error of the method
    scale = 1;
    if k == 4, scale = 1e8; end
    check(max(abs(ready.orientation - own.orientation)) < 1e-12 * scale, 'torque %d: orientation', k);
    check(max(abs(ready.angularVelocity - own.angularVelocity)) < 1e-11 * scale, 'torque %d: angular velocity', k);
    if k < 6
      check(norm(ready.angularMomentum - some_body().angularMomentum) > 0.1, 'torque %d did nothing', k);
    end
  end
end

function torque = gradient(q)
  n = [1 1 0] / sqrt(2);
  R = quatint.toMatrix(q);
  torque = 3 * 0.5 * cross(n, (R * some_body().inertia * R' * n')');
end

function a_torque_function_sees_the_start_and_the_middle_of_the_step()
  global seen
  seen = [];
  b = some_body();
  b.time = 2;
  b.torque = @look;
  b.advance(0.5, 2);
  check(isequal(seen(:, 1)', [2 2.25 2.5 2.75]), 'times %s', mat2str(seen(:, 1)));
  check(abs(seen(1, 2:8) - [some_body().orientation, some_body().angularVelocity]) < 1e-15);
  check(b.time == 3 && isequal(size(seen), [4 8]));
end

function torque = look(t, q, omega)
  global seen
  seen = [seen; t, q, omega];
  torque = [0 0 0];
end

function advance_has_the_bits_of_steps()
  for torque = {[], quatint.uniformField([0 0 1], [0 0 -1]), @(t, q, omega) [sin(t), 0, -omega(3)]}
    [a, b] = deal(some_body(), some_body());
    a.torque = torque{1};
    b.torque = torque{1};
    a.advance(0.01, 50);
    for k = 1:50
      b.step(0.01);
    end
    same_bits([a.orientation, a.angularVelocity, a.time], [b.orientation, b.angularVelocity, b.time]);
  end
end

function record_gives_the_start_and_every_nth_state()
  for torque = {[], @(t, q, omega) -omega}
    [a, b] = deal(some_body(), some_body());
    a.torque = torque{1};
    b.torque = torque{1};
    [t, q, omega] = a.record(0.01, 25, 'every', 10);
    check(max(abs(t - [0; 0.1; 0.2])) < 1e-15 && isequal(size(q), [3 4]) && isequal(size(omega), [3 3]));
    same_bits(q(1, :), b.orientation);
    b.advance(0.01, 20);
    same_bits([q(3, :), omega(3, :)], [b.orientation, b.angularVelocity]);
    b.advance(0.01, 5);
    same_bits(a.orientation, b.orientation);
  end
  [t, q] = a.record(0.01, 2);
  check(numel(t) == 3 && size(q, 1) == 3);
  fails_with('quatint:Invalid', @() a.record(0.01, 5, 'every', 0));
  fails_with('quatint:Invalid', @() a.record(0.01, -5));
end

function a_step_forth_and_back_comes_near_the_start()
  b = some_body();
  b.step(1e-3);
  b.step(-1e-3);
  check(max(abs(b.orientation - some_body().orientation)) < 1e-8 && b.time == 0);
  before = [b.orientation, b.angularVelocity];
  b.torque = @(t, q, omega) [1 1 1];
  b.step(0);
  b.advance(0, 1000);
  b.advance(1, 0);
  same_bits([b.orientation, b.angularVelocity], before);
end

function a_body_of_an_ensemble_has_the_bits_of_the_body_alone()
  for torque = {quatint.uniformField([0 0 1], [0 0 -1]), @(t, q, omega) [t + q(:, 1) .* q(:, 2), q(:, 3), -omega(:, 3)]}
    e = quatint.Ensemble(200);
    q = quatint.fromAxisAngle([1 2 3], linspace(0, 3, 200)');
    omega = [linspace(0, 1, 200)', ones(200, 1), linspace(2, -1, 200)'];
    e.orientation = q;
    e.angularVelocity = omega;
    e.inertia = some_body().inertia;
    e.torque = torque{1};
    b = quatint.Body(e.inertia, q(77, :), omega(77, :));
    b.torque = torque{1};
    e.advance(0.01, 20);
    b.advance(0.01, 20);
    same_bits([e.orientation(77, :), e.angularVelocity(77, :)], [b.orientation, b.angularVelocity]);
  end
end

function a_body_has_the_bits_of_an_ensemble_of_one()
  for method = {'pcdm', 'cf4', 'splitting', 'splitting4', 'splitting6', 'forcegradient'}
    for torque = {[], quatint.uniformField([0 0 1], [1 0 -1]), @(t, q, omega) [t + q(:, 1) .* q(:, 2), q(:, 3), q(:, 4)]}
      b = some_body();
      e = quatint.Ensemble(1, 'inertia', b.inertia, 'orientation', b.orientation);
      e.angularVelocityBody = b.angularVelocityBody;
      for object = {b, e}
        object{1}.method = method{1};
        object{1}.torque = torque{1};
        object{1}.rotorMomentum = [0.1 0.2 -0.3];
        object{1}.advance(0.02, 7);
        object{1}.kick(0.1, [1 2 3]);
        object{1}.step(-0.01);
        object{1}.drift(0.3);
        object{1}.advance(0.02, 3);
      end
      same_bits(b.rows(), e.rows());
      same_bits([b.clock, b.kineticEnergy], [e.clock, e.kineticEnergy]);
    end
  end
end

function an_error_in_the_torque_surfaces_and_leaves_the_body()
  b = some_body();
  before = [b.orientation, b.angularVelocity, b.time];
  b.torque = @(t, q, omega) error('my:problem', 'at %g it broke', t);
  fails_with('my:problem', @() b.step(0.1), 'at 0 it broke');
  same_bits([b.orientation, b.angularVelocity, b.time], before);
  b.torque = @fails_in_the_middle;
  fails_with('my:middle', @() b.step(0.1), 'no middle');
  same_bits([b.orientation, b.angularVelocity, b.time], before);
  b.torque = @(t, q, omega) no_such_function_anywhere(q);
  fails_with('Octave:undefined-function', @() b.step(0.1));
  same_bits([b.orientation, b.angularVelocity, b.time], before);
end

function torque = fails_in_the_middle(t, q, omega)
  if t > 0
    error('my:middle', 'no middle');
  end
  torque = [1 2 3];
end

function a_torque_that_is_not_one_is_refused_and_leaves_the_body()
  b = some_body();
  before = [b.orientation, b.angularVelocity, b.time];
  cases = {
    [1 2], 'quatint:Size', '`torque` must be 1-by-3, not 1-by-2'
    zeros(3, 3), 'quatint:Size', '`torque` must be 1-by-3, not 3-by-3'
    [], 'quatint:Size', 'not 0-by-0'
    [1 NaN 2], 'quatint:NonFinite', 'the torque is not finite at time 0.0: (1.0, NaN, 2.0)'
    [Inf 0 0], 'quatint:NonFinite', 'the torque is not finite'
    single([1 2 3]), 'quatint:Type', 'class double, not single'
    'abc', 'quatint:Type', 'not char'
    sparse([1 2 3]), 'quatint:Type', 'not sparse double'
    [1i 2 3], 'quatint:Type', 'not complex double'
    {1, 2, 3}, 'quatint:Type', 'not cell'
    true(1, 3), 'quatint:Type', 'not logical'
    [1e308 0 0] * 1, 'quatint:NonFinite', 'overflows'
  };
  for k = 1:size(cases, 1)
    b.torque = @(t, q, omega) cases{k, 1};
    b.inertia = 1e-3 * diag([2 3 4]);
    fails_with(cases{k, 2}, @() b.advance(1e3, 3), cases{k, 3});
    same_bits([b.orientation, b.time], before([1:4, 8]));
  end
  b.torque = @returns_nothing;
  fails_with('Octave:invalid-fun-call', @() b.step(1));
end

function returns_nothing(t, q, omega)
end

function after_an_error_the_body_goes_on()
  b = some_body();
  b.torque = @(t, q, omega) error('my:problem', 'no');
  fails_with('my:problem', @() b.step(0.1));
  b.orientation = [1 0 0 0];
  b.torque = [];
  b.step(0.1);
  check(b.time == 0.1);
end

function a_torque_may_keep_what_it_was_given()
  global kept
  kept = {};
  e = quatint.Ensemble(3000);
  e.angularVelocity = [1 2 3];
  e.torque = @keep;
  e.advance(0.01, 5);
  for k = 1:10
    check(abs(sum(kept{k}{1}.^2, 2) - 1) < 1e-14 & isequal(size(kept{k}{2}), [3000 3]));
  end
  check(isequal(kept{1}{1}, repmat([1 0 0 0], 3000, 1)) && isequal(kept{1}{2}, repmat([1 2 3], 3000, 1)));
  delete(e);
  clear e
  check(isequal(kept{1}{2}, repmat([1 2 3], 3000, 1)));
end

function torque = keep(t, q, omega)
  global kept
  kept{end + 1} = {q, omega};
  torque = zeros(size(omega));
end

function a_torque_cannot_use_its_own_body_but_may_read_it()
  b = some_body();
  before = [b.orientation, b.angularVelocity, b.time];
  b.torque = @(t, q, omega) b.angularVelocity;
  b.step(0.1);
  check(b.time == 0.1);
  b = some_body();
  for action = {@() b.step(1), @() set_property(b, 'orientation', [1 0 0 0]), @() set_property(b, 'torque', []), ...
                @() set_property(b, 'inertia', eye(3)), @() set_property(b, 'time', 3), @() b.forgetTorque(), @() b.drift(1)}
    b.torque = @(t, q, omega) do_it(action{1});
    fails_with('quatint:Order', @() b.step(0.1), 'the body is in use');
    same_bits([b.orientation, b.angularVelocity, b.time], before);
  end
  b.torque = @(t, q, omega) swallow(@() set_property(b, 'time', 3));
  b.step(0.1);
  check(b.time == 0.1);
  b.torque = @(t, q, omega) swallow(@() b.step(1));
  b.step(0.1);
  check(b.time == 0.2);
end

function torque = do_it(action)
  torque = [0 0 0];
  action();
end

function torque = swallow(action)
  torque = [0 0 0];
  fails_with('quatint:Order', action);
end

function a_torque_that_deletes_its_body_is_an_error()
  b = some_body();
  b.torque = @(t, q, omega) deleted(b);
  fails_with('quatint:Deleted', @() b.step(0.1));
  fails_with('quatint:Deleted', @() b.step(0.1));
end

function torque = deleted(body)
  delete(body);
  torque = [0 0 0];
end

function a_torque_may_step_other_bodies()
  other = some_body();
  other.torque = @(t, q, omega) -omega;
  b = some_body();
  b.torque = @(t, q, omega) step_and_read(other);
  b.advance(0.1, 10);
  check(abs(other.time - 0.2) < 1e-12);
end

function torque = step_and_read(other)
  other.step(0.01);
  torque = other.angularMomentum;
end

function a_failing_advance_keeps_the_steps_before()
  [a, b] = deal(some_body(), some_body());
  a.torque = @(t, q, omega) stops_at(t);
  fails_with('my:stop', @() a.advance(0.1, 10));
  b.torque = @(t, q, omega) [1 0 0];
  b.advance(0.1, 4);
  check(abs(a.time - 0.4) < 1e-12);
  same_bits(a.orientation, b.orientation);
end

function torque = stops_at(t)
  torque = [1 0 0];
  if t > 0.4 - 1e-9
    error('my:stop', 'so far');
  end
end

function an_assignment_that_is_refused_changes_nothing()
  b = some_body();
  before = [b.orientation, b.angularVelocity, b.time, b.kineticEnergy];
  cases = {
    'orientation', [1 0 0], 'quatint:Size'
    'orientation', [1 1 0 0], 'quatint:Orientation'
    'orientation', [NaN 0 0 0], 'quatint:NonFinite'
    'orientation', 'abcd', 'quatint:Type'
    'orientation', single([1 0 0 0]), 'quatint:Type'
    'orientation', {1 0 0 0}, 'quatint:Type'
    'angularVelocity', [1 2 Inf], 'quatint:NonFinite'
    'angularVelocity', [1 2 3 4], 'quatint:Size'
    'angularVelocity', 1:3 > 0, 'quatint:Type'
    'inertia', [1 2 3], 'quatint:Size'
    'inertia', [1 2 0; 0 1 0; 0 0 1], 'quatint:Inertia'
    'inertia', -eye(3), 'quatint:Inertia'
    'inertia', NaN(3), 'quatint:NonFinite'
    'inertia', diag([0 1 2]), 'quatint:Inertia'
    'inertia', ones(3, 3, 2), 'quatint:Size'
    'inertia', 'no', 'quatint:Type'
    'time', NaN, 'quatint:NonFinite'
    'time', [1 2], 'quatint:Size'
    'method', 'euler', 'quatint:Invalid'
    'method', 3, 'quatint:Invalid'
    'method', '', 'quatint:Invalid'
    'method', 'splitting46', 'quatint:Invalid'
    'method', 'split', 'quatint:Invalid'
    'method', repmat('x', 1, 99), 'quatint:Invalid'
    'torque', 3, 'quatint:Type'
    'torque', 'f', 'quatint:Type'
    'torque', struct('command', 'no', 'arguments', {{}}), 'quatint:Command'
    'torque', quatint.uniformField([1 2], [0 0 1]), 'quatint:Size'
    'torque', quatint.uniformField([1 2 3], [0 0 NaN]), 'quatint:NonFinite'
    'torque', quatint.linearDrag([1 2 Inf]), 'quatint:NonFinite'
    'torque', quatint.gravityGradient([0 0 0], 1), 'quatint:Invalid'
    'torque', quatint.shearFlow([1 1 0], 1, eye(3)), 'quatint:Invalid'
    'torque', quatint.shearFlow([1 1 1], 1, 1), 'quatint:Size'
    'torque', quatint.constantTorque('abc'), 'quatint:Type'
  };
  for k = 1:size(cases, 1)
    try
      fails_with(cases{k, 3}, @() set_property(b, cases{k, 1:2}));
    catch err
      error('check:failed', 'case %d, %s: %s', k, cases{k, 1}, err.message);
    end
    same_bits([b.orientation, b.angularVelocity, b.time, b.kineticEnergy], before);
  end
  check(isempty(b.torque) && strcmp(b.method, 'pcdm'));
  fails_with('quatint:Invalid', @() set_property(b, 'method', 'euler'), ...
             '`method` must be ''pcdm'', ''cf4'', ''splitting'', ''splitting4'', ''splitting6'', ''forcegradient'' or ''brownian'', not ''euler''');
  for dt = {NaN, Inf, 'x', [1 2], [], {}}
    check(~isempty(fails_somehow(@() b.step(dt{1}))));
    b.torque = @(t, q, omega) [0 0 0];
    check(~isempty(fails_somehow(@() b.step(dt{1}))));
    b.torque = [];
  end
  for steps = {-1, 1.5, NaN, Inf, 'xy', [], [1 2]}
    check(~isempty(fails_somehow(@() b.advance(0.1, steps{1}))));
  end
  same_bits([b.orientation, b.angularVelocity, b.time, b.kineticEnergy], before);
  fails_with('quatint:Invalid', @() quatint.constantTorque([1 2 3], 'frame', 'no'), 'must be ''world'' or ''body''');
  fails_with('quatint:Inertia', @() quatint.Body(diag([1 2 -3])));
  fails_with('quatint:Orientation', @() quatint.Body(eye(3), [2 0 0 0]));
  fails_with('quatint:Orientation', @() quatint.Body(eye(3), [1.01 0 0 0]), 'its length is 1.01');
end

function identifier = fails_somehow(action)
  identifier = '';
  try
    action();
  catch err
    identifier = err.identifier;
    check(strncmp(identifier, 'quatint:', 8), '%s: %s', identifier, err.message);
  end
end

function elements_are_counted_from_1_in_errors()
  b = some_body();
  fails_with('quatint:NonFinite', @() set_property(b, 'orientation', [1 NaN 0 0]), '`orientation(2)` is NaN');
  fails_with('quatint:NonFinite', @() set_property(b, 'angularMomentum', [1 2 Inf]), '(3)');
  fails_with('quatint:NonFinite', @() b.kick(1, [NaN 2 3]), '(1)');
end

function a_torque_is_a_closure_and_sees_its_variables()
  for k = 1:3
    bodies{k} = quatint.Body(eye(3));
    bodies{k}.torque = @(t, q, omega) [k 0 0];
  end
  for k = 1:3
    bodies{k}.step(1);
    check(abs(bodies{k}.angularVelocity(1) - k) < 1e-14);
  end
end

function the_method_is_chosen_by_name()
  global seen
  b = some_body();
  before = [b.orientation, b.angularVelocity, b.time];
  check(strcmp(b.method, 'pcdm'));
  b.method = 'cf4';
  check(strcmp(b.method, 'cf4'));
  same_bits([b.orientation, b.angularVelocity, b.time], before);
  seen = [];
  b.torque = @look;
  b.step(0.5);
  check(isequal(seen(:, 1)', [0 0.25 0.25 0.5]), 'times %s', mat2str(seen(:, 1)));
  b.torque = @(t, q, omega) change_method(b);
  fails_with('quatint:Order', @() b.step(0.5));
  check(strcmp(b.method, 'cf4') && b.time == 0.5);
end

function torque = change_method(body)
  torque = [0 0 0];
  body.method = 'pcdm';
end

function q = orientation_by(method, dt, torque)
  b = some_body();
  b.torque = torque;
  b.method = method;
  b.advance(dt, 2 / dt);
  q = b.orientation;
end

function names_of_methods_may_be_spelt_otherwise()
  b = some_body();
  spellings = {'PCDM', 'pcdm'; 'CF4', 'cf4'; 'Splitting', 'splitting'; 'splitting_4', 'splitting4'; 'Splitting 4', 'splitting4'; ...
               'SPLITTING_6', 'splitting6'; 'splitting-6', 'splitting6'; 'Force-Gradient', 'forcegradient'};
  for k = 1:size(spellings, 1)
    b.method = spellings{k, 1};
    check(strcmp(b.method, spellings{k, 2}), '%s is %s', spellings{k, 1}, b.method);
  end
end

function a_method_asks_as_many_torques_a_step_as_the_page_says()
  global seen
  torques = {'pcdm', 2; 'cf4', 4; 'splitting', 1; 'splitting4', 6; 'forcegradient', 3; 'splitting6', 11};
  for k = 1:size(torques, 1)
    b = some_body();
    b.method = torques{k, 1};
    b.torque = @look;
    b.step(0.1);
    seen = [];
    b.step(0.1);
    b.advance(0.1, 9);
    check(size(seen, 1) == 10 * torques{k, 2}, '%s asked %d torques in 10 steps', torques{k, 1}, size(seen, 1));
  end
end

function splitting_asks_the_first_torque_anew_after_a_change()
  global seen
  b = some_body();
  b.method = 'splitting';
  b.torque = @look;
  changes = {@() 0, 1; @() set_property(b, 'time', 3), 2; @() set_property(b, 'torque', @look), 2; ...
             @() set_property(b, 'orientation', [1 0 0 0]), 2; @() set_property(b, 'angularVelocity', [1 2 3]), 2; ...
             @() b.kick(0.1, [1 2 3]), 2; @() b.drift(0.1), 2};
  for k = 1:size(changes, 1)
    b.step(0.1);
    changes{k, 1}();
    seen = [];
    b.step(0.1);
    check(size(seen, 1) == changes{k, 2}, 'change %d: %d torques', k, size(seen, 1));
  end
end

function a_torque_function_acts_by_splitting_with_order_2()
  torque = @(t, q, omega) [cos(t), 0.3, -0.5 * omega(3)] - 0.4 * omega;
  exact = orientation_by('cf4', 1 / 2048, torque);
  error_of = @(dt) quatint.angleBetween(orientation_by('splitting', dt, torque), exact);
  check(abs(log2(error_of(1 / 64) / error_of(1 / 128)) - 2) < 0.1);
end

function high_orders_of_splitting_refuse_drag_and_shear_flow()
  for torque = {quatint.linearDrag([1 2 3]), quatint.shearFlow([1 1 2], 1, [0 1 0; 0 0 0; 0 0 0])}
    for method = {'splitting4', 'forcegradient', 'splitting6'}
      b = some_body();
      b.torque = torque{1};
      fails_with('quatint:Invalid', @() set_property(b, 'method', method{1}));
      check(strcmp(b.method, 'pcdm'));
      b = some_body();
      b.method = method{1};
      fails_with('quatint:Invalid', @() set_property(b, 'torque', torque{1}));
      check(isempty(b.torque) && strcmp(b.method, method{1}));
    end
    b.method = 'splitting';
    b.torque = torque{1};
    b.step(0.1);
  end
end
