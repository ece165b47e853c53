function test_strings()
% With a stand-in for MATLAB's class string.
  addpath(fullfile(fileparts(mfilename('fullpath')), 'standins', 'string_class'));
  run_tests({@settings_are_strings, @names_of_arguments_are_strings, @parts_of_rows_are_strings, @axes_are_strings, ...
    @sequences_and_frames_are_strings, @lists_of_bodies_are_a_string, @a_wrong_string_is_refused_as_a_wrong_text_is});
end

function b = some_body()
  b = quatint.Body(diag([2 3 4]), quatint.fromAxisAngle([1 2 3], 0.7), [0.3 -0.2 1.1]);
end

function settings_are_strings()
  b = some_body();
  b.method = string('splitting');
  b.solveMethod = string('stiff');
  check(ischar(b.method) && strcmp(b.method, 'splitting') && ischar(b.solveMethod) && strcmp(b.solveMethod, 'stiff'));
  b.setInertia(diag([3 4 5]), string('angularMomentum'));
  check(isequal(b.inertia, diag([3 4 5])));
end

function names_of_arguments_are_strings()
  b = quatint.Body(eye(3), string('angularVelocity'), [1 2 3], string('method'), string('cf4'));
  check(isequal(b.angularVelocity, [1 2 3]) && strcmp(b.method, 'cf4'));
  check(numel(b.record(0.1, 4, string('every'), 2)) == 3);
  b.torque = quatint.constantTorque([1 0 0], string('frame'), string('body'));
  te = b.solveUntil(9, @(t, q, omega) sin(2 * t), 1e-6, string('direction'), string('falling'), string('method'), string('stiff'));
  check(abs(te - pi / 2) < 1e-6, '%g', te);
  check(strcmp(b.solveMethod, 'nonstiff'));
end

function parts_of_rows_are_strings()
  b = some_body();
  same_bits(b.rows(string('state')), b.rows('state'));
  same_bits(b.rows(string('state', 'inertia')), b.rows({'state', 'inertia'}));
  same_bits(b.rows({string('state'), string('inertia')}), b.rows({'state', 'inertia'}));
  check(b.rowSize(string('inertia')) == 7);
  x = b.rows('inertia');
  b.inertia = eye(3);
  b.setRows(x, string('inertia'));
  check(isequal(b.inertia, diag([2 3 4])));
end

function axes_are_strings()
  b = some_body();
  b.lockAxes(string('xz'));
  check(isequal(b.inertia, diag([0 3 0])));
  e = quatint.Ensemble(2);
  e.lockAxes(string('', 'xy'));
  check(e.degreesOfFreedom == 4);
end

function sequences_and_frames_are_strings()
  q = quatint.fromEuler([0.1 0.2 0.3], string('ZXZ'));
  same_bits(q, quatint.fromEuler([0.1 0.2 0.3], 'ZXZ'));
  same_bits(quatint.toEuler(q, string('xyz')), quatint.toEuler(q, 'xyz'));
  same_bits(quatint.fromEulerRates([0.1 0.2 0.3], [1 2 3], string('ZXZ')), quatint.fromEulerRates([0.1 0.2 0.3], [1 2 3], 'ZXZ'));
  same_bits(quatint.toEulerRates([0.1 0.2 0.3], [1 2 3], string('ZXZ')), quatint.toEulerRates([0.1 0.2 0.3], [1 2 3], 'ZXZ'));
  [a, b] = deal(some_body(), some_body());
  a.kick(1, [1 2 3], 'frame', string('body'));
  b.kick(1, [1 2 3], 'frame', 'body');
  same_bits(a.angularVelocity, b.angularVelocity);
end

function lists_of_bodies_are_a_string()
  e = quatint.Ensemble(3);
  e.active = 2;
  e.active = string(':');
  check(isequal(e.active, ':'));
  e.setPoints(string(':'), ones(3));
  check(e.pointCount() == 3);
  same_bits(e.rows('state', string(':')), e.rows('state'));
end

function a_wrong_string_is_refused_as_a_wrong_text_is()
  b = some_body();
  fails_with('quatint:Invalid', @() set_property(b, 'method', string('euler')), 'not ''euler''');
  fails_with('quatint:Invalid', @() b.lockAxes(string('w')), '`axes`');
  fails_with('quatint:Arguments', @() b.record(0.1, 4, string('each'), 2), 'there is no argument ''each''');
end
