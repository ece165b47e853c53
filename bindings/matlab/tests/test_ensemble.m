function test_ensemble()
  run_tests({@a_generic_ensemble_comes_where_it_comes_in_every_language, ...
    @a_new_ensemble_is_at_the_identity_and_at_rest, @matrices_are_n_by_4_and_n_by_3, ...
    @a_vector_serves_all_bodies, @an_ensemble_of_none_does_nothing, @inertia_is_one_for_all_or_a_page_for_each, ...
    @angular_momenta_are_set_by_way_of_the_velocities, ...
    @a_torque_function_gives_the_bits_that_each_body_has_alone, @a_torque_function_is_called_twice_a_step_for_all, ...
    @the_states_are_copies_both_ways, @an_error_in_the_torque_leaves_all_bodies, ...
    @what_is_wrong_with_a_body_names_it_counted_from_1, @wrong_sizes_are_refused_and_change_nothing, ...
    @only_active_bodies_move_and_are_shown_to_the_torque, @with_an_empty_list_no_body_moves, ...
    @an_empty_matrix_says_neither_all_nor_none, @a_mask_selects_the_active_bodies, ...
    @a_torque_cannot_change_its_own_ensemble_but_may_read_it, @places_in_a_message_count_from_1, @threads_change_no_bit, ...
    @record_has_a_page_for_each_state, @a_second_variable_is_the_same_ensemble, @large_ensembles_come_through_whole, ...
    @a_body_of_an_ensemble_has_the_bits_of_the_body_alone_by_cf4_too, ...
    @a_torque_may_be_what_the_function_was_given, @steps_are_counted_over_the_parts_that_they_are_taken_in});
end

function e = some_bodies(n)
  e = quatint.Ensemble(n);
  e.orientation = quatint.fromAxisAngle([1 2 3], linspace(0, 3, n)');
  e.angularVelocity = [linspace(0, 1, n)', ones(n, 1), linspace(2, -1, n)'];
  e.inertia = [2 0.1 0; 0.1 3 0.2; 0 0.2 4];
end

function x = state(e)
  x = [e.orientation, e.angularVelocity, repmat(e.time, e.count, 1)];
end

% With the numbers of tests/rust/every_language.rs. A row for each body.
function a_generic_ensemble_comes_where_it_comes_in_every_language()
  inertias = cat(3, ...
    [4.28 -0.576 0.768; -0.576 5.8192 1.5744; 0.768 1.5744 4.9008], ...
    [2.54 0.576 -0.432; 0.576 3.3344 0.4992; -0.432 0.4992 3.6256], ...
    [3.3736 1.008 0.8352; 1.008 3.24 -1.344; 0.8352 -1.344 2.8864], ...
    [2.14 -0.384 0.288; -0.384 2.2704 0.5472; 0.288 0.5472 2.5896], ...
    [3.3104 -0.288 1.7472; -0.288 5.36 -0.384; 1.7472 -0.384 4.3296]);
  start = [0.5 -0.1 0.7 0.5; 0.1 0.3 -0.9 0.3; -0.4 0.2 0.8 -0.4; ...
           0.7 -0.7 0.1 -0.1; 0.8 0.4 -0.2 0.4];
  spins = [0.3 -0.7 1.1; -1.2 0.6 0.9; 0.5 1.3 -0.4; -0.8 -0.5 1.4; 1.5 0.2 -0.6];
  coefficients = [0.15 0.45 0.85; 0.95 0.25 0.55; 0.35 0.65 0.05; 0.75 0.85 0.45; 0.25 0.55 1.15];
  q_with_drag = [0.34322020947937526 -0.514673656491571 0.3044616219105275 0.7243024478090221; ...
                 0.31006876234467107 0.6136993314393463 -0.35805990008763133 0.6316831493384788; ...
                 -0.8736102551308665 -0.04098689822035527 0.45930491590566064 -0.15544835325390347; ...
                 0.32177863570546605 -0.8003367741310565 -0.5056576909313071 0.01516104148935328; ...
                 0.2975224835456055 0.8789496752635488 -0.3574468432490278 0.10563898139541861];
  omega_with_drag = [0.20088039458460782 -0.49848139829966837 1.137601037989131; ...
                     -0.9276233943553918 0.5198630595773146 0.9390982789857145; ...
                     0.5402056759807812 1.1383960793268375 -0.3958854438749477; ...
                     -0.6051480153623199 -0.7941029935567219 0.9135233403515265; ...
                     1.6177997825038815 -0.3283464562297587 0.3651749686206678];
  e = quatint.Ensemble(5);
  e.inertia = inertias;
  e.orientation = start;
  e.angularVelocity = spins;
  e.torque = @(t, q, omega) [0.5 * q(:, 2) - 0.25 * omega(:, 2), q(:, 1) .* q(:, 4), 0.25 * omega(:, 1) - 0.5 * q(:, 3)];
  e.setDrag(coefficients, 'flow', [0.2 -0.1 0.7]);
  e.advance(0.01, 100);
  same_bits(e.orientation, q_with_drag);
  same_bits(e.angularVelocity, omega_with_drag);
end

function a_new_ensemble_is_at_the_identity_and_at_rest()
  e = quatint.Ensemble(5);
  check(e.count == 5 && e.time == 0 && e.threads == 1 && isempty(e.torque) && isequal(e.active, ':'));
  check(isequal(e.orientation, repmat([1 0 0 0], 5, 1)) && isequal(e.angularVelocity, zeros(5, 3)));
  check(isequal(e.inertia, eye(3)));
end

function matrices_are_n_by_4_and_n_by_3()
  e = quatint.Ensemble(3);
  q = [1 0 0 0; 0 1 0 0; 0 0 0 1];
  omega = [1 2 3; 4 5 6; 7 8 9];
  e.orientation = q;
  e.angularVelocity = omega;
  check(isequal(e.orientation, q) && isequal(e.angularVelocity, omega));
  check(isequal(e.angularVelocityBody, [1 2 3; 4 -5 -6; -7 -8 9]));
  check(isequal(e.angularMomentum, omega) && isequal(e.kineticEnergy, sum(omega.^2, 2) / 2));
end

function a_vector_serves_all_bodies()
  e = quatint.Ensemble(3);
  e.orientation = [0; 0; 1; 0];
  e.angularVelocity = [1 2 3];
  check(isequal(e.orientation, repmat([0 0 1 0], 3, 1)) && isequal(e.angularVelocity, repmat([1 2 3], 3, 1)));
end

function an_ensemble_of_none_does_nothing()
  e = quatint.Ensemble(0);
  e.orientation = zeros(0, 4);
  e.angularVelocity = zeros(0, 3);
  check(isequal(size(e.orientation), [0 4]) && isequal(size(e.kineticEnergy), [0 1]) && e.totalKineticEnergy == 0);
  e.advance(0.1, 10);
  e.torque = @(t, q, omega) zeros(size(q, 1), 3);
  e.advance(0.1, 10);
  check(abs(e.time - 2) < 1e-15);
end

function inertia_is_one_for_all_or_a_page_for_each()
  e = quatint.Ensemble(3);
  e.angularVelocity = [1 1 1];
  e.inertia = cat(3, diag([1 2 3]), diag([4 5 6]), [7 1 0; 1 8 0; 0 0 9]);
  check(isequal(size(e.inertia), [3 3 3]));
  check(max(max(abs(e.angularMomentum - [1 2 3; 4 5 6; 8 9 9]))) < 1e-13);
  e.inertia = diag([1 2 3]);
  check(max(max(abs(e.angularMomentum - repmat([1 2 3], 3, 1)))) < 1e-15);
end

function angular_momenta_are_set_by_way_of_the_velocities()
  e = quatint.Ensemble(2);
  e.inertia = cat(3, diag([1 2 4]), diag([4 5 8]));
  e.orientation = [1 0 0 0; 0 1 0 0];
  e.angularMomentum = [1 2 4; 8 5 16];
  check(max(max(abs(e.angularVelocity - [1 1 1; 2 1 2]))) < 1e-15);
  e.angularMomentum = [4 0 0];
  check(max(max(abs(e.angularVelocity - [4 0 0; 1 0 0]))) < 1e-15);
  fails_with('quatint:NonFinite', @() set_property(e, 'angularMomentum', [NaN 0 0]), '`data(1)` is NaN');
  fails_with('quatint:Size', @() set_property(e, 'angularMomentum', [1 2]), '`angularMomentum` must');
end

function a_torque_function_gives_the_bits_that_each_body_has_alone()
  f = @(t, q, omega) [t - q(:, 1) .* q(:, 2), q(:, 3), -0.1 * omega(:, 3)];
  e = some_bodies(300);
  [q, omega] = deal(quatint.fromAxisAngle([1 2 3], linspace(0, 3, 300)'), ...
                    [linspace(0, 1, 300)', ones(300, 1), linspace(2, -1, 300)']);
  e.torque = f;
  e.advance(0.01, 20);
  for k = [1 128 129 300]
    b = quatint.Body(e.inertia, q(k, :), omega(k, :));
    b.torque = f;
    b.advance(0.01, 20);
    same_bits([e.orientation(k, :), e.angularVelocity(k, :)], [b.orientation, b.angularVelocity]);
  end
end

function a_torque_function_is_called_twice_a_step_for_all()
  global calls
  calls = [];
  e = some_bodies(1000);
  e.torque = @count_calls;
  e.advance(0.5, 3);
  check(isequal(calls, [0 1000 1000; 0.25 1000 1000; 0.5 1000 1000; 0.75 1000 1000; 1 1000 1000; 1.25 1000 1000]));
end

function torque = count_calls(t, q, omega)
  global calls
  calls = [calls; t, size(q, 1), size(omega, 1)];
  torque = zeros(size(omega));
end

function the_states_are_copies_both_ways()
  e = some_bodies(5000);
  q = e.orientation;
  kept = q;
  e.step(0.1);
  same_bits(q, kept);
  e.orientation = q;
  e.step(0.1);
  same_bits(q, kept);
  q(1, :) = 7;
  check(abs(sum(e.orientation(1, :).^2) - 1) < 1e-14);
end

function an_error_in_the_torque_leaves_all_bodies()
  e = some_bodies(300);
  before = state(e);
  e.torque = @(t, q, omega) error('my:problem', 'no');
  fails_with('my:problem', @() e.step(0.1));
  same_bits(state(e), before);
  bad = zeros(300, 3);
  bad(200, 2) = NaN;
  e.torque = @(t, q, omega) bad * (t > 0);
  fails_with('quatint:NonFinite', @() e.step(0.1));
  same_bits(state(e), before);
  e.torque = @(t, q, omega) zeros(3, 300);
  fails_with('quatint:Size', @() e.step(0.1), '`torque` must be 300-by-3, not 3-by-300');
  e.torque = @(t, q, omega) [1 2 3];
  fails_with('quatint:Size', @() e.step(0.1), 'not 1-by-3');
  same_bits(state(e), before);
  e.torque = quatint.constantTorque([1e20 2 3], 'frame', 'body');
  fails_with('quatint:NonFinite', @() e.advance(1, 100), 'steps: body 1: the motion overflows');
end

function what_is_wrong_with_a_body_names_it_counted_from_1()
  e = some_bodies(300);
  q = e.orientation;
  q(3, :) = [1 1 1 1];
  fails_with('quatint:Orientation', @() set_property(e, 'orientation', q), 'body 3: ');
  omega = e.angularVelocity;
  omega(300, 1) = NaN;
  fails_with('quatint:NonFinite', @() set_property(e, 'angularVelocity', omega), 'body 300: ');
  inertia = repmat(eye(3), [1 1 300]);
  inertia(1, 1, 1) = -1;
  fails_with('quatint:Inertia', @() set_property(e, 'inertia', inertia), 'body 1: ');
  bad = zeros(300, 3);
  bad(200, 2) = NaN;
  e.torque = @(t, q, omega) bad;
  fails_with('quatint:NonFinite', @() e.step(0.1), 'body 200: the torque is not finite');
  fails_with('quatint:NonFinite', @() set_property(e, 'inertia', NaN(3)));
  fails_with('quatint:NonFinite', @() set_property(e, 'torque', quatint.linearDrag(bad)), 'body 200: ');
end

function wrong_sizes_are_refused_and_change_nothing()
  e = some_bodies(5);
  before = state(e);
  fails_with('quatint:Size', @() set_property(e, 'orientation', ones(4, 5)), '`orientation` must be 5-by-4, not 4-by-5');
  fails_with('quatint:Size', @() set_property(e, 'orientation', ones(5, 4, 2)), 'not 5-by-4-by-2');
  fails_with('quatint:Size', @() set_property(e, 'orientation', []), 'not 0-by-0');
  fails_with('quatint:Size', @() set_property(e, 'angularVelocity', ones(4, 3)), '`angularVelocity` must be 5-by-3, not 4-by-3');
  fails_with('quatint:Size', @() set_property(e, 'inertia', ones(3, 3, 4)), 'must be 3-by-3 or 3-by-3-by-5, not 3-by-3-by-4');
  fails_with('quatint:Size', @() set_property(e, 'inertia', ones(5, 9)), 'not 5-by-9');
  fails_with('quatint:Size', @() set_property(e, 'torque', quatint.uniformField(ones(4, 3), [0 0 1])), 'must be 5-by-3');
  fails_with('quatint:Size', @() set_property(e, 'torque', quatint.gravityGradient([0 0 1], ones(4, 1))), 'must be 5-by-1');
  for active = {0, 6, 1.5, NaN, [1 2 7]}
    fails_with('quatint:Invalid', @() set_property(e, 'active', active{1}), '`active` must be whole numbers from 1 to 5');
  end
  fails_with('quatint:Invalid', @() set_property(e, 'active', [1 1]), '`active` must be ascending: element 2 is 1, after 1');
  fails_with('quatint:Invalid', @() set_property(e, 'active', [1 3 2]), '`active` must be ascending: element 3 is 2, after 3');
  fails_with('quatint:Size', @() set_property(e, 'active', [true false]), '`active`, a mask, must have 5 elements, not 2');
  fails_with('quatint:Type', @() set_property(e, 'active', 'all'), '`active`');
  for count = {-1, 1.5, NaN, Inf}
    fails_with('quatint:Invalid', @() quatint.Ensemble(count{1}), '`count`');
  end
  fails_with('quatint:Size', @() quatint.Ensemble([1 2]));
  fails_with('quatint:Type', @() quatint.Ensemble('many'));
  fails_with('quatint:Memory', @() quatint.Ensemble(2^50));
  same_bits(state(e), before);
end

function only_active_bodies_move_and_are_shown_to_the_torque()
  for n = [10, 2000]
    e = some_bodies(n);
    all = some_bodies(n);
    start = state(e);
    e.active = [2 3 9];
    e.torque = @(t, q, omega) [q(:, 1), zeros(3, 1), omega(:, 2)];
    all.torque = @(t, q, omega) [q(:, 1), zeros(n, 1), omega(:, 2)];
    e.advance(0.1, 4);
    all.advance(0.1, 4);
    same_bits(e.orientation([2 3 9], :), all.orientation([2 3 9], :));
    rest = setdiff(1:n, [2 3 9]);
    same_bits(e.orientation(rest, :), start(rest, 1:4));
    e.active = ':';
    e.torque = [];
    e.step(0.1);
    check(any(e.orientation(rest, :) ~= start(rest, 1:4), 2));
  end
end

function with_an_empty_list_no_body_moves()
  for none = {zeros(1, 0), zeros(0, 1), find([0 0 0]), false(1, 300), false(300, 1)}
    for torque = {[], quatint.uniformField([0 0 1], [0 0 -1]), @(t, q, omega) -omega}
      e = some_bodies(300);
      e.torque = torque{1};
      e.active = none{1};
      before = [e.orientation, e.angularVelocity];
      e.advance(0.1, 3);
      e.kick(0.1, ones(300, 3));
      e.drift(0.1);
      same_bits([e.orientation, e.angularVelocity], before);
      check(abs(e.time - 0.4) < 1e-15 && isempty(e.active) && e.totalKineticEnergy == 0);
    end
  end
end

function an_empty_matrix_says_neither_all_nor_none()
  e = some_bodies(5);
  for active = {':', [2 3]}
    e.active = active{1};
    fails_with('quatint:Invalid', @() set_property(e, 'active', []), ...
               '`active` is []: assign '':'' to let all bodies move, zeros(1, 0) to let none move');
    check(isequal(e.active, active{1}));
  end
end

function a_mask_selects_the_active_bodies()
  [e, f] = deal(some_bodies(300), some_bodies(300));
  e.active = mod(1:300, 7) == 3;
  f.active = 3:7:300;
  check(isequal(e.active, f.active));
  e.advance(0.1, 3);
  f.advance(0.1, 3);
  same_bits(state(e), state(f));
end

function a_torque_cannot_change_its_own_ensemble_but_may_read_it()
  for action = {@(e) e.step(1), @(e) e.advance(0.1, 3), @(e) set_property(e, 'orientation', [1 0 0 0]), ...
                @(e) set_property(e, 'torque', []), @(e) set_property(e, 'inertia', eye(3)), @(e) set_property(e, 'time', 3), ...
                @(e) set_property(e, 'active', 1), @(e) set_property(e, 'threads', 2), @(e) set_property(e, 'method', 'cf4'), ...
                @(e) e.resize(4), @(e) e.select(1), @(e) e.setDrag([1 1 1]), @(e) e.drift(1), @(e) e.setRows(e.rows())}
    e = some_bodies(3);
    before = state(e);
    e.torque = @(t, q, omega) first(omega, action{1}, e);
    fails_with('quatint:Order', @() e.step(0.1), 'the ensemble is in use: its own torque function cannot change it');
    same_bits(state(e), before);
    e.torque = [];
    e.step(0.1);
  end
  e.torque = @(t, q, omega) e.angularVelocity;
  e.step(0.1);
  check(e.time == 0.2);
end

function omega = first(omega, action, e)
  action(e);
end

function places_in_a_message_count_from_1()
  e = some_bodies(3);
  inertia = repmat(eye(3), [1 1 3]);
  inertia(2, 1, 2) = 1;
  fails_with('quatint:Inertia', @() set_property(e, 'inertia', inertia), 'body 2: `inertia` is not symmetric: (1, 2) and (2, 1)');
  inertia(2, 1, 2) = NaN;
  fails_with('quatint:NonFinite', @() set_property(e, 'inertia', inertia), 'body 2: `inertia(2, 1)` is NaN');
  fails_with('quatint:NonFinite', @() quatint.Body(NaN(3)), '`inertia(1, 1)` is NaN');
  fails_with('quatint:NonFinite', @() quatint.fromMatrix([1 0 0; 0 1 0; 0 NaN 1]), '`matrix(3, 2)` is NaN');
  fails_with('quatint:NonFinite', @() set_property(e, 'torque', quatint.linearDrag([1 1 1; 1 1 NaN; 1 1 1])), ...
             'body 2: `coefficients(3)` is NaN');
  fails_with('quatint:NonFinite', @() set_property(e, 'torque', quatint.shearFlow([1 1 1], 1, [0 0 0; 0 0 NaN; 0 0 0])), ...
             '`velocity_gradient(2, 3)` is NaN');
  fails_with('quatint:NonFinite', @() set_property(e, 'orientation', [NaN 0 0 0]), '(1)` is NaN');
end

function threads_change_no_bit()
  [one, three] = deal(some_bodies(3000), some_bodies(3000));
  three.threads = 3;
  for torque = {quatint.uniformField([0 0 1], [0 0 -1]), @(t, q, omega) -omega}
    one.torque = torque{1};
    three.torque = torque{1};
    one.advance(0.01, 5);
    three.advance(0.01, 5);
    same_bits(state(one), state(three));
  end
end

function record_has_a_page_for_each_state()
  [e, f] = deal(some_bodies(7), some_bodies(7));
  [t, q, omega] = e.record(0.1, 6, 'every', 3);
  check(isequal(size(t), [3 1]) && isequal(size(q), [7 4 3]) && isequal(size(omega), [7 3 3]));
  same_bits(q(:, :, 1), f.orientation);
  f.advance(0.1, 3);
  same_bits(q(:, :, 2), f.orientation);
  f.advance(0.1, 3);
  same_bits(omega(:, :, 3), f.angularVelocity);
end

function a_second_variable_is_the_same_ensemble()
  e = some_bodies(3);
  f = e;
  f.step(0.1);
  check(e.time == 0.1);
  clear f
  e.step(0.1);
end

function large_ensembles_come_through_whole()
  n = 20000;
  f = @(t, q, omega) [q(:, 2) + t, q(:, 3) - q(:, 4), -omega(:, 1)];
  e = some_bodies(n);
  e.torque = f;
  part = quatint.Ensemble(10);
  part.inertia = e.inertia;
  q = quatint.fromAxisAngle([1 2 3], linspace(0, 3, n)');
  omega = [linspace(0, 1, n)', ones(n, 1), linspace(2, -1, n)'];
  some = round(linspace(1, n, 10));
  part.orientation = q(some, :);
  part.angularVelocity = omega(some, :);
  part.torque = f;
  e.advance(0.01, 3);
  part.advance(0.01, 3);
  same_bits(e.orientation(some, :), part.orientation);
  same_bits(e.angularVelocity(some, :), part.angularVelocity);
end

function a_body_of_an_ensemble_has_the_bits_of_the_body_alone_by_cf4_too()
  for torque = {quatint.uniformField([0 0 1], [0 0 -1]), @(t, q, omega) [t + q(:, 1) .* q(:, 2), q(:, 3), -omega(:, 3)]}
    e = quatint.Ensemble(200);
    e.inertia = [2 0.1 0; 0.1 3 0.2; 0 0.2 4];
    q = quatint.fromAxisAngle([1 2 3], linspace(0, 3, 200)');
    e.orientation = q;
    b = quatint.Body(e.inertia, q(77, :), [0.4, 1, -0.3]);
    omega = zeros(200, 3);
    omega(77, :) = [0.4, 1, -0.3];
    e.angularVelocity = omega;
    [e.torque, b.torque] = deal(torque{1});
    [e.method, b.method] = deal('cf4');
    e.advance(0.01, 20);
    b.advance(0.01, 20);
    same_bits([e.orientation(77, :), e.angularVelocity(77, :)], [b.orientation, b.angularVelocity]);
  end
end

function a_torque_may_be_what_the_function_was_given()
  for n = [1 2 3000]
    [e, f] = deal(some_bodies(n), some_bodies(n));
    e.torque = @(t, q, omega) omega;
    f.torque = @(t, q, omega) omega * 1;
    e.advance(0.01, 5);
    f.advance(0.01, 5);
    same_bits(state(e), state(f));
  end
end

function steps_are_counted_over_the_parts_that_they_are_taken_in()
  e = quatint.Ensemble(1e6);  % so many bodies that advance works in parts of 20 steps
  e.angularVelocity = [1 0 0];
  torque = zeros(1e6, 3);
  torque(7, 1) = 3e155;  % the angular velocity overflows after 44 steps
  e.torque = quatint.constantTorque(torque, 'frame', 'body');
  message = fails_with('quatint:NonFinite', @() e.advance(1e-3, 1000), 'body 7: ');
  taken = sscanf(regexprep(message, '^.*after', ''), '%d');
  check(taken > 20 && abs(e.time - taken * 1e-3) < 1e-9, message);
end
