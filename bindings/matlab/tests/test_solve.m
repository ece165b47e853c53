function test_solve()
  run_tests({@a_top_nods_with_its_exact_period, @each_time_gets_a_row, @the_error_follows_the_tolerance, ...
    @rows_within_steps_are_as_exact_as_the_steps, @the_times_change_no_bit_of_the_end, @it_goes_backwards_too, ...
    @a_free_body_takes_one_exact_step, @a_function_gives_what_the_ready_made_torque_gives, ...
    @torque_and_drag_act_after_a_new_inertia, @steps_and_solutions_alternate, @statistics_are_of_the_last_solution, ...
    @an_event_is_found_where_it_crosses_in_the_direction, @the_next_call_finds_the_next_event, ...
    @without_an_event_the_end_is_reached, @a_solution_cut_at_an_event_has_the_accuracy_of_a_whole_one, ...
    @an_error_in_the_torque_comes_out_and_the_body_is_at_its_last_step, ...
    @an_error_in_the_event_comes_out_and_the_body_is_at_its_last_step, @what_is_not_finite_is_an_error, ...
    @a_singular_torque_has_no_step, @a_torque_or_event_of_the_wrong_kind_is_refused, @what_is_refused_changes_nothing, ...
    @its_functions_can_neither_change_nor_read_the_body, @a_function_that_deletes_the_body_is_an_error, ...
    @a_monitor_sees_each_step_and_changes_no_bit, @an_error_in_the_monitor_comes_out_and_the_body_is_where_its_step_ended, ...
    @functions_may_solve_other_bodies, @an_ensemble_does_not_solve, ...
    @a_deleted_body_does_not_solve});
end

function b = some_body()
  b = quatint.Body([2 0.1 0; 0.1 3 0.2; 0 0.2 4], quatint.fromAxisAngle([1 2 3], 0.7), [0.3 -0.2 1.1]);
end

function b = driven(torque)
  b = some_body();
  if nargin == 0
    torque = @driving;
  end
  b.torque = torque;
end

function torque = driving(t, q, omega)
  torque = cross(quatint.rotateToWorld(q, [0 0 1]), [0 0 -3]) + [cos(t), 0, 0] - 0.2 * omega;
end

function x = state(b)
  x = [b.orientation, b.angularVelocity, b.time];
end

% The period of the nutation is from elliptic integrals, as in the example of the Rust documentation.
function top = nodding_top(torque)
  inclined = quatint.fromAxisAngle([1 0 0], 1);
  top = quatint.Body(diag([1, 1, 0.5]), inclined, quatint.rotateToWorld(inclined, [0 0 8]));
  top.torque = torque;
end

function angle = lean(q)
  tip = quatint.rotateToWorld(q, [0 0 1]);
  angle = acos(tip(:, 3));
end

function a_top_nods_with_its_exact_period()
  period = 1.670852791361963;
  for torque = {quatint.uniformField([0 0 1], [0 0 -1]), @(t, q, omega) cross(quatint.rotateToWorld(q, [0 0 1]), [0 0 -1])}
    top = nodding_top(torque{1});
    [t, q] = top.solve([0, period / 2, period, 2 * period], 1e-10);
    check(abs(lean(q([1 3 4], :)) - 1) < 1e-9 & abs(lean(q(2, :)) - 1) > 0.01);  % measured: 7e-12
  end
end

function each_time_gets_a_row()
  times = {10, [0 10], [0; 10], linspace(0, 10, 7), [3 3 4]};
  for k = 1:numel(times)
    b = driven();
    [t, q, omega] = b.solve(times{k}, 1e-8);
    n = numel(times{k});
    check(isequal(t, times{k}(:)) && isequal(size(q), [n 4]) && isequal(size(omega), [n 3]));
    check(abs(state(b) - [q(n, :), omega(n, :), t(n)]) < 1e-15 * 10);
    check(abs(sum(q .^ 2, 2) - 1) < 1e-14);
    if t(1) == 0 && n > 1
      check(abs([q(1, :), omega(1, :), 0] - state(some_body())) < 1e-15);
    end
    b.solve(t(n) + 1, 1e-8);
    check(b.time == t(n) + 1);
  end
end

function the_error_follows_the_tolerance()
  exact = driven();
  exact.solve(10, 1e-13);
  for tolerance = [1e-4 1e-6 1e-8 1e-10]
    b = driven();
    b.solve(10, tolerance);
    off = quatint.angleBetween(b.orientation, exact.orientation);
    check(off < 30 * tolerance, 'tolerance %g: error %g', tolerance, off);
  end
  fine = driven();
  fine.method = 'cf4';
  fine.advance(1e-2, 1000);
  check(quatint.angleBetween(fine.orientation, exact.orientation) < 1e-7);
end

function rows_within_steps_are_as_exact_as_the_steps()
  times = linspace(0, 10, 101);
  [b, c] = deal(driven(), driven());
  [~, q] = b.solve(times, 1e-8);
  [~, exact] = c.solve(times, 1e-12);
  check(quatint.angleBetween(q, exact) < 3e-7);
end

function the_times_change_no_bit_of_the_end()
  [a, b, c] = deal(driven(), driven(), driven());
  a.solve(5, 1e-9);
  b.solve([0 5], 1e-9);
  c.solve(linspace(0.3, 5, 40), 1e-9);
  same_bits(state(a), state(b));
  same_bits(state(a), state(c));
end

function it_goes_backwards_too()
  b = driven();
  b.solve([0 3], 1e-11);
  [t, q] = b.solve([3 2 1 0], 1e-11);
  check(b.time == 0 && isequal(t', [3 2 1 0]));
  check(abs(state(b) - state(some_body())) < 1e-8);
end

function a_free_body_takes_one_exact_step()
  [b, c] = deal(some_body(), some_body());
  [~, q] = b.solve([0 500 1000], 1e-3);
  c.drift(1000);
  check(abs(state(b) - state(c)) < 1e-11);
  check(b.solveStatistics.evaluations == 0);
end

function a_function_gives_what_the_ready_made_torque_gives()
  v = [0.2 -0.1 1];
  F = [0 0 -3];
  inertia = some_body().inertia;
  G = [0 1 0; 0.2 0 0; 0 0 0];
  resistances = quatint.shearFlowResistances([1 2 3], 0.5);
  torques = {
    quatint.uniformField(v, F), @(t, q, omega) quatint.uniformFieldTorque(q, v, F)
    quatint.constantTorque([1 2 3]), @(t, q, omega) [1 2 3]
    quatint.constantTorque([1 2 3], 'frame', 'body'), @(t, q, omega) quatint.bodyTorque(q, [1 2 3])
    quatint.linearDrag([1 2 3]), @(t, q, omega) quatint.linearDragTorque(q, omega, [1 2 3])
    quatint.gravityGradient([1 1 0], 0.5), @(t, q, omega) quatint.gravityGradientTorque(q, inertia, [1 1 0], 0.5)
    quatint.shearFlow([1 2 3], 0.5, G), @(t, q, omega) quatint.shearFlowTorque(q, omega, resistances, G)
  };
  for k = 1:size(torques, 1)
    [ready, own, free] = deal(driven(torques{k, 1}), driven(torques{k, 2}), some_body());
    ready.solve(2, 1e-11);
    own.solve(2, 1e-11);
    free.solve(2, 1e-11);
    check(abs(state(ready) - state(own)) < 1e-9, 'torque %d: %g', k, max(abs(state(ready) - state(own))));
    check(max(abs(state(ready) - state(free))) > 0.01, 'torque %d did nothing', k);
  end
end

function torque_and_drag_act_after_a_new_inertia()
  inertia = diag([1 2 4]);
  for torque = {quatint.uniformField([0 0 1], [0 0 -3]), @driving}
    [a, b] = deal(some_body(), quatint.Body(inertia, some_body().orientation, some_body().angularVelocity));
    a.torque = torque{1};
    a.setDrag([0.1 0.2 0.3], 'flow', [0 0 1]);
    a.inertia = inertia;
    b.torque = torque{1};
    b.setDrag([0.1 0.2 0.3], 'flow', [0 0 1]);
    a.solve(2, 1e-10);
    b.solve(2, 1e-10);
    check(abs(state(a) - state(b)) < 1e-12);
    b.setDrag([]);
    b.solve(3, 1e-10);
    a.solve(3, 1e-10);
    check(max(abs(state(a) - state(b))) > 1e-3);
  end
end

function steps_and_solutions_alternate()
  [a, b] = deal(driven(), driven());
  [a.method, b.method] = deal('cf4');
  a.solve(1, 1e-11);
  a.advance(1e-3, 1000);
  a.solve(3, 1e-11);
  b.advance(1e-3, 3000);
  check(abs(state(a) - state(b)) < 1e-8);
  a.orientation = [1 0 0 0];
  a.angularVelocity = [0 0 0];
  a.time = 0;
  [~, q, omega] = a.solve([0 1], 1e-10);
  check(isequal(q(1, :), [1 0 0 0]) && isequal(omega(1, :), [0 0 0]));
end

function statistics_are_of_the_last_solution()
  global calls
  calls = 0;
  b = some_body();
  check(isequal(b.solveStatistics, struct('evaluations', 0, 'accepted', 0, 'rejected', 0)));
  b.torque = @counted;
  b.solve(5, 1e-6);
  loose = b.solveStatistics;
  check(loose.evaluations == calls && loose.accepted > 1);
  calls = 0;
  b.solve(10, 1e-12);
  check(b.solveStatistics.evaluations == calls && calls > 1.5 * loose.evaluations);
  b.step(0.1);
  check(b.solveStatistics.accepted > 1);
end

function torque = counted(t, q, omega)
  global calls
  calls = calls + 1;
  torque = driving(t, q, omega);
end

% A body on a turntable of constant rate: every angle is known.
function an_event_is_found_where_it_crosses_in_the_direction()
  expected = {1, 1.5 * pi; -1, 0.5 * pi; 0, 0.5 * pi};
  for torque = {[], @(t, q, omega) [0 0 0], quatint.constantTorque([0 0 0])}
    for k = 1:3
      b = quatint.Body(diag([1 2 3]), [], [0 0 2]);
      b.torque = torque{1};
      level = @(t, q, omega) [1 0 0] * quatint.rotateToWorld(q, [1 0 0])';  % cos(2 t)
      [te, happened] = b.solveUntil(100, level, 1e-10, 'direction', expected{k, 1});
      check(happened && islogical(happened) && abs(te - expected{k, 2} / 2) < 1e-10);
      check(te == b.time && abs(level(te, b.orientation)) < 1e-9);
    end
  end
end

function the_next_call_finds_the_next_event()
  b = quatint.Body(diag([1 2 3]), [], [0 0 1]);
  for torque = {[], @(t, q, omega) [0 0 0]}
    b.torque = torque{1};
    b.orientation = [1 0 0 0];
    b.time = 0;
    for k = 1:20
      [te, happened] = b.solveUntil(100, @(t, q, omega) sin(t), 1e-8);
      check(happened && abs(te - k * pi) < 1e-9, 'event %d at %.12f', k, te);
    end
  end
  top = nodding_top(quatint.uniformField([0 0 1], [0 0 -1]));
  half = 1.670852791361963 / 2;
  nods = @(t, q, omega) omega * cross([0 0 1], quatint.rotateToWorld(q, [0 0 1]))';  % rate of the lean; 0 at the start
  for k = 1:6
    te = top.solveUntil(100, nods, 1e-11);
    check(abs(te - k * half) < 1e-8, 'event %d at %.12f', k, te);
  end
end

function without_an_event_the_end_is_reached()
  [a, b] = deal(driven(), driven());
  [te, happened] = a.solveUntil(3, @(t, q, omega) 1, 1e-9);
  check(te == 3 && ~happened && a.time == 3);
  b.solve(3, 1e-9);
  check(abs(state(a) - state(b)) < 1e-14);
  [te, happened] = a.solveUntil(1, @(t, q, omega) t - 2, 1e-9);
  check(abs(te - 2) < 1e-14 && happened);
end

function a_solution_cut_at_an_event_has_the_accuracy_of_a_whole_one()
  [a, b] = deal(driven(), driven());
  a.solveUntil(3, @(t, q, omega) t - 1.234567, 1e-10);
  check(abs(a.time - 1.234567) < 1e-14);
  a.solve(3, 1e-10);
  b.solve(3, 1e-10);
  check(abs(state(a) - state(b)) < 1e-8);
end

function an_error_in_the_torque_comes_out_and_the_body_is_at_its_last_step()
  b = driven(@(t, q, omega) stalls(t, 0));
  fails_with('mine:stalled', @() b.solve(5, 1e-8), 'the motor has stalled at');
  same_bits(state(b), state(some_body()));
  b = driven(@(t, q, omega) stalls(t, 2));
  fails_with('mine:stalled', @() b.solve(linspace(0, 5, 9), 1e-8), 'the motor has stalled at');
  reached = b.time;
  check(reached > 0 && reached <= 2 && b.solveStatistics.accepted > 0, 'at %g', reached);
  c = driven(@(t, q, omega) [sin(3 * t) 0 0]);
  c.solve(reached, 1e-11);
  check(abs(state(b) - state(c)) < 1e-6);
  b.torque = @(t, q, omega) [sin(3 * t) 0 0];
  b.solve(5, 1e-8);
  b.step(0.1);
  c.solve(5, 1e-11);
  c.step(0.1);
  check(abs(state(b) - state(c)) < 1e-6);
  b.torque = @(t, q, omega) no_such_function_anywhere(q);
  fails_with('Octave:undefined-function', @() b.solve(9, 1e-8));
end

function torque = stalls(t, when)
  if t > when || when == 0
    error('mine:stalled', 'the motor has stalled at t = %g', t);
  end
  torque = [sin(3 * t) 0 0];
end

function an_error_in_the_event_comes_out_and_the_body_is_at_its_last_step()
  for torque = {[], @driving, quatint.uniformField([0 0 1], [0 0 -3])}
    b = driven(torque{1});
    fails_with('mine:event', @() b.solveUntil(5, @(t, q, omega) error('mine:event', 'at %g', t), 1e-8), 'at 0');
    same_bits(state(b), state(some_body()));
    fails_with('mine:event', @() b.solveUntil(5, @(t, q, omega) breaks_at(t, 2), 1e-8), 'past 2');
    [reached, c] = deal(b.time, driven(torque{1}));
    check(reached >= 0 && reached <= 2);
    c.solve(reached, 1e-11);
    check(abs(state(b) - state(c)) < 1e-6);
    [te, happened] = b.solveUntil(5, @(t, q, omega) t - 4, 1e-8);
    check(happened && abs(te - 4) < 1e-12);
  end
end

function value = breaks_at(t, when)
  value = 1;
  if t > when
    error('mine:event', 'past %g', when);
  end
end

function what_is_not_finite_is_an_error()
  for bad = [NaN Inf]
    b = driven(@(t, q, omega) [0 bad 0]);
    fails_with('quatint:NonFinite', @() b.solve(1, 1e-8), 'the torque is not finite');
    same_bits(state(b), state(some_body()));
    b.torque = [];
    fails_with('quatint:NonFinite', @() b.solveUntil(1, @(t, q, omega) bad, 1e-8), 'event');
    same_bits(state(b), state(some_body()));
  end
end

function a_singular_torque_has_no_step()
  b = driven(@(t, q, omega) [1 0 0] / abs(1 - t));
  fails_with('quatint:Step', @() b.solve(2, 1e-8));
  check(b.time > 0.9 && b.time <= 1, 'at %g', b.time);
end

function a_torque_or_event_of_the_wrong_kind_is_refused()
  cases = {
    [1 2], 'quatint:Size', '`torque` must be 1-by-3, not 1-by-2'
    zeros(3, 3), 'quatint:Size', '`torque` must be 1-by-3, not 3-by-3'
    [], 'quatint:Size', 'not 0-by-0'
    single([1 2 3]), 'quatint:Type', 'class double, not single'
    'abc', 'quatint:Type', 'not char'
    {1, 2, 3}, 'quatint:Type', 'not cell'
  };
  for k = 1:size(cases, 1)
    b = driven(@(t, q, omega) cases{k, 1});
    fails_with(cases{k, 2}, @() b.solve(1, 1e-8), cases{k, 3});
    same_bits(state(b), state(some_body()));
  end
  b = some_body();
  for bad = {[1 2], [], 'ab', {1}, single(1), true, 1i}
    fails_somehow(@() b.solveUntil(1, @(t, q, omega) bad{1}, 1e-8));
    same_bits(state(b), state(some_body()));
  end
  fails_with('quatint:Size', @() b.solveUntil(1, @(t, q, omega) [1 2], 1e-8), '`event` must be one number');
  b.torque = @(t, q, omega) [1; 2; 3];
  b.solve(1, 1e-8);
  check(b.time == 1);
end

function fails_somehow(action)
  try
    action();
  catch err
    check(strncmp(err.identifier, 'quatint:', 8), '%s: %s', err.identifier, err.message);
    return
  end
  error('check:failed', 'no error');
end

function what_is_refused_changes_nothing()
  up = @(t, q, omega) t - 0.5;
  for torque = {[], @driving, quatint.uniformField([0 0 1], [0 0 -3])}
    b = driven(torque{1});
    b.solve(1, 1e-8);
    before = state(b);
    cases = {
      @() b.solve(2, NaN), 'quatint:', 'tolerance'
      @() b.solve(2, 0), 'quatint:Invalid', 'tolerance'
      @() b.solve(2, -1e-8), 'quatint:Invalid', 'tolerance'
      @() b.solve(2, 1), 'quatint:Invalid', 'tolerance'
      @() b.solve(2, 1e-16), 'quatint:Invalid', 'tolerance'
      @() b.solve(2, Inf), 'quatint:', 'tolerance'
      @() b.solve(2, [1e-8 1e-8]), 'quatint:Size', '`tolerance` must be one number'
      @() b.solve(2, 'x'), 'quatint:Type', '`tolerance`'
      @() b.solve(2, []), 'quatint:Size', '`tolerance`'
      @() b.solve([], 1e-8), 'quatint:Size', '`times` must be one time or a vector of times, not 0-by-0'
      @() b.solve([1 2; 3 4], 1e-8), 'quatint:Size', '`times` must be one time or a vector of times, not 2-by-2'
      @() b.solve({2}, 1e-8), 'quatint:Type', '`times`'
      @() b.solve(single(2), 1e-8), 'quatint:Type', '`times`'
      @() b.solve(NaN, 1e-8), 'quatint:NonFinite', 'end_time'
      @() b.solve([1 Inf], 1e-8), 'quatint:NonFinite', 'times'
      @() b.solve([1 NaN 2], 1e-8), 'quatint:NonFinite', 'times'
      @() b.solve([0 2], 1e-8), 'quatint:Invalid', 'must ascend from the time of the body'
      @() b.solve([1 3 2], 1e-8), 'quatint:Invalid', 'must ascend'
      @() b.solveUntil(2, up, NaN), 'quatint:', 'tolerance'
      @() b.solveUntil(2, up, 1), 'quatint:Invalid', 'tolerance'
      @() b.solveUntil(NaN, up, 1e-8), 'quatint:NonFinite', 'end_time'
      @() b.solveUntil([1 2], up, 1e-8), 'quatint:Size', '`endTime` must be one number'
      @() b.solveUntil(2, 3, 1e-8), 'quatint:Type', '`event` must be a function @(t, q, omega), not a double'
      @() b.solveUntil(2, 'sin', 1e-8), 'quatint:Type', 'not a char'
      @() b.solveUntil(2, up, 1e-8, 'direction', 2), 'quatint:Invalid', '`direction` must be 1 (rising), -1 (falling) or 0 (any), not 2'
      @() b.solveUntil(2, up, 1e-8, 'direction', NaN), 'quatint:Invalid', '`direction`'
      @() b.solveUntil(2, up, 1e-8, 'direction', [1 1]), 'quatint:Size', '`direction`'
      @() b.solveUntil(2, up, 1e-8, 'direction', 'up'), 'quatint:Invalid', '`direction` must be ''rising'', ''falling'' or ''both'''
    };
    for k = 1:size(cases, 1)
      try
        cases{k, 1}();
        error('check:failed', 'case %d: no error', k);
      catch err
        check(strncmp(err.identifier, cases{k, 2}, numel(cases{k, 2})), 'case %d: %s: %s', k, err.identifier, err.message);
        check(~isempty(strfind(err.message, cases{k, 3})), 'case %d: %s', k, err.message);
      end
      same_bits(state(b), before);
    end
  end
end

function its_functions_can_neither_change_nor_read_the_body()
  b = some_body();
  before = state(b);
  for action = {@() b.step(1), @() b.solve(1, 1e-8), @() b.solveUntil(1, @(t, q, omega) 1, 1e-8), @() b.kick(1, [1 2 3]), ...
                @() b.drift(1), @() set_property(b, 'orientation', [1 0 0 0]), @() set_property(b, 'torque', []), ...
                @() set_property(b, 'inertia', eye(3)), @() set_property(b, 'time', 3), @() set_property(b, 'method', 'cf4')}
    b.torque = @(t, q, omega) do_it(action{1});
    fails_with('quatint:Order', @() b.solve(1, 1e-8));
    same_bits(state(b), before);
    b.torque = [];
    fails_with('quatint:Order', @() b.solveUntil(1, @(t, q, omega) sum(do_it(action{1})), 1e-8));
    same_bits(state(b), before);
  end
  for action = {@() b.solve(1, 1e-8), @() b.solveUntil(1, @(t, q, omega) 1, 1e-8)}
    b.torque = @(t, q, omega) do_it(action{1});
    fails_with('quatint:Order', @() b.step(0.1));
    same_bits(state(b), before);
  end
  b.torque = @(t, q, omega) b.angularVelocity;
  fails_with('quatint:Order', @() b.solve(1, 1e-8), 'within a solution its own functions cannot read it');
  b.torque = @(t, q, omega) omega * 0 + sum(sum(b.inertia));  % what was assigned is at hand
  b.solve(1, 1e-8);
  check(b.time == 1);
end

function torque = do_it(action)
  torque = [0 0 0];
  action();
end

function a_function_that_deletes_the_body_is_an_error()
  b = some_body();
  b.torque = @(t, q, omega) deleted(b);
  fails_with('quatint:Deleted', @() b.solve(1, 1e-8));
  fails_with('quatint:Deleted', @() b.solve(1, 1e-8));
  c = some_body();
  fails_with('quatint:Deleted', @() c.solveUntil(1, @(t, q, omega) sum(deleted(c)), 1e-8));
end

function torque = deleted(body)
  delete(body);
  torque = [0 0 0];
end

function functions_may_solve_other_bodies()
  b = driven(@(t, q, omega) other_momentum(t));
  b.solve(0.2, 1e-4);
  c = driven(@(t, q, omega) other_momentum(t));
  c.solve(0.2, 1e-8);
  check(quatint.angleBetween(b.orientation, c.orientation) < 1e-3);
  d = driven(@(t, q, omega) sum(fails_inside()) * [1 0 0]);
  fails_with('mine:stalled', @() d.solve(1, 1e-6));
  same_bits(state(d), state(some_body()));
end

function momentum = other_momentum(t)
  other = driven();
  other.solve(t, 1e-6);
  momentum = other.angularMomentum;
end

function q = fails_inside()
  other = driven(@(t, q, omega) stalls(t, 0));
  [~, q] = other.solve(1, 1e-6);
end

function a_monitor_sees_each_step_and_changes_no_bit()
  for torque = {@driving, quatint.uniformField([0 0 1], [0.1 0.2 -1])}
    [plain, monitored, recorded] = deal(driven(torque{1}), driven(torque{1}), driven(torque{1}));
    plain.solve(3, 1e-9);
    calls([]);
    monitored.solve(3, 1e-9, 'monitor', @(t, q, omega) calls([q, omega, t]));
    same_bits(state(monitored), state(plain));
    seen = calls();
    check(size(seen, 1) == plain.solveStatistics.accepted && size(seen, 1) > 5);
    same_bits(seen(end, :), state(plain));
    calls([]);
    [t, q] = recorded.solve([1 3], 1e-9, 'monitor', @(t, q, omega) calls([q, omega, t]));
    same_bits(calls(), seen);
    same_bits([t(2), q(2, :)], [3, plain.orientation]);
  end
end

% Keeps rows; [] forgets them.
function rows = calls(row)
  persistent kept
  if nargin > 0 && isempty(row)
    kept = [];
  elseif nargin > 0
    kept(end + 1, :) = row;
  end
  rows = kept;
end

function an_error_in_the_monitor_comes_out_and_the_body_is_where_its_step_ended()
  for torque = {@driving, quatint.uniformField([0 0 1], [0.1 0.2 -1])}
    b = driven(torque{1});
    fails_with('mine:enough', @() b.solve([0.5 2 3], 1e-9, 'monitor', @enough));
    check(b.time > 1 && b.time < 3);
    b.solve(3, 1e-9);
    check(b.time == 3);
  end
  fails_with('quatint:Type', @() b.solve(4, 1e-9, 'monitor', 5), '`monitor` must be a function');
  fails_with('quatint:Arguments', @() b.solveUntil(4, @(t, q, omega) 1, 1e-9, 'monitor', @enough), 'monitor');
end

function enough(t, q, omega)
  if t > 1
    error('mine:enough', 'enough at %g', t);
  end
end

function an_ensemble_does_not_solve()
  e = quatint.Ensemble(3);
  check(~ismethod(e, 'solve') && ~ismethod(e, 'solveUntil'));
  fails_with('quatint:Command', @() quatint_mex('solve', e.id, 1, 1e-8, 0), 'no command solve for this object');
end

function a_deleted_body_does_not_solve()
  b = driven();
  delete(b);
  for action = {@() b.solve(1, 1e-8), @() b.solveUntil(1, @(t, q, omega) 1, 1e-8), @() b.solveStatistics, ...
                @() b.rotorMomentum, @() set_property(b, 'rotorMomentum', [1 2 3])}
    fails_with('quatint:Deleted', action{1});
  end
end
