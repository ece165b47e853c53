function test_rotation()
  run_tests({@vectors_go_to_the_world_and_back, @axis_and_angle, @rotation_vectors, @matrices_are_those_of_the_formula, ...
    @euler_angles, @rates_of_euler_angles, @rodrigues_parameters, @products_turn_by_the_second_first, @slerp_goes_at_constant_speed, @one_serves_all_rows, ...
    @single_items_may_be_columns, @wrong_arguments_are_refused, @rows_are_named});
end

function q = some(n)
  q = quatint.fromRotationVector([sin(1:n); cos(2 * (1:n)); (1:n) / n]');
end

function close(a, b)
  check(isequal(size(a), size(b)) && all(abs(a(:) - b(:)) < 1e-14), 'they differ: %s and %s', mat2str(a), mat2str(b));
end

function vectors_go_to_the_world_and_back()
  close(quatint.rotateToWorld([sqrt(0.5) 0 0 sqrt(0.5)], [1 0 0]), [0 1 0]);
  q = some(50);
  v = [(1:50)', ones(50, 1), -(1:50)'];
  world = quatint.rotateToWorld(q, v);
  close(quatint.rotateToBody(q, world) / 50, v / 50);
  for k = [1 17 50]
    same_bits(world(k, :), quatint.rotateToWorld(q(k, :), v(k, :)));
  end
end

function axis_and_angle()
  close(quatint.fromAxisAngle([0 0 5], pi / 2), [sqrt(0.5) 0 0 sqrt(0.5)]);
  [axis, angle] = quatint.toAxisAngle(quatint.fromAxisAngle([0 3 4; 1 0 0], [1; 2]));
  close(axis, [0 0.6 0.8; 1 0 0]);
  close(angle, [1; 2]);
  axis = quatint.toAxisAngle([1 0 0 0]);
  close(axis, [1 0 0]);
end

function rotation_vectors()
  close(quatint.fromRotationVector([0 0 pi / 2]), [sqrt(0.5) 0 0 sqrt(0.5)]);
  v = [0.1 0.2 0.3; 1 2 0];
  close(quatint.toRotationVector(quatint.fromRotationVector(v)), v);
end

function matrices_are_those_of_the_formula()
  close(quatint.toMatrix([sqrt(0.5) 0 0 sqrt(0.5)]), [0 -1 0; 1 0 0; 0 0 1]);
  q = some(5);
  R = quatint.toMatrix(q);
  check(isequal(size(R), [3 3 5]));
  close((R(:, :, 4) * [1; 2; 3])', quatint.rotateToWorld(q(4, :), [1 2 3]));
  back = quatint.fromMatrix(R);
  close(quatint.angleBetween(back, q) < 1e-7, true(5, 1));
  close(quatint.fromMatrix([0 -1 0; 1 0 0; 0 0 1]), [sqrt(0.5) 0 0 sqrt(0.5)]);
end

function euler_angles()
  close(quatint.fromEuler([0.3 0 0], 'ZXZ'), quatint.fromAxisAngle([0 0 1], 0.3));
  close(quatint.fromEuler([0.3 0.4 0.5], 'ZXZ'), quatint.product(quatint.fromAxisAngle([0 0 1], 0.3), ...
        quatint.product(quatint.fromAxisAngle([1 0 0], 0.4), quatint.fromAxisAngle([0 0 1], 0.5))));
  angles = [0.1 0.2 0.3; -1 0.5 2];
  for sequence = {'xyz', 'ZYX', 'ZXZ', 'yxy'}
    close(quatint.toEuler(quatint.fromEuler(angles, sequence{1}), sequence{1}), angles);
  end
end

function rates_of_euler_angles()
  [yaw, pitch, roll] = deal(0.4, 1.1, -2.0);
  [angles, rates] = deal([yaw pitch roll], [0.3 -0.7 1.1]);
  omega = [rates(3)*cos(pitch)*cos(yaw) - rates(2)*sin(yaw), rates(3)*cos(pitch)*sin(yaw) + rates(2)*cos(yaw), ...
           rates(1) - rates(3)*sin(pitch)];
  close(quatint.fromEulerRates(angles, rates, 'ZYX'), omega);
  close(quatint.toEulerRates(angles, omega, 'ZYX'), rates);
  many = quatint.fromEulerRates(repmat(angles, 4, 1), rates, 'ZYX');
  close(many, repmat(omega, 4, 1));
  fails_with('quatint:Invalid', @() quatint.toEulerRates([yaw pi/2 roll], omega, 'ZYX'), 'gimbal lock');
  fails_with('quatint:Arguments', @() quatint.fromEulerRates(angles, rates));
end

function rodrigues_parameters()
  [axis, angle] = deal([0.48 -0.6 0.64], 2.2);
  q = quatint.fromAxisAngle(axis, angle);
  close(quatint.fromMrp(tan(angle/4)*axis), q);
  close(quatint.toMrp(q), tan(angle/4)*axis);
  close(quatint.toMrp([q; -q]), repmat(tan(angle/4)*axis, 2, 1));
  fails_with('quatint:NonFinite', @() quatint.fromMrp([0 NaN 0]));
end

function products_turn_by_the_second_first()
  z = quatint.fromAxisAngle([0 0 1], pi / 2);
  x = quatint.fromAxisAngle([1 0 0], pi / 2);
  close(quatint.rotateToWorld(quatint.product(z, x), [0 1 0]), [0 0 1]);
  q = some(10);
  close(quatint.product(q, quatint.conjugate(q)), repmat([1 0 0 0], 10, 1));
  close(quatint.conjugate([0.6 0.8 0 0]), [0.6 -0.8 0 0]);
end

function slerp_goes_at_constant_speed()
  [a, b] = deal([1 0 0 0], quatint.fromAxisAngle([0 1 0], 1));
  q = quatint.slerp(a, b, [0; 0.25; 1; 2]);
  close(quatint.angleBetween(a, q), [0; 0.25; 1; 2]);
end

function one_serves_all_rows()
  q = some(4);
  same_bits(quatint.rotateToWorld(q, [1 2 3]), quatint.rotateToWorld(q, repmat([1 2 3], 4, 1)));
  same_bits(quatint.rotateToWorld(q(2, :), eye(3)), quatint.rotateToWorld(repmat(q(2, :), 3, 1), eye(3)));
  check(isequal(size(quatint.fromAxisAngle([1 0 0], zeros(0, 1))), [0 4]));
end

function single_items_may_be_columns()
  same_bits(quatint.rotateToWorld([0.6; 0.8; 0; 0], [1; 2; 3]), quatint.rotateToWorld([0.6 0.8 0 0], [1 2 3]));
end

function wrong_arguments_are_refused()
  q = [1 0 0 0];
  fails_with('quatint:Size', @() quatint.rotateToWorld(1, [1 2 3]), '`orientation` must be n-by-4, not 1-by-1');
  fails_with('quatint:Size', @() quatint.rotateToWorld(q, eye(4)), '`vectorBody` must be n-by-3, not 4-by-4');
  fails_with('quatint:Size', @() quatint.rotateToWorld(some(3), eye(3)(1:2, :)), '`vectorBody` has 2 rows, what is before it 3');
  fails_with('quatint:Size', @() quatint.fromMatrix(eye(4)), '`matrix` must be 3-by-3-by-n, not 4-by-4');
  fails_with('quatint:Type', @() quatint.rotateToWorld('abcd', [1 2 3]));
  fails_with('quatint:Type', @() quatint.rotateToWorld(q, single([1 2 3])));
  fails_with('quatint:Orientation', @() quatint.rotateToWorld([1 1 0 0], [1 2 3]));
  fails_with('quatint:NonFinite', @() quatint.rotateToWorld(q, [NaN 2 3]));
  fails_with('quatint:Invalid', @() quatint.fromAxisAngle([0 0 0], 1));
  fails_with('quatint:Orientation', @() quatint.fromMatrix(2 * eye(3)));
  for sequence = {'xx', 'xxy', 'abc', 'xYz', '', 'xyzxyzxyz', 3, {}, ['xyz'; 'xyz']}
    fails_with('quatint:Invalid', @() quatint.fromEuler([1 2 3], sequence{1}));
  end
  fails_with('quatint:Arguments', @() quatint.rotateToWorld(q));
end

function rows_are_named()
  fails_with('quatint:Orientation', @() quatint.rotateToWorld([1 0 0 0; 1 0 0 0; 2 0 0 0], [1 2 3]), 'row 3: `orientation`');
  message = fails_with('quatint:Orientation', @() quatint.rotateToWorld([2 0 0 0], [1 2 3]));
  check(isempty(strfind(message, 'row')));
end
