function test_names()
  run_tests({@a_constructor_assigns_properties, @the_order_of_the_names_does_not_matter, @case_does_not_matter, ...
    @case_does_not_matter_in_choices, @case_matters_in_a_sequence_of_axes, ...
    @an_orientation_may_stand_before_the_names, @a_wrong_name_is_refused_with_the_right_ones, ...
    @a_constructor_that_is_refused_leaves_nothing, @limits_of_one_solution_leave_those_of_the_body, ...
    @an_event_has_a_direction_by_name, @without_a_class_quaternion_an_error_says_where_it_is});
end

function a_constructor_assigns_properties()
  f = @(t, q, omega) -omega;
  b = quatint.Body(diag([1 2 3]), 'orientation', [0 1 0 0], 'angularVelocity', [1 2 3], 'torque', f, 'method', 'splitting', ...
                   'time', 7, 'rotorMomentum', [1 0 0], 'longestStep', 0.5);
  check(isequal(b.orientation, [0 1 0 0]) && max(abs(b.angularVelocity - [1 2 3])) < 1e-15 && isequal(b.torque, f));
  check(strcmp(b.method, 'splitting') && b.time == 7 && isequal(b.rotorMomentum, [1 0 0]) && b.longestStep == 0.5);
  e = quatint.Ensemble(3, 'inertia', diag([1 2 3]), 'angularVelocity', eye(3), 'active', [1 3], 'threads', 2);
  check(isequal(e.inertia, diag([1 2 3])) && isequal(e.angularVelocity, eye(3)) && isequal(e.active, [1 3]) && e.threads == 2);
end

function the_order_of_the_names_does_not_matter()
  q = quatint.fromAxisAngle([1 2 3], 0.7);
  a = quatint.Body(diag([1 2 3]), 'orientation', q, 'angularMomentum', [1 2 3]);
  b = quatint.Body(diag([1 2 3]), 'angularMomentum', [1 2 3], 'orientation', q);
  same_bits(a.angularVelocity, b.angularVelocity);
  e = quatint.Ensemble(1, 'angularMomentum', [1 2 3], 'orientation', q, 'inertia', diag([1 2 3]));
  same_bits(a.angularVelocity, e.angularVelocity);
end

function case_does_not_matter()
  b = quatint.Body(eye(3), 'ANGULARvelocity', [1 2 3]);
  check(isequal(b.angularVelocity, [1 2 3]) && numel(b.record(0.1, 4, 'Every', 2)) == 3);
end

function case_does_not_matter_in_choices()
  [a, b] = deal(quatint.Body(diag([2 3 4])), quatint.Body(diag([2 3 4])));
  a.method = 'Splitting_4';
  a.solveMethod = 'STIFF';
  check(strcmp(a.method, 'splitting4') && strcmp(a.solveMethod, 'stiff'));
  a.solve(1, 1e-6, 'Method', 'Nonstiff');
  b.solve(1, 1e-6, 'method', 'nonstiff');
  a.kick(1, [1 2 3], 'Frame', 'Body');
  b.kick(1, [1 2 3], 'frame', 'body');
  same_bits(a.angularVelocity, b.angularVelocity);
  a.torque = quatint.constantTorque([1 2 3], 'frame', 'BODY');
  b.torque = quatint.constantTorque([1 2 3], 'frame', 'body');
  same_bits(a.actingTorque(), b.actingTorque());
  same_bits(a.rows({'State', 'INERTIA'}), b.rows({'state', 'inertia'}));
  check(a.rowSize('All') == a.rowSize('all'));
  x = b.rows('inertia');
  a.setInertia(diag([3 4 5]), 'AngularVelocity');
  a.setRows(x, 'Inertia');
  check(isequal(a.inertia, diag([2 3 4])));
  te = quatint.Body(eye(3), 'time', 0.5).solveUntil(100, @(t, q, omega) sin(t), 1e-8, 'Direction', 'Falling');
  check(abs(te - pi) < 1e-9);
  a.lockAxes('XZ');
  check(isequal(a.inertia, diag([0 3 0])));
  e = quatint.Ensemble(2);
  e.lockAxes({'', 'Xy'});
  check(e.degreesOfFreedom == 4);
  e.kick(1, ones(2, 3), 'frame', 'WORLD');
end

function case_matters_in_a_sequence_of_axes()
  % 'xyz' is about the axes of space, 'XYZ' about those of the body
  check(norm(quatint.fromEuler([0.1 0.2 0.3], 'xyz') - quatint.fromEuler([0.1 0.2 0.3], 'XYZ')) > 0.01);
end

function an_orientation_may_stand_before_the_names()
  b = quatint.Body(eye(3), [0 1 0 0], 'method', 'cf4');
  check(isequal(b.orientation, [0 1 0 0]) && strcmp(b.method, 'cf4'));
  b = quatint.Body(eye(3), [], [1 2 3], 'method', 'cf4');
  check(isequal(b.angularVelocity, [1 2 3]) && strcmp(b.method, 'cf4'));
end

function a_wrong_name_is_refused_with_the_right_ones()
  b = quatint.Body(eye(3));
  e = quatint.Ensemble(2);
  cases = {
    @() quatint.Body(eye(3), 'spin', [1 2 3]), 'there is no argument ''spin'': the names are ''orientation'', ''angularVelocity'','
    @() quatint.Body(eye(3), 'method', 'cf4', 'Method', 'pcdm'), 'the argument ''method'' is given twice'
    @() quatint.Body(eye(3), 'method'), 'the argument ''method'' has no value'
    @() quatint.Body(eye(3), [], [1 2 3], 4), 'a name was expected in the place of a double'
    @() quatint.Ensemble(2, 'count', 3), 'there is no argument ''count'''
    @() b.record(0.1, 10, 5), 'a name was expected in the place of a double: the names are ''every'''
    @() b.solve(1, 1e-6, 'direction', 1), 'the names are ''monitor'', ''method'', ''longestStep'', ''mostEvaluations'''
    @() b.solveUntil(1, @(t, q, omega) 1, 1e-6, 'way', 1), 'the names are ''direction'', ''method'''
    @() b.kick(1, [1 2 3], 'body'), 'there is no argument ''body'': the names are ''frame'''
    @() e.kickDrift(1, 1, [], 'body'), 'the names are ''frame'', ''ahead'''
    @() b.setDrag([1 1 1], [0 0 1]), 'the names are ''flow'''
    @() e.setLangevin([1 1 1], 1, 42), 'the names are ''seed'', ''flow'''
    @() quatint.constantTorque([1 2 3], 'body'), 'the names are ''frame'''
    @() quatint.linearDragTorque([1 0 0 0], [1 2 3], [1 1 1], [0 0 1]), 'the names are ''flow'''
  };
  for k = 1:size(cases, 1)
    fails_with('quatint:Arguments', cases{k, 1}, cases{k, 2});
  end
  check(isempty(b.drag) && isempty(e.langevin) && b.time == 0);
end

function a_constructor_that_is_refused_leaves_nothing()
  before = quatint_mex('alive');
  fails_with('quatint:Invalid', @() quatint.Body(eye(3), 'method', 'euler'));
  fails_with('quatint:Arguments', @() quatint.Ensemble(3, 'mass', 2));
  check(quatint_mex('alive') == before);
end

function limits_of_one_solution_leave_those_of_the_body()
  b = quatint.Body(diag([1 2 3]), 'angularVelocity', [1 2 3], 'torque', @(t, q, omega) [0 0 0.1]);
  b.solve(1, 1e-3, 'longestStep', 0.01);
  check(b.solveStatistics.accepted >= 100 && b.longestStep == 0);
  b.mostEvaluations = 5000;
  fails_with('quatint:Step', @() b.solve(1000, 1e-10, 'mostEvaluations', 40), '40');
  check(b.mostEvaluations == 5000);
  fails_with('quatint:Invalid', @() b.solve(1, 1e-3, 'longestStep', 0.1, 'method', 'implicit'));
  check(b.longestStep == 0 && strcmp(b.solveMethod, 'nonstiff') && b.mostEvaluations == 5000);
  c = quatint.Body(diag([1 2 3]), 'torque', @(t, q, omega) -1e4 * (omega - [1 0 0]));
  c.solve(10, 1e-6, 'method', 'stiff', 'mostEvaluations', 2000);
  check(c.time == 10);
end

function an_event_has_a_direction_by_name()
  expected = {'rising', 2 * pi; 'falling', pi; 'both', pi; 1, 2 * pi; -1, pi; 0, pi};
  for k = 1:size(expected, 1)
    b = quatint.Body(eye(3), 'time', 0.5);
    te = b.solveUntil(100, @(t, q, omega) sin(t), 1e-8, 'direction', expected{k, 1});
    check(abs(te - expected{k, 2}) < 1e-9, 'case %d: %g', k, te);
  end
end

function without_a_class_quaternion_an_error_says_where_it_is()
  fails_with('quatint:NoClass', @() quatint.toQuaternion([1 0 0 0]), 'pkg load quaternion');
end
