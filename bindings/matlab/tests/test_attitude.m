function test_attitude()
  run_tests({@a_coning_motion_turns_as_its_closed_form_says, @samples_turn_as_the_closed_form_says, ...
    @a_record_may_come_in_pieces, @twice_the_steps_leave_a_sixteenth_of_the_error, ...
    @the_derivative_is_that_of_a_quaternion_of_any_length, @what_cannot_be_turned_is_refused});
end

function q = start()
  q = [0.5 -0.1 0.7 0.5];
end

function q = in_body()
  q = [0.38577307636891406 0.043578453853795565 0.6932969186910561 0.6071403745774642];
end

function q = in_world()
  q = [0.5962913350399517 0.037682495356439624 0.7112801869859638 0.3702663485940847];
end

function omega = coning(t)
  omega = [0.8*cos(3*t) 0.8*sin(3*t) 0];
end

function near(a, b, tolerance)
  check(isequal(size(a), size(b)) && all(abs(a - b) < tolerance), 'they differ: %s and %s', mat2str(a, 17), mat2str(b, 17));
end

function a_coning_motion_turns_as_its_closed_form_says()
  q = quatint.turnOrientation(start(), 0.2, 4.2, 400, @coning, 'frame', 'body');
  near(q, in_body(), 2e-10);
  near(quatint.turnOrientation(q, 4.2, 0.2, 400, @coning, 'Frame', 'body'), start(), 2e-14);
  near(quatint.turnOrientation(start()', 0.2, 4.2, 400, @(t) coning(t)'), in_world(), 2e-10);
  same_bits(quatint.turnOrientation(start(), 1, 1, 5, @(t) error('not called')), start());
end

function samples_turn_as_the_closed_form_says()
  t = (0:400)'*0.01 + 0.2;
  samples = [0.8*cos(3*t) 0.8*sin(3*t) 0*t];
  q = quatint.turnBySamples(start(), samples, 0.01, 'frame', 'body');
  near(q, in_body(), 5e-9);
  near(quatint.turnBySamples(q, flipud(samples), -0.01, 'frame', 'body'), start(), 1e-14);
  near(quatint.turnBySamples(start(), samples, 0.01), in_world(), 5e-9);
end

function a_record_may_come_in_pieces()
  t = (0:400)'*0.01 + 0.2;
  samples = [0.8*cos(3*t) 0.8*sin(3*t) 0*t];
  q = start();
  for first = 1:100:301
    q = quatint.turnBySamples(q, samples(first:first + 100, :), 0.01, 'frame', 'body');
  end
  near(q, in_body(), 5e-8);
end

function twice_the_steps_leave_a_sixteenth_of_the_error()
  off = @(steps) norm(quatint.turnOrientation(start(), 0.2, 4.2, steps, @coning, 'frame', 'body') - in_body());
  ratio = off(40)/off(80);
  check(ratio > 14 && ratio < 18, 'order 4 has 16, not %g', ratio);
end

function the_derivative_is_that_of_a_quaternion_of_any_length()
  rate = quatint.orientationRate([1 -0.2 1.4 1], [0.3 -0.7 1.1]);
  near(rate, [-0.03 -0.97 -0.61 0.69], 1e-15);
  rates = quatint.orientationRate([1 -0.2 1.4 1; 2 -0.4 2.8 2], [0.3 -0.7 1.1]);
  same_bits(rates, [rate; 2*rate]);
  fails_with('quatint:NonFinite', @() quatint.orientationRate([1 NaN 0 0], [0 0 0]), '`orientation(2)`');
end

function what_cannot_be_turned_is_refused()
  fails_with('my:error', @() quatint.turnOrientation(start(), 0, 1, 10, @(t) error('my:error', 'broken')));
  fails_with('quatint:Size', @() quatint.turnOrientation(start(), 0, 1, 10, @(t) [1 2]), 'three numbers');
  fails_with('quatint:NonFinite', @() quatint.turnOrientation(start(), 0, 1, 10, @(t) [1 NaN 2]), '`angular_velocity(2)`');
  fails_with('quatint:Invalid', @() quatint.turnOrientation(start(), 0, 1, 0, @coning), '`steps`');
  fails_with('quatint:Orientation', @() quatint.turnOrientation([2 0 0 0], 0, 1, 10, @coning), '`orientation`');
  fails_with('quatint:Invalid', @() quatint.turnOrientation(start(), 0, 1, 10, @coning, 'frame', 'moon'), '`frame`');
  fails_with('quatint:Arguments', @() quatint.turnOrientation(start(), 0, 1), 'turnOrientation(orientation, start, finish, steps, rate)');
  fails_with('quatint:Invalid', @() quatint.turnBySamples(start(), [1 2 3], 0.1), '`samples`');
  fails_with('quatint:Size', @() quatint.turnBySamples(start(), ones(5, 2), 0.1), '`angularVelocities` must be n-by-3');
end
