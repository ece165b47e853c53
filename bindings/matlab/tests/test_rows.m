function test_rows()
  run_tests({@the_columns_are_the_parts_in_their_order, @a_restart_every_10_steps_changes_no_bit, ...
    @a_file_between_changes_no_bit, @a_body_restarts_with_the_same_bits, ...
    @a_body_with_rotors_or_after_solve_restarts_with_them, @bodies_move_to_another_ensemble_and_back_with_their_bits, ...
    @parameters_and_memory_move_with_the_bodies, @select_removes_sorts_and_copies, ...
    @resize_keeps_the_first_and_adds_bodies_as_created, @a_change_of_population_keeps_torque_method_clock_and_threads, ...
    @ensembles_may_be_empty_and_grow, @a_bad_row_names_its_body_and_changes_nothing, ...
    @lists_parts_and_sizes_that_are_wrong_are_refused, @a_row_serves_all_of_the_listed_bodies, ...
    @angular_velocities_of_the_body_frame_come_back_bit_for_bit, @the_clock_is_the_time_and_its_rest, ...
    @the_inertia_is_that_of_the_rows, @principal_inertias_are_diagonal_inertias, ...
    @a_body_takes_the_rows_of_a_body_and_of_an_ensemble, @exact_sums_do_not_depend_on_the_ensembles, ...
    @sums_and_totals_are_those_of_the_active_bodies, @the_active_bodies_are_saved_as_all_some_or_none, ...
    @sums_take_values, ...
    @a_torque_may_read_rows_but_not_set_them, @a_saved_ensemble_may_have_changed_its_population, ...
    @what_is_deleted_has_no_rows});
end

function e = some_bodies(n)
  e = quatint.Ensemble(n);
  e.orientation = quatint.fromAxisAngle([1 2 3], linspace(0, 3, n)');
  e.angularVelocity = [linspace(0, 1, n)', ones(n, 1), linspace(2, -1, n)'];
  e.inertia = cat(3, [2 0.1 0; 0.1 3 0.2; 0 0.2 4], repmat([3 0 -0.2; 0 2 0.3; -0.2 0.3 4], [1 1 n - 1]));
end

function b = some_body()
  b = quatint.Body([2 0.1 0; 0.1 3 0.2; 0 0.2 4], quatint.fromAxisAngle([1 2 3], 0.7), [0.3 -0.2 1.1]);
end

% Depends on time, orientation and angular velocity.
function torque = shaken(t, q, omega)
  omega(isnan(omega)) = 0;  % some methods show NaN
  torque = [sin(7 * t) - q(:, 1) .* q(:, 2), q(:, 3), cos(3 * t) - 0.1 * omega(:, 3)];
end

function methods = all_methods()
  methods = {'pcdm', 'cf4', 'splitting', 'splitting4', 'forcegradient', 'splitting6'};
end

function same_state(a, b)
  same_bits(a.rows('state'), b.rows('state'));
  same_bits(a.clock, b.clock);
end

function the_columns_are_the_parts_in_their_order()
  e = some_bodies(5);
  check(e.rowSize() == 14 && e.rowSize('state') == 7 && e.rowSize('inertia') == 7 && e.rowSize({}) == 0);
  same_bits(e.rows('state'), [e.orientation, e.angularVelocityBody]);
  check(abs(quatint.rotateToWorld(e.orientation, e.angularVelocityBody) - e.angularVelocity) < 1e-15);
  x = e.rows();
  same_bits(e.rows({'inertia', 'state'}), x);
  same_bits(e.rows('inertia'), x(:, 8:14));
  same_bits(e.rows('all', [5 1 1]), x([5 1 1], :));
  same_bits(e.rows('state', logical([0 1 0 0 1])), x([2 5], 1:7));
  same_bits(e.rows('state', ':'), x(:, 1:7));
  check(isequal(size(e.rows('state', [])), [0 7]) && isequal(size(e.rows('torque')), [5 0]));

  v = reshape(1:15, 5, 3);
  kinds = {quatint.constantTorque(v), v; quatint.uniformField(v, [0 0 1]), v; quatint.gravityGradient([0 0 1], v(:, 1)), v(:, 1); ...
           quatint.linearDrag(v), v; quatint.shearFlow(v, 0.5, eye(3)), []; @shaken, zeros(5, 0)};
  for k = 1:size(kinds, 1)
    e.torque = kinds{k, 1};
    x = e.rows('torque');
    check(isequal(x, kinds{k, 2}) || (k == 5 && size(x, 2) == 6), 'torque %d', k);
    same_bits(e.rows('all', 3), e.rows({'state', 'inertia', 'torque', 'memory'}, 3));
  end
  e.torque = quatint.constantTorque(v);
  e.setDrag(2 * v, 'flow', [1 2 3]);
  check(isequal(e.rows('torque'), [v, 2 * v, repmat([1 2 3], 5, 1)]));

  e = some_bodies(5);
  e.torque = @shaken;
  check(e.rowSize('memory') == 0);
  e.method = 'splitting';
  check(e.rowSize('memory') == 3 && all(all(isnan(e.rows('memory')))));
  e.step(0.1);
  check(isfinite(e.rows('memory')));
end

% `made` makes an ensemble like e, without states: its rows bring these.
function e = restarted(e, made)
  next = made();
  next.clock = e.clock;
  next.setRows(e.rows());
  e = next;
end

function e = prepared(count, method, torque, drag)
  e = quatint.Ensemble(count);
  e.method = method;
  e.torque = torque;
  e.setDrag(drag);
end

function a_restart_every_10_steps_changes_no_bit()
  n = 70;
  field = @(v) quatint.uniformField(v, [0.3 0 -2]);
  v = [linspace(0, 1, n)', ones(n, 1), linspace(1, -1, n)'];
  cases = {@shaken, @shaken, []; field(v), field([0 0 0]), []; @shaken, @shaken, [0.5 0.4 0.3]; ...
           quatint.linearDrag(v + 1), quatint.linearDrag([0 0 0]), []};
  for method = all_methods()
    for k = 1:size(cases, 1)
      if k > 2 && any(strcmp(method{1}, {'splitting4', 'forcegradient', 'splitting6'})), continue, end  % these refuse drag
      e = some_bodies(n);
      e.method = method{1};
      e.torque = cases{k, 1};
      e.setDrag(cases{k, 3});
      f = restarted(e, @() prepared(n, method{1}, cases{k, 2}, cases{k, 3}));
      for part = 1:4
        f.advance(0.01, 10);
        f = restarted(f, @() prepared(n, method{1}, cases{k, 2}, cases{k, 3}));
      end
      e.advance(0.01, 40);
      same_state(e, f);
      check(e.clock(2) ~= 0 && norm(e.orientation - some_bodies(n).orientation) > 0.1);
    end
  end
end

function a_file_between_changes_no_bit()
  file = [tempname() '.mat'];
  for format = {'-text', '-binary', '-v7'}
    for method = all_methods()
      e = some_bodies(9);
      e.method = method{1};
      e.torque = quatint.uniformField(e.angularVelocity, [0 1 -3]);
      if strcmp(method{1}, 'splitting') && ~strcmp(format{1}, '-v7')  % Octave saves no functions in the format of MATLAB
        e.torque = @(t, q, omega) [sin(7 * t) + 0 * q(:, 1), q(:, 2:3) - omega(:, 1:2)];
      end
      e.active = 2:8;
      e.threads = 2;
      e.advance(0.01, 11);
      state = e.saveobj();
      save(format{1}, file, 'state');
      loaded = load(file);
      delete(file);
      f = quatint.Ensemble.loadobj(loaded.state);
      check(isequal(f.active, 2:8) && f.threads == 2 && strcmp(f.method, method{1}) && isequal(f.inertia, e.inertia));
      [e.active, f.active] = deal(':');
      e.advance(0.01, 30);
      f.advance(0.01, 30);
      same_state(e, f);
    end
  end
  same_bits(quatint.Ensemble.loadobj(e).rows(), e.rows());
end

function a_body_restarts_with_the_same_bits()
  for method = all_methods()
    [a, b] = deal(some_body(), some_body());
    for body = {a, b}
      body{1}.torque = @shaken;
      body{1}.method = method{1};
    end
    for part = 1:4
      b.advance(0.01, 10);
      c = quatint.Body(b.inertia);
      c.torque = @shaken;
      c.method = method{1};
      c.clock = b.clock;
      c.setRows(b.rows());
      b = c;
    end
    a.advance(0.01, 40);
    same_state(a, b);
  end
  state = a.saveobj();
  b = quatint.Body.loadobj(state);
  check(isa(b, 'quatint.Body'));
  a.step(0.1);
  b.step(0.1);
  same_state(a, b);
end

function a_body_with_rotors_or_after_solve_restarts_with_them()
  for method = {'pcdm', 'cf4', 'splitting4'}
    a = some_body();
    a.rotorMomentum = [0.3 0 -0.5];
    a.setDrag([]);
    a.torque = quatint.uniformField([0 0 1], [1 0 -1]);
    a.method = method{1};
    b = a;
    for part = 1:3
      b = quatint.Body.loadobj(b.saveobj());
      a.advance(0.01, 10);
      b.advance(0.01, 10);
      same_state(a, b);
    end
    [~, q, omega] = a.solve(a.time + 1, 1e-10);
    same_bits([q, omega], [a.orientation, a.angularVelocity]);
    b.solve(b.time + 1, 1e-10);
    same_state(a, b);
    b = quatint.Body.loadobj(b.saveobj());
    a.solve(a.time + 1, 1e-10);
    b.solve(b.time + 1, 1e-10);
    same_state(a, b);
    a.drift(0.3);
    b.drift(0.3);
    same_state(a, b);
    check(isequal(b.rotorMomentum, [0.3 0 -0.5]));
  end
end

% Bodies 1 to 6 are dealt out to two ensembles and change places as they turn; one ensemble of all is the measure.
function bodies_move_to_another_ensemble_and_back_with_their_bits()
  for method = all_methods()
    all = some_bodies(6);
    [a, b] = deal(quatint.Ensemble(0), quatint.Ensemble(0));
    for e = {all, a, b}
      e{1}.method = method{1};
      e{1}.torque = @(t, q, omega) [sin(7 * t) - q(:, 1), q(:, 3), zeros(size(t * q(:, 1)))];
    end
    [in_a, in_b] = deal([1 2 3], [4 5 6]);
    a.resize(3);
    b.resize(3);
    a.setRows(all.rows('all', in_a));
    b.setRows(all.rows('all', in_b));
    for part = 1:5
      for e = {all, a, b}
        e{1}.advance(0.01, 10);
      end
      leaving = mod(in_a + part, 3) == 0;                     % a mask
      x = a.rows({'state', 'inertia'}, leaving);
      n = b.count;
      b.resize(n + sum(leaving));
      b.setRows(x, {'state', 'inertia'}, n + (1:sum(leaving)));
      a.select(~leaving);
      in_b = [in_b, in_a(leaving)];
      in_a = in_a(~leaving);
      if part >= 3                                            % the first of b goes back
        a.resize(a.count + 1);
        a.setRows(b.rows({'state', 'inertia'}, 1), {'state', 'inertia'}, a.count);
        b.select(2:b.count);
        in_a = [in_a, in_b(1)];
        in_b(1) = [];
      end
      check(a.count == numel(in_a) && b.count == numel(in_b));
      same_bits(a.rows('state'), all.rows('state', in_a));
      same_bits(b.rows('state'), all.rows('state', in_b));
    end
    check(in_a(end) ~= 3, 'the bodies have changed places');
    same_bits(all.clock, a.clock);
  end
end

% The torque depends on the angular velocity, so it matters whether SPLITTING keeps the last one. Room is made by select, which
% lets a method keep what it kept; resize would not.
function parameters_and_memory_move_with_the_bodies()
  n = 8;
  c = [linspace(0.1, 0.5, n)', 0.2 * ones(n, 1), linspace(1, 0.4, n)'];
  for method = {'pcdm', 'cf4', 'splitting'}
    [all, a, b] = deal(some_bodies(n), some_bodies(n), some_bodies(n));
    for e = {all, a, b}
      e{1}.method = method{1};
      e{1}.torque = quatint.constantTorque(c, 'frame', 'body');
      e{1}.setDrag(c, 'flow', [0.1 0.2 0.3]);
    end
    a.select(1:5);
    b.select(6:n);
    for e = {all, a, b}
      e{1}.advance(0.01, 10);
    end
    x = a.rows('all', [2 4]);
    b.select([1 2 3 1 1]);
    b.setRows(x, 'all', [4 5]);
    a.select([5 3 1]);
    for e = {all, a, b}
      e{1}.advance(0.01, 10);
    end
    same_bits(a.rows(), all.rows('all', [5 3 1]));
    same_bits(b.rows(), all.rows('all', [6 7 8 2 4]));
  end
end

function select_removes_sorts_and_copies()
  e = some_bodies(6);
  e.torque = quatint.constantTorque((1:6)' * [1 1 1]);
  x = e.rows();
  e.select([6 2 2 1 5 3 4 4]);
  check(e.count == 8);
  same_bits(e.rows(), x([6 2 2 1 5 3 4 4], :));
  check(isequal(size(e.orientation), [8 4]) && isequal(size(e.kineticEnergy), [8 1]));
  e.select(e.angularVelocity(:, 1) > 0.3);
  same_bits(e.rows(), x([6 5 3 4 4], :));
  e.active = [1 2];
  e.select(':');  % all move again, as after any other list
  same_bits(e.rows(), x([6 5 3 4 4], :));
  f = some_bodies(6);
  f.select([6 5 3 4 4]);
  f.torque = quatint.constantTorque([6 5 3 4 4]' * [1 1 1]);
  e.advance(0.1, 5);
  f.advance(0.1, 5);
  same_state(e, f);
  e.select([]);
  check(e.count == 0);
end

function resize_keeps_the_first_and_adds_bodies_as_created()
  e = some_bodies(3);
  e.torque = quatint.constantTorque([1 2 3; 4 5 6; 7 8 9]);
  x = e.rows();
  e.resize(300);
  check(e.count == 300);
  same_bits(e.rows('all', 1:3), x);
  check(isequal(e.rows('all', 4), [1 0 0 0, 0 0 0, 1 1 1, 1 0 0 0, 0 0 0]));
  check(isequal(e.inertia(:, :, 300), eye(3)));
  e.step(0.1);
  check(isequal(e.orientation(4, :), [1 0 0 0]));
  e.resize(2);
  check(e.count == 2 && isequal(size(e.rows()), [2 17]));
  fails_with('quatint:Memory', @() e.resize(2^50));
  check(e.count == 2);
end

function a_change_of_population_keeps_torque_method_clock_and_threads()
  e = some_bodies(2000);
  e.torque = @shaken;
  e.method = 'cf4';
  e.threads = 2;
  e.advance(0.1, 3);
  clock = e.clock;
  for change = {@() e.resize(3000), @() e.select(1:1500)}
    e.active = [1 5];
    change{1}();
    check(isequal(e.active, ':') && strcmp(e.method, 'cf4') && e.threads == 2 && isequal(e.clock, clock) && isequal(e.torque, @shaken));
  end
  f = some_bodies(2000);
  f.torque = @shaken;
  f.method = 'cf4';
  f.advance(0.1, 6);
  e.advance(0.1, 3);
  same_bits(e.rows('state'), f.rows('state', 1:1500));
end

function ensembles_may_be_empty_and_grow()
  e = quatint.Ensemble(0);
  check(isequal(size(e.rows()), [0 14]) && e.rowSize() == 14);
  e.setRows(zeros(0, 14));
  e.select([]);
  e.select(logical(zeros(0, 1)));
  e.resize(0);
  e.angularVelocityBody = zeros(0, 3);
  e.setPrincipalInertias(zeros(0, 3));
  check(isequal(size(e.inertia), [3 3 0]) || isequal(e.inertia, zeros(3, 3, 0)));
  check(quatint.sumValue(e.kineticEnergySums) == 0 && isequal(quatint.sumValue(e.angularMomentumSums), [0 0 0]));
  f = quatint.Ensemble.loadobj(e.saveobj());
  check(f.count == 0);
  f.advance(0.1, 3);
  e.advance(0.1, 3);
  e.resize(2);
  e.setRows(some_bodies(2).rows());
  f = some_bodies(2);
  f.clock = e.clock;
  e.advance(0.1, 3);
  f.advance(0.1, 3);
  same_state(e, f);
end

function a_bad_row_names_its_body_and_changes_nothing()
  e = some_bodies(300);
  e.torque = quatint.constantTorque(e.angularVelocity);
  e.method = 'splitting';
  e.step(0.1);
  x = e.rows();
  bad = {[1 2], 'quatint:Orientation'; [6 NaN], 'quatint:NonFinite'; [9 1e308], 'quatint:Inertia'; [15 Inf], 'quatint:NonFinite'};
  for k = 1:size(bad, 1)
    wrong = x;
    wrong(200, bad{k, 1}(1)) = bad{k, 1}(2);
    wrong(201, bad{k, 1}(1)) = bad{k, 1}(2);
    wrong(1:100, 5) = 7;
    fails_with(bad{k, 2}, @() e.setRows(wrong), 'body 200: ');
    fails_with(bad{k, 2}, @() e.setRows(wrong([200 3], :), 'all', [17 4]), 'body 17: ');
    same_bits(e.rows(), x);
  end
end

function lists_parts_and_sizes_that_are_wrong_are_refused()
  e = some_bodies(5);
  x = e.rows();
  for list = {0, 6, 1.5, NaN, -1, [1 2 7]}
    fails_with('quatint:Invalid', @() e.rows('all', list{1}), '`bodies` must be whole numbers from 1 to 5; element');
    fails_with('quatint:Invalid', @() e.setRows(x(1, :), 'all', list{1}), '`bodies`');
    fails_with('quatint:Invalid', @() e.select(list{1}), '`from` must be whole numbers from 1 to 5; element');
  end
  fails_with('quatint:Size', @() e.select(true(4, 1)), '`from`, a mask, must have 5 elements, not 4');
  fails_with('quatint:Type', @() e.rows('all', {1}), '`bodies`');
  fails_with('quatint:Type', @() e.rows('all', '1'));
  for parts = {'states', '', 7, {'state', 'mass'}, {{}}}
    fails_with('quatint:Invalid', @() e.rows(parts{1}), '`parts` must be ''state'', ''inertia'', ''torque'', ''memory'', ''id'' or ''all''');
    fails_with('quatint:Invalid', @() e.rowSize(parts{1}));
  end
  fails_with('quatint:Size', @() e.setRows(x'), '`rows` must be 5-by-14, not 14-by-5');
  fails_with('quatint:Size', @() e.setRows(x, 'state'), '`rows` must be 5-by-7, not 5-by-14');
  fails_with('quatint:Size', @() e.setRows(x(1:2, :), 'all', 1:3), '`rows` must be 3-by-14, not 2-by-14');
  fails_with('quatint:Size', @() e.setRows(x, 'state'), 'Are parts, torque, drag, rotors, random torques and method those');
  fails_with('quatint:Size', @() e.setRows(zeros(5, 14, 2)), 'not 5-by-14-by-2');
  fails_with('quatint:Type', @() e.setRows(single(x)), '`rows`');
  for count = {-1, 1.5, NaN}
    fails_with('quatint:Invalid', @() e.resize(count{1}), '`count`');
  end
  same_bits(e.rows(), x);
  check(e.count == 5);
end

function a_row_serves_all_of_the_listed_bodies()
  e = some_bodies(5);
  x = e.rows();
  e.setRows(x(2, :), 'all', [4 1 5]);
  same_bits(e.rows(), x([2 2 3 2 2], :));
  e.setRows(x([1 5], :), 'all', [3 3]);                       % of a body that is listed twice, the last row stays
  same_bits(e.rows(), x([2 2 5 2 2], :));
  e.setRows(x(3, 1:7), 'state');
  same_bits(e.rows('state'), x([3 3 3 3 3], 1:7));
  e.setRows(x, {'state', 'inertia'}, ':');
  same_bits(e.rows(), x);
end

function angular_velocities_of_the_body_frame_come_back_bit_for_bit()
  e = some_bodies(200);
  e.advance(0.1, 7);
  [q, omega] = deal(e.orientation, e.angularVelocityBody);
  e.angularVelocityBody = omega;
  same_bits(e.angularVelocityBody, omega);
  same_bits(e.orientation, q);
  f = some_bodies(200);
  f.orientation = q;
  f.angularVelocityBody = omega;
  e.advance(0.1, 7);
  f.advance(0.1, 7);
  same_bits(e.rows('state'), f.rows('state'));
  e.angularVelocityBody = [1; 2; 3];
  same_bits(e.angularVelocityBody, repmat([1 2 3], 200, 1));
  b = some_body();
  b.angularVelocityBody = [0.1 0.2 0.3];
  same_bits(b.angularVelocityBody, [0.1 0.2 0.3]);
  b.solve(1, 1e-9);
  check(abs(b.kineticEnergy - [0.1 0.2 0.3] * b.inertia * [0.1; 0.2; 0.3] / 2) < 1e-9);
  for wrong = {[1 2], ones(3, 200), ones(2, 3), []}
    fails_with('quatint:Size', @() set_property(e, 'angularVelocityBody', wrong{1}));
  end
  fails_with('quatint:Type', @() set_property(e, 'angularVelocityBody', single([1 2 3])));
  omega(3, 2) = NaN;
  fails_with('quatint:NonFinite', @() set_property(e, 'angularVelocityBody', omega), 'body 3: ');
end

function the_clock_is_the_time_and_its_rest()
  for e = {some_bodies(3), some_body()}
    e = e{1};
    same_bits(e.clock, [0 0]);
    e.advance(0.1, 30);
    clock = e.clock;
    check(clock(1) == e.time && clock(2) ~= 0 && abs(clock(2)) < 1e-15);
    e.time = clock(1);
    same_bits(e.clock, [clock(1) 0]);
    e.clock = clock';
    same_bits(e.clock, clock);
    fails_with('quatint:Size', @() set_property(e, 'clock', 1), '`clock`');
    fails_with('quatint:NonFinite', @() set_property(e, 'clock', [1 NaN]));
    same_bits(e.clock, clock);
  end
end

function the_inertia_is_that_of_the_rows()
  e = some_bodies(4);
  inertia = e.inertia;
  f = quatint.Ensemble(4);
  f.setRows(e.rows('inertia'), 'inertia');
  check(isequal(size(f.inertia), [3 3 4]) && all(abs(f.inertia(:) - inertia(:)) < 1e-14));
  f.setRows(e.rows('inertia', 1), {'inertia'}, 2);
  check(abs(f.inertia(:, :, 2) - inertia(:, :, 1)) < 1e-14);
  f.select([4 1]);
  check(abs(f.inertia - inertia(:, :, [4 1])) < 1e-14);
  check(isequal(f.inertia, permute(f.inertia, [2 1 3])), 'it is exactly symmetric');
  same_bits(e.inertia, inertia);
  e.setRows(e.rows('state'), 'state');
  same_bits(e.inertia, inertia);
end

function principal_inertias_are_diagonal_inertias()
  m = [1 2 3; 5 4 6; 2 2 2];
  [e, f] = deal(some_bodies(3), some_bodies(3));
  e.setPrincipalInertias(m);
  f.inertia = cat(3, diag(m(1, :)), diag(m(2, :)), diag(m(3, :)));
  check(abs(e.inertia - f.inertia) < 1e-15);
  e.advance(0.1, 5);
  f.advance(0.1, 5);
  check(abs(e.orientation - f.orientation) < 1e-12);
  e.setPrincipalInertias([3; 2; 4]);
  check(isequal(e.rows('inertia'), repmat([3 2 4, 1 0 0 0], 3, 1)));
  fails_with('quatint:Size', @() e.setPrincipalInertias(ones(2, 3)), '`moments` must be 3-by-3, not 2-by-3');
  m(2, 3) = -1;
  fails_with('quatint:Inertia', @() e.setPrincipalInertias(m), 'body 2: ');
end

function a_body_takes_the_rows_of_a_body_and_of_an_ensemble()
  b = some_body();
  b.torque = quatint.constantTorque([1 2 3]);
  x = b.rows();
  b.setRows(x);
  same_bits(b.rows(), x);
  other = x;
  other([8 15]) = other([8 15]) * 1.5;
  b.setRows(other);
  same_bits(b.rows(), other);
  b.setRows([9 9 9 1 0 0 0], 'inertia');
  check(isequal(b.inertia, 9 * eye(3)));
  fails_with('quatint:Inertia', @() b.setRows([9 0 8 1 0 0 0], 'inertia'));
  fails_with('quatint:Size', @() b.setRows(x(1:end - 1)), '`rows` must be 1-by-17, not 1-by-16');
  check(isequal(b.inertia, 9 * eye(3)));
  b.setRows(x);
  same_bits(b.rows(), x);
  e = some_bodies(3);
  e.torque = b.torque;
  e.inertia = b.inertia;
  b.setRows(e.rows('all', 2));
  b.advance(0.1, 3);
  e.advance(0.1, 3);
  same_bits(b.rows(), e.rows('all', 2));
  one = quatint.Ensemble(1);                                  % an ensemble of one is not a Body
  one.torque = b.torque;
  one.setRows(e.rows('all', 3));
  one.resize(2);
  one.select([2 1 1]);
  same_bits(one.rows('all', 3), e.rows('all', 3));
end

function exact_sums_do_not_depend_on_the_ensembles()
  n = 500;
  e = some_bodies(n);
  e.angularVelocity = e.angularVelocity .* repmat(10 .^ linspace(-9, 9, n)', 1, 3);
  [energy, momentum] = deal(e.kineticEnergySums, e.angularMomentumSums);
  check(isa(energy, 'int64') && isequal(size(energy), [68 1]) && isequal(size(momentum), [68 3]));
  check(abs(quatint.sumValue(energy) / e.totalKineticEnergy - 1) < 1e-13);
  check(abs(quatint.sumValue(momentum) - e.totalAngularMomentum) < 1e-13 * norm(e.totalAngularMomentum));
  for cut = [1 77 499]
    [a, b] = deal(some_bodies(n), some_bodies(n));
    a.setRows(e.rows());
    b.setRows(e.rows());
    a.select(n:-1:cut + 1);
    b.select(randperm(cut));
    same_bits(quatint.sumValue(a.kineticEnergySums + b.kineticEnergySums), quatint.sumValue(energy));
    same_bits(quatint.sumValue(a.angularMomentumSums + b.angularMomentumSums), quatint.sumValue(momentum));
  end
end

function sums_and_totals_are_those_of_the_active_bodies()
  e = some_bodies(5);
  [energy, momentum] = deal(e.kineticEnergy, e.angularMomentum);
  e.active = [2 5];
  check(abs([quatint.sumValue(e.kineticEnergySums), e.totalKineticEnergy] - sum(energy([2 5]))) < 1e-14);
  check(abs(quatint.sumValue(e.angularMomentumSums) - sum(momentum([2 5], :))) < 1e-14);
  check(abs(e.totalAngularMomentum - sum(momentum([2 5], :))) < 1e-14);
end

function the_active_bodies_are_saved_as_all_some_or_none()
  e = some_bodies(5);
  for active = {':', [2 5], zeros(1, 0)}
    e.active = active{1};
    check(isequal(quatint.Ensemble.loadobj(e.saveobj()).active, active{1}));
  end
  state = e.saveobj();
  state.active = [];  % as saved by version 0.1: all
  check(isequal(quatint.Ensemble.loadobj(state).active, ':'));
end

function sums_take_values()
  s = zeros(68, 1, 'int64');
  check(quatint.sumValue(s) == 0);
  s = quatint.addToSum(s, [1e300 1 -1e300 1e-300]);
  check(quatint.sumValue(s) == 1);
  t = quatint.addToSum(zeros(68, 1, 'int64'), -1);
  check(quatint.sumValue(s + t) == 1e-300);
  s = quatint.addToSum(zeros(68, 3, 'int64'), [0.1 1 2; 0.2 3 4]);
  s = quatint.addToSum(s, [0.3 0 -6]);
  check(isequal(quatint.sumValue(s), [0.6 4 0]));
  check(isequal(quatint.sumValue(quatint.addToSum(s, zeros(0, 3))), [0.6 4 0]));
  e = some_bodies(9);
  same_bits(quatint.sumValue(quatint.addToSum(zeros(68, 1, 'int64'), e.kineticEnergy)), quatint.sumValue(e.kineticEnergySums));
  fails_with('quatint:Type', @() quatint.sumValue(zeros(68, 1)), '`sums` must be of class int64, not double');
  fails_with('quatint:Size', @() quatint.sumValue(zeros(67, 1, 'int64')), '`sums` must be 68-by-k, not 67-by-1');
  fails_with('quatint:Size', @() quatint.addToSum(s, [1 2]), '`values` must be n-by-3, not 1-by-2');
  fails_with('quatint:Type', @() quatint.addToSum(s, single([1 2 3])), '`values`');
  fails_with('quatint:NonFinite', @() quatint.addToSum(s, [1 NaN 3]));
end

function a_torque_may_read_rows_but_not_set_them()
  for e = {some_bodies(3), some_body()}
    e = e{1};
    x = e.rows();
    e.torque = @(t, q, omega) 0 * omega + 0 * sum(sum(e.rows('state'))) + 0 * sum(e.kineticEnergy);
    e.step(0.1);
    before = e.rows();
    changes = {@() e.setRows(x), @() set_property(e, 'clock', [0 0]), @() set_property(e, 'angularVelocityBody', [0 0 0])};
    if isa(e, 'quatint.Ensemble'), changes = [changes, {@() e.resize(2), @() e.select([1 1 1])}]; end
    for k = 1:numel(changes)
      e.torque = @(t, q, omega) change_and_return(changes{k}, omega);
      fails_with('quatint:Order', @() e.step(0.1));
      same_bits(e.rows(), before);
    end
  end
end

function torque = change_and_return(change, omega)
  change();
  torque = 0 * omega;
end

function a_saved_ensemble_may_have_changed_its_population()
  v = reshape(1:15, 5, 3) / 10;
  kinds = {quatint.constantTorque(v, 'frame', 'body'), quatint.uniformField(v, [0; 0; 1]), quatint.gravityGradient([0; 0; 1], v(:, 1)), ...
           quatint.linearDrag(v), quatint.shearFlow(v, 0.5, [0 1 0; 0 0 2; 3 0 0])};
  for k = 1:numel(kinds)
    for change = {@(e) e.resize(7), @(e) e.select([5 4 4]), @(e) e.resize(0)}
      e = some_bodies(5);
      e.torque = kinds{k};
      e.setDrag(v, 'flow', v);
      e.advance(0.01, 3);
      change{1}(e);
      f = quatint.Ensemble.loadobj(e.saveobj());
      same_bits(f.rows(), e.rows());
      e.advance(0.01, 3);
      f.advance(0.01, 3);
      same_state(e, f);
      if e.count == 0                                         % assigned for none, then there are some
        e.torque = quatint.constantTorque(zeros(0, 3), 'frame', 'body');
        e.setDrag(zeros(0, 3));
        e.resize(2);
        f = quatint.Ensemble.loadobj(e.saveobj());
        same_bits(f.rows(), e.rows());
      end
    end
  end
end

function what_is_deleted_has_no_rows()
  for object = {quatint.Body(eye(3)), quatint.Ensemble(3)}
    o = object{1};
    delete(o);
    actions = {@() o.rows(), @() o.rowSize(), @() o.setRows(1), @() o.clock, ...
               @() set_property(o, 'clock', [0 0]), @() o.saveobj(), ...
               @() o.lockAxes('x'), @() set_property(o, 'angularVelocityBody', [1 1 1])};
    if isa(o, 'quatint.Ensemble')
      actions = [actions, {@() o.resize(1), @() o.select(1), @() o.kineticEnergySums, @() o.angularMomentumSums}];
    end
    for k = 1:numel(actions)
      fails_with('quatint:Deleted', actions{k}, 'this object has been deleted');
    end
  end
end
