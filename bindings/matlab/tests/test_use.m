function test_use()
  run_tests({@a_body_is_shown_with_its_values, @an_ensemble_is_shown_by_its_first_bodies, @a_deleted_body_is_shown_as_such, ...
    @short_names_read_and_assign, @a_call_with_too_few_arguments_says_how_it_is_written, ...
    @functions_of_the_package_say_it_too, @no_step_is_longer_than_the_longest, @a_solution_ends_with_the_most_evaluations, ...
    @a_stiff_torque_takes_a_stiff_solution, ...
    @limits_stay_after_a_new_inertia_and_a_restart, @wrong_limits_are_refused});
end

function b = some_body()
  b = quatint.Body(diag([1 2 3]), [0.6 0 0.8 0], [0.25 -0.5 1.125]);
end

function contains(text, parts)
  for part = parts
    check(~isempty(strfind(text, part{1})), 'no "%s" in: %s', part{1}, text);
  end
end

function a_body_is_shown_with_its_values()
  b = some_body();
  b.torque = @(t, q, omega) -omega;
  b.setDrag([0.5 0.625 0.75]);
  b.rotorMomentum = [7.5 0 0];
  contains(evalc('disp(b)'), {'quatint.Body at t = 0', '0.6', '0.8', '0.25', '-0.5', '1.125', 'pcdm', '-omega', '0.625', '7.5'});
  contains(evalc('b'), {'b =', '1.125'});
end

function an_ensemble_is_shown_by_its_first_bodies()
  e = quatint.Ensemble(5);
  e.omega = (1:5)' * [1 10 100];
  e.torque = quatint.uniformField([0 0 1], [0 0 -1]);
  e.active = [1 4];
  text = evalc('e');
  contains(text, {'quatint.Ensemble of 5 bodies', 'the first 3', '300', 'uniform_field', 'active           2 bodies'});
  check(isempty(strfind(text, '400')), 'body 4 is shown: %s', text);
  e = quatint.Ensemble(0);
  contains(evalc('e'), {'quatint.Ensemble of 0 bodies'});
end

function a_deleted_body_is_shown_as_such()
  b = some_body();
  delete(b);
  contains(evalc('disp(b)'), {'quatint.Body (deleted)'});
end

function short_names_read_and_assign()
  b = some_body();
  check(isequal(b.q, b.orientation) && isequal(b.omega, b.angularVelocity));
  b.omega = [1 2 3];
  b.q = [0 1 0 0];
  check(isequal(b.orientation, [0 1 0 0]) && max(abs(b.angularVelocity - [1 2 3])) < 1e-15);
end

function a_call_with_too_few_arguments_says_how_it_is_written()
  b = some_body();
  e = quatint.Ensemble(2);
  before = e.rows();
  fails_with('quatint:Arguments', @() b.advance(0.1), 'advance(dt, steps)');
  fails_with('quatint:Arguments', @() b.step(), 'step(dt)');
  fails_with('quatint:Arguments', @() b.record(0.1), 'record(dt, steps)');
  fails_with('quatint:Arguments', @() b.solve(1), 'body.solve(times, tolerance)');
  fails_with('quatint:Arguments', @() b.solveUntil(1, @(t, q, omega) 1), 'solveUntil(endTime, event, tolerance)');
  fails_with('quatint:Arguments', @() quatint.Body(), 'quatint.Body(inertia)');
  fails_with('quatint:Arguments', @() quatint.Ensemble(), 'quatint.Ensemble(N)');
  fails_with('quatint:Arguments', @() e.kick(1), 'kick(duration, torques)');
  fails_with('quatint:Arguments', @() e.kickDrift(1, 1), 'kickDrift(kick, drift, torques)');
  fails_with('quatint:Arguments', @() e.drift(), 'drift(duration)');
  fails_with('quatint:Arguments', @() e.setRows(), 'setRows(x)');
  fails_with('quatint:Arguments', @() e.select(), 'select(from)');
  check(isequal(e.rows(), before) && b.time == 0);
end

function functions_of_the_package_say_it_too()
  fails_with('quatint:Arguments', @() quatint.rotateToWorld([1 0 0 0]), 'quatint.rotateToWorld(orientation');
  fails_with('quatint:Arguments', @() quatint.fromEuler([1 2 3]), 'quatint.fromEuler(angles, sequence)');
  fails_with('quatint:Arguments', @() quatint.uniformField([0 0 1]), 'quatint.uniformField(vectorBody, fieldWorld)');
  quatint.linearDragTorque([1 0 0 0], [1 2 3], [1 1 1]);  % the flow may be absent
  quatint.constantTorque([0 0 1]);
end

function no_step_is_longer_than_the_longest()
  b = some_body();
  b.torque = @(t, q, omega) [0 0 0.1];
  b.longestStep = 0.01;
  b.solve(1, 1e-3);
  check(b.solveStatistics.accepted >= 100);
  b.longestStep = 0;
  b.solve(2, 1e-3);
  check(b.solveStatistics.accepted < 20);
end

function a_solution_ends_with_the_most_evaluations()
  b = some_body();
  b.torque = @(t, q, omega) -0.1 * omega;
  b.mostEvaluations = 40;
  fails_with('quatint:Step', @() b.solve(1000, 1e-10), '40');
  check(b.time > 0 && b.time < 1000 && b.solveStatistics.evaluations <= 40);
end

function a_stiff_torque_takes_a_stiff_solution()
  b = some_body();
  b.torque = @(t, q, omega) -1e4 * (omega - [1 0 0]);
  b.mostEvaluations = 1000;
  fails_with('quatint:Step', @() b.solve(10, 1e-6), 'set_solve_method');
  b.solveMethod = 'stiff';
  b.inertia = diag([2 3 4]);
  b.torque = @(t, q, omega) -1e4 * (omega - [1 0 0]);
  b.solve(10, 1e-6);
  check(norm(b.angularVelocity - [1 0 0]) < 2e-4);  % the gyroscopic torque leaves (4 - 2) / 1e4
  c = quatint.Body.loadobj(b.saveobj());
  check(strcmp(c.solveMethod, 'stiff'));
  fails_with('quatint:Invalid', @() set_property(b, 'solveMethod', 'implicit'));
end

function limits_stay_after_a_new_inertia_and_a_restart()
  b = some_body();
  b.longestStep = 0.01;
  b.mostEvaluations = 5000;
  b.inertia = diag([2 3 4]);
  b.torque = quatint.constantTorque([0 0 1]);
  b.solve(1, 1e-3);
  check(b.solveStatistics.accepted >= 100);
  c = quatint.Body.loadobj(b.saveobj());
  check(c.longestStep == 0.01 && c.mostEvaluations == 5000);
  fails_with('quatint:Step', @() c.solve(100, 1e-3), '5000');
end

function wrong_limits_are_refused()
  b = some_body();
  fails_with('quatint:Invalid', @() set_property(b, 'longestStep', -1));
  fails_with('quatint:NonFinite', @() set_property(b, 'longestStep', NaN));
  fails_with('quatint:Invalid', @() set_property(b, 'mostEvaluations', 1.5));
  check(b.longestStep == 0 && b.mostEvaluations == 0);
end
