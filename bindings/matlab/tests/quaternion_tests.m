function quaternion_tests()
% Tests of objects of a class quaternion, which is on the path.
  run_tests({@an_orientation_is_an_object, @orientations_of_an_ensemble_are_an_object, @functions_take_objects, ...
    @an_orientation_becomes_an_object, @an_object_that_is_no_rotation_is_refused, @a_part_of_an_assembly_is_turned_by_an_object});
end

function rows = some_rows()
  rows = quatint.fromAxisAngle([1 2 3], [0.1; 0.7; 2]);
end

function q = objects(rows)
  q = quaternion(rows(:, 1), rows(:, 2), rows(:, 3), rows(:, 4));
end

function an_orientation_is_an_object()
  row = some_rows()(2, :);
  q = objects(row);
  for b = {quatint.Body(eye(3), q), quatint.Body(eye(3), 'orientation', q), quatint.Body(eye(3))}
    b{1}.orientation = q;
    check(max(abs(b{1}.orientation - row)) < 1e-15);
    b{1}.q = q;
    check(max(abs(b{1}.orientation - row)) < 1e-15);
  end
end

function orientations_of_an_ensemble_are_an_object()
  e = quatint.Ensemble(3, 'orientation', objects(some_rows()));
  check(max(max(abs(e.orientation - some_rows()))) < 1e-15);
  e.orientation = objects([0 1 0 0]);
  check(isequal(e.orientation, repmat([0 1 0 0], 3, 1)));
end

function functions_take_objects()
  rows = some_rows();
  q = objects(rows);
  v = eye(3);
  functions = {@(q) quatint.rotateToWorld(q, v), @(q) quatint.rotateToBody(q, v), @(q) quatint.conjugate(q), ...
    @(q) quatint.product(q, rows), @(q) quatint.product(rows, q), @(q) quatint.slerp(q, rows(2, :), 0.3), ...
    @(q) quatint.slerp(rows(2, :), q, 0.3), @(q) quatint.angleBetween(q, rows(1, :)), @(q) quatint.angleBetween(rows(1, :), q), ...
    @(q) quatint.toMatrix(q), @(q) quatint.toEuler(q, 'ZXZ'), @(q) quatint.toMrp(q), @(q) quatint.toRotationVector(q), ...
    @(q) quatint.toAxisAngle(q), @(q) quatint.bodyTorque(q, v), @(q) quatint.uniformFieldTorque(q, v, [0 0 1]), ...
    @(q) quatint.gravityGradientTorque(q, diag([1 2 3]), v, 2), @(q) quatint.linearDragTorque(q, v, [1 2 3]), ...
    @(q) quatint.shearFlowTorque(q, v, quatint.shearFlowResistances([1 2 3], 1), [0 1 0; 0 0 0; 0 0 0])};
  for f = functions
    same_bits(f{1}(q), f{1}(rows));
  end
end

function an_orientation_becomes_an_object()
  q = quatint.toQuaternion(some_rows());
  check(isa(q, 'quaternion'));
  same_bits(quatint.fromQuaternion(q), some_rows());
  b = quatint.Body(eye(3), quatint.toQuaternion([0 1 0 0]));
  check(isequal(quatint.fromQuaternion(quatint.toQuaternion(b.orientation)), [0 1 0 0]));
  same_bits(quatint.fromQuaternion(some_rows()), some_rows());
end

function an_object_that_is_no_rotation_is_refused()
  fails_with('quatint:Orientation', @() quatint.Body(eye(3), objects([1 1 0 0])));
  fails_with('quatint:Size', @() quatint.Body(eye(3), objects(some_rows())), '`orientation` must be 1-by-4, not 3-by-4');
end

function a_part_of_an_assembly_is_turned_by_an_object()
  [a, b] = deal(quatint.Mass(), quatint.Mass());
  q = some_rows()(2, :);
  a.addBox(1, [1 2 3], [0 0 0], q);
  b.addBox(1, [1 2 3], [0 0 0], objects(q));
  same_bits(a.numbers, b.numbers);
end
