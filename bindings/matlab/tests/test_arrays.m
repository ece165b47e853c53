function test_arrays()
  run_tests({@each_command_that_takes_something_has_a_row_here, @an_array_is_taken_in_any_form_or_refused_by_its_name, ...
    @a_list_of_bodies_is_taken_in_any_form_or_refused_by_its_name, @a_count_is_one_whole_number_of_class_double, ...
    @what_a_function_returns_is_a_full_real_matrix_or_refused, @a_range_and_a_diagonal_matrix_are_matrices, ...
    @a_sparse_mask_is_refused_wherever_a_mask_is_taken, @sums_are_real_integers, @two_bodies_have_two_ids});
end

% A row for each command of quatint_mex with inputs: the command, what it is called on ('B' a body, 'E' an ensemble of 3, 'N' nothing), its
% inputs, and what these are called in messages. A name alone is that of an array; after 'list ' stands that of a list of bodies, after
% 'count ' that of a whole number. '' is a text, or something that has no form but its own.
function rows = commands()
  q = [0.5 0.5 -0.5 0.5; 0 0.6 0.8 0; 0.8 0 0 0.6];
  v = [1 2 3; -2 0.5 4; 3 1 -1];
  I = [4 0.5 0.2; 0.5 5 0.3; 0.2 0.3 6];
  G = [0.1 0.7 0.2; -0.3 0.2 0.5; 0.4 -0.6 -0.3];
  R = quatint.toMatrix(q);
  s = quatint.addToSum(zeros(68, 2, 'int64'), v(:, 1:2));
  rows = {
    'advance', 'B', {0.1, 2, 0}, {'dt', 'count steps', ''}
    'advance', 'E', {0.1, 2, 0}, {'dt', 'count steps', ''}
    'kick', 'B', {0.1, v(1, :), 'world'}, {'duration', 'torque', ''}
    'kick', 'E', {0.1, v, 'world'}, {'duration', 'torque', ''}
    'kick_drift', 'E', {0.1, 0.2, v, 'body', 0.1}, {'kick', 'drift', 'torque', '', 'ahead'}
    'set_time', 'B', {3}, {'time'}
    'set_time', 'E', {3}, {'time'}
    'set_clock', 'B', {[3 0]}, {'clock'}
    'set_clock', 'E', {[3 0]}, {'clock'}
    'set_angular_momentum', 'B', {v(1, :)}, {'angularMomentum'}
    'set_angular_momentum', 'E', {v}, {'angularMomentum'}
    'set_noise_draws', 'B', {5}, {'count noiseDraws'}
    'set_noise_draws', 'E', {5}, {'count noiseDraws'}
    'set_rotor_momentum', 'B', {v(1, :)}, {'rotorMomentum'}
    'set_rotor_momentum', 'E', {v}, {'rotorMomentum'}
    'set_rotor_torque', 'B', {v(1, :)}, {'rotorTorque'}
    'drift', 'B', {0.3}, {'duration'}
    'drift', 'E', {0.3}, {'duration'}
    'set_orientation', 'B', {q(2, :)}, {'orientation'}
    'set_orientation', 'E', {q}, {'orientation'}
    'set_angular_velocity', 'B', {v(1, :)}, {'angularVelocity'}
    'set_angular_velocity', 'E', {v}, {'angularVelocity'}
    'set_angular_velocity_body', 'B', {v(1, :)}, {'angularVelocityBody'}
    'set_angular_velocity_body', 'E', {v}, {'angularVelocityBody'}
    'scale_angular_momenta', 'E', {2}, {'factor'}
    'solve', 'B', {[0 1 2], 1e-6, 0}, {'times', 'tolerance', ''}
    'set_longest_step', 'B', {0.5}, {'longestStep'}
    'set_most_evaluations', 'B', {500}, {'count mostEvaluations'}
    'set_solve_method', 'B', {1}, {'count solveMethod'}
    'set_inertia', 'B', {I, 'angularMomentum'}, {'inertia', ''}
    'set_inertia', 'E', {cat(3, I, 2 * I, I)}, {'inertia'}
    'get_body_rows', 'B', {'all', 1}, {'', 'list bodies'}
    'get_body_rows', 'E', {'all', [1 3]}, {'', 'list bodies'}
    'set_body_rows', 'B', {'state', 1, [q(2, :) v(1, :)]}, {'', 'list bodies', 'rows'}
    'set_body_rows', 'E', {'state', [1 3], [q(1:2, :) v(1:2, :)]}, {'', 'list bodies', 'rows'}
    'resize', 'E', {2}, {'count count'}
    'select_bodies', 'E', {[1 3]}, {'list from'}
    'set_principal_inertias', 'E', {v + 9}, {'moments'}
    'set_threads', 'E', {2}, {'count threads'}
    'set_active', 'E', {[1 3]}, {'list active'}
    'constant_torque', 'B', {v(1, :), 'body'}, {'torque', ''}
    'constant_torque', 'E', {v, 'body'}, {'torque', ''}
    'uniform_field', 'B', {v(1, :), v(2, :)}, {'vectorBody', 'fieldWorld'}
    'uniform_field', 'E', {v, v(2, :)}, {'vectorBody', 'fieldWorld'}
    'gravity_gradient', 'B', {v(1, :), 0.3}, {'directionWorld', 'gradient'}
    'gravity_gradient', 'E', {v(1, :), [0.1; 0.2; 0.3]}, {'directionWorld', 'gradient'}
    'linear_drag', 'B', {v(1, :)}, {'coefficients'}
    'linear_drag', 'E', {v + 3}, {'coefficients'}
    'shear_flow', 'B', {v(1, :), 0.1, G}, {'semiAxes', 'viscosity', 'velocityGradient'}
    'shear_flow', 'E', {v + 3, 0.1, G}, {'semiAxes', 'viscosity', 'velocityGradient'}
    'set_drag', 'B', {v(1, :), v(2, :)}, {'coefficients', 'flow'}
    'set_drag', 'E', {v + 3, v}, {'coefficients', 'flow'}
    'set_flow_gradients', 'E', {cat(3, G, G + 1, -G)}, {'velocityGradients'}
    'set_points', 'E', {[1 3], v(1:2, :)}, {'list bodies', 'arms'}
    'point_positions', 'E', {v}, {'centres'}
    'point_velocities', 'E', {v, v + 1}, {'centreVelocities', 'predicted'}
    'sum_point_forces', 'E', {v}, {'forces'}
    'set_langevin', 'B', {v(1, :), 1, 5, v(2, :), 7}, {'coefficients', 'kT', 'count seed', 'flow', 'count id'}
    'set_langevin', 'E', {v + 3, 1, 5, v, 0}, {'coefficients', 'kT', 'count seed', 'flow', ''}
    'set_ids', 'E', {[4 2 9]}, {'ids'}
    'create', 'N', {2}, {'count count'}
    'create_body', 'N', {I}, {'inertia'}
    'add_to_sums', 'N', {s, v(:, 1:2)}, {'', 'values'}
    'rotate', 'N', {q, v}, {'orientation', 'vectorBody'}
    'rotate_inverse', 'N', {q, v}, {'orientation', 'vectorWorld'}
    'body_torque', 'N', {q, v}, {'orientation', 'torqueBody'}
    'uniform_field_torque', 'N', {q, v, v(2, :)}, {'orientation', 'vectorBody', 'fieldWorld'}
    'gravity_gradient_torque', 'N', {q, I, v, 0.3}, {'orientation', 'inertia', 'directionWorld', 'gradient'}
    'linear_drag_torque', 'N', {q, v, v(1, :), v}, {'orientation', 'angularVelocity', 'coefficients', 'flow'}
    'shear_flow_resistances', 'N', {v + 3, 0.1}, {'semiAxes', 'viscosity'}
    'shear_flow_torque', 'N', {q, v, 1:6, G}, {'orientation', 'angularVelocity', 'resistances', 'velocityGradient'}
    'from_axis_angle', 'N', {v, [0.1; 0.2; 0.3]}, {'axis', 'angle'}
    'to_axis_angle', 'N', {q}, {'orientation'}
    'from_rotation_vector', 'N', {v}, {'rotationVector'}
    'to_rotation_vector', 'N', {q}, {'orientation'}
    'from_matrix', 'N', {R}, {'matrix'}
    'to_matrix', 'N', {q}, {'orientation'}
    'from_euler', 'N', {v, 'ZXZ'}, {'angles', ''}
    'to_euler', 'N', {q, 'ZXZ'}, {'orientation', ''}
    'from_euler_rates', 'N', {v, v + 1, 'xyz'}, {'angles', 'rates', ''}
    'to_euler_rates', 'N', {v, v + 1, 'xyz'}, {'angles', 'angularVelocity', ''}
    'from_mrp', 'N', {v}, {'parameters'}
    'to_mrp', 'N', {q}, {'orientation'}
    'principal_axes', 'N', {I}, {'inertia'}
    'product', 'N', {q, q}, {'a', 'b'}
    'inverse', 'N', {q}, {'orientation'}
    'slerp', 'N', {q, q([2 3 1], :), 0.3}, {'a', 'b', 't'}
    'angle', 'N', {q, q([2 3 1], :)}, {'a', 'b'}
    'orientation_rate', 'N', {q, v}, {'orientation', 'angularVelocity'}
    'turn_times', 'N', {2, 0.1, 0.7}, {'count steps', 'start', 'finish'}
    'turn_orientation', 'N', {q(1, :), 0.1, 0.7, 1, v(1:2, :), 'body'}, {'orientation', 'start', 'finish', 'count steps', 'rate', ''}
    'turn_by_samples', 'N', {q(1, :), v, 0.1, 'body'}, {'orientation', 'angularVelocities', 'dt', ''}
    'add_point_mass', 'N', {zeros(1, 20), 2, v(1, :)}, {'numbers', 'mass', 'position'}
    'add_sphere_mass', 'N', {zeros(1, 20), 2, 0.5, v(1, :)}, {'numbers', 'mass', 'radius', 'position'}
    'add_ellipsoid_mass', 'N', {zeros(1, 20), 2, 1:3, v(1, :), q(1, :)}, {'numbers', 'mass', 'semiAxes', 'position', 'orientation'}
    'add_box_mass', 'N', {zeros(1, 20), 2, 1:3, v(1, :), q(1, :)}, {'numbers', 'mass', 'edges', 'position', 'orientation'}
    'add_cylinder_mass', 'N', {zeros(1, 20), 2, 0.5, 3, v(1, :), q(1, :)}, ...
        {'numbers', 'mass', 'radius', 'length', 'position', 'orientation'}
    'add_capsule_mass', 'N', {zeros(1, 20), 2, 0.5, 3, v(1, :), q(1, :)}, ...
        {'numbers', 'mass', 'radius', 'length', 'position', 'orientation'}
    'add_hemisphere_mass', 'N', {zeros(1, 20), 2, 0.5, v(1, :), q(1, :)}, {'numbers', 'mass', 'radius', 'position', 'orientation'}
    'add_cone_mass', 'N', {zeros(1, 20), 2, 0.5, 3, v(1, :), q(1, :)}, ...
        {'numbers', 'mass', 'radius', 'height', 'position', 'orientation'}
    'add_mesh_mass', 'N', {zeros(1, 20), 2, tetrahedron()}, {'numbers', 'density', 'corners'}
    'add_inertia_mass', 'N', {zeros(1, 20), 2, I, v(1, :), q(1, :)}, {'numbers', 'mass', 'inertia', 'position', 'orientation'}
    'mass_properties', 'N', {[2 1 2 3 9 9 9 0.1 0.2 0.3 zeros(1, 10)]}, {'numbers'}
    'inertia_about', 'N', {[2 1 2 3 9 9 9 0.1 0.2 0.3 zeros(1, 10)], v(1, :)}, {'numbers', 'point'}
  };
end

function corners = tetrahedron()
  x = [0 0 0; 1 0 0; 0 1 0; 0 0 1]';
  corners = cat(3, x(:, [1 3 2]), x(:, [1 2 4]), x(:, [1 4 3]), x(:, [2 3 4]));
end

% Commands that take no array, or that the tests below call by way of the classes.
function names = others()
  names = {'supply B', 'supply E', 'supply_in_place B', 'supply_in_place E', 'begin B', 'begin E', 'cancel N', 'write_one N', ...
    'thermalize B', 'thermalize E', 'solve_until B', 'row_size B', 'row_size E', 'lock_axes B', 'lock_axes E', 'set_method B', ...
    'set_method E', 'values_of_sums N', 'destroy N'};
end

function each_command_that_takes_something_has_a_row_here()
  folder = fileparts(mfilename('fullpath'));
  source = fileread(fullfile(folder, '..', 'src', 'quatint_mex.c'));
  found = regexp(source, '\n    \{"(\w+)", (?:ROTATION|\w+), (\d+)(?:, (BODY|ENSEMBLE|EITHER))?', 'tokens');
  check(numel(found) > 100);
  listed = {};
  for k = 1:numel(found)
    kinds = struct('BODY', 'B', 'ENSEMBLE', 'E', 'EITHER', 'BE', 'none', 'N');
    kind = [found{k}(3:end) {'none'}];
    if isempty(kind{1})
      kind(1) = [];
    end
    if str2double(found{k}{2}) > 0
      for letter = kinds.(kind{1})
        listed{end + 1} = [found{k}{1} ' ' letter];
      end
    end
  end
  rows = commands();
  here = [strcat(rows(:, 1), {' '}, rows(:, 2))', others()];
  differ = setxor(listed, here);
  check(isempty(differ), 'without a row, or a row without a command:%s', sprintf(' "%s"', differ{:}));
end

% All that a command gives, and that a body or an ensemble of 3 has afterwards.
function result = called(row, inputs)
  [command, on] = row{1:2};
  outputs = 1;
  if any(strcmp(command, {'to_axis_angle', 'sum_point_forces', 'principal_axes', 'mass_properties'}))
    outputs = 2;
  elseif any(on == 'BE') && ~any(strcmp(command, {'get_body_rows', 'point_positions', 'point_velocities', 'select_bodies', 'kick_drift'}))
    outputs = 0;
  end
  given = cell(1, outputs);
  if on == 'N'
    [given{:}] = quatint_mex(command, inputs{:});
    if any(strcmp(command, {'create', 'create_body'}))
      given{2} = quatint_mex('get_body_rows', given{1}, 'all', ':');
      quatint_mex('destroy', given{1});
      given{1} = [];
    end
    result = given;
    return
  end
  if on == 'B'
    id = quatint_mex('create_body', diag([2 3 4]));
  else
    id = quatint_mex('create', 3);
    quatint_mex('set_points', id, 1:3, magic(3));
  end
  deleted = onCleanup(@() quatint_mex('destroy', id));
  quatint_mex('set_angular_velocity', id, [0.3 -0.2 0.5]);
  quatint_mex('shear_flow', id, [1 2 3], 0.1, magic(3) / 10);
  if strcmp(command, 'set_langevin')
    quatint_mex('no_torque', id);
    quatint_mex('set_method', id, 'splitting');
  end
  [given{:}] = quatint_mex(command, id, inputs{:});
  quatint_mex('advance', id, 0.01, 2, 0);
  result = [given, {quatint_mex('get_body_rows', id, 'all', ':')}, {quatint_mex('get_clock', id)}];
  if on == 'E'
    result = [result, {quatint_mex('get_ids', id)}];
  end
end

function refused(row, place, name, forms)
  for k = 1:numel(forms)
    inputs = row{3};
    inputs{place} = forms{k};
    try
      called(row, inputs);
    catch err
      check(strncmp(err.identifier, 'quatint:', 8) && ~isempty(strfind(err.message, ['`' name])), ...
            '%s, form %d, %s of %s: %s', row{1}, k, class(forms{k}), name, err.message);
      continue
    end
    error('check:failed', '%s takes form %d, %s, of %s', row{1}, k, class(forms{k}), name);
  end
end

% Calls `test` for each input of this kind.
function for_each(kind, test)
  rows = commands();
  for r = 1:size(rows, 1)
    names = rows{r, 4};
    for place = 1:numel(names)
      words = strsplit(names{place}, ' ');
      if numel(words) == 1
        words = [{'array'}, words];
      end
      if strcmp(words{1}, kind) && ~isempty(words{2})
        test(rows(r, :), place, words{2});
      end
    end
  end
end

function an_array_is_taken_in_any_form_or_refused_by_its_name()
  for_each('array', @array_in_forms);
end

function array_in_forms(row, place, name)
  a = row{3}{place};
  expected = called(row, row{3});
  wide = cat(1, a, a);
  same = {wide(1:size(a, 1), :, :), -(-a), permute(permute(a, [2 1 3]), [2 1 3])};
  for k = 1:numel(same)
    inputs = row{3};
    inputs{place} = same{k};
    check(isequaln(called(row, inputs), expected), '%s, form %d of %s', row{1}, k, name);
  end
  forms = {complex(a, a), single(a), int32(a), a > min(a(:)), repmat('a', size(a)), {a}, struct('a', 1), cat(2, a, a)};
  if ndims(a) == 2
    forms = [forms, {sparse(a), sparse(a > 0)}];
  end
  refused(row, place, name, forms);
end

function a_list_of_bodies_is_taken_in_any_form_or_refused_by_its_name()
  for_each('list', @list_in_forms);
end

function list_in_forms(row, place, name)
  list = row{3}{place};
  count = 3 - 2 * (row{2} == 'B');
  mask = ismember(1:count, list);
  expected = called(row, row{3});
  same = {mask, mask', list', list + 0};
  for k = 1:numel(same)
    inputs = row{3};
    inputs{place} = same{k};
    check(isequaln(called(row, inputs), expected), '%s, form %d of %s', row{1}, k, name);
  end
  refused(row, place, name, {sparse(mask), sparse(mask'), sparse(list), complex(list, list), single(list), int32(list), {list}, ...
    'ab', list + 0.5, list - 1, list + 3, list * NaN, [mask true], mask(1:end - 1), sparse(false(1, count))});
end

function a_count_is_one_whole_number_of_class_double()
  for_each('count', @count_in_forms);
end

function count_in_forms(row, place, name)
  n = row{3}{place};
  refused(row, place, name, {true, n + 0.5, -1, NaN, sparse(n), complex(n, n), single(n), int32(n), 'a', {n}, [n n]});
end

function what_a_function_returns_is_a_full_real_matrix_or_refused()
  forms = {sparse([1 2 3]), complex([1 2 3], 1), single([1 2 3]), int32([1 2 3]), [true false true], 'abc', {1, 2, 3}, [1 2]};
  things = {quatint.Body(diag([2 3 4])), quatint.Ensemble(1)};
  for k = 1:numel(forms)
    for j = 1:2
      thing = things{j};
      thing.torque = @(t, q, omega) forms{k};
      before = thing.rows();
      fails_with_name('torque', @() thing.step(0.1));
      check(isequaln(thing.rows(), before));
    end
    b = quatint.Body(diag([2 3 4]));
    b.method = 'splitting';
    fails_with_name('inertia', @() b.setInertiaFunction(@(t) forms{k}));
    fails_with_name('event', @() b.solveUntil(1, @(t, q, omega) forms{k}, 1e-6));
  end
end

function fails_with_name(name, action)
  try
    action();
  catch err
    check(strncmp(err.identifier, 'quatint:', 8) && ~isempty(strfind(err.message, ['`' name '`'])), '%s: %s', name, err.message);
    return
  end
  error('check:failed', 'no error that names %s', name);
end

function a_range_and_a_diagonal_matrix_are_matrices()
  e = quatint.Ensemble(3);
  e.angularVelocity = 1:3;
  check(isequal(e.angularVelocity, [1 2 3; 1 2 3; 1 2 3]));
  e.angularVelocity = 3:-1:1;
  check(isequal(e.angularVelocity, [3 2 1; 3 2 1; 3 2 1]));
  identity = eye(3);
  e.angularVelocity = identity(:, [2 3 1]);
  check(isequal(e.angularVelocity, [0 0 1; 1 0 0; 0 1 0]));
  e.angularVelocity = 2 * eye(3);
  check(isequal(e.angularVelocity, [2 0 0; 0 2 0; 0 0 2]));
  e.active = 1:2:3;
  check(isequal(e.rows('state', 3:-2:1), e.rows('state', [3 1])));
end

% Else what lies behind the stored elements of the mask would be read.
function a_sparse_mask_is_refused_wherever_a_mask_is_taken()
  n = 200000;
  e = quatint.Ensemble(n);
  mask = sparse(5, 1, true, n, 1);
  calls = {@() set_property(e, 'active', mask), @() e.rows('state', mask), @() e.setRows(e.rows('state', 1), 'state', mask), ...
           @() e.select(mask), @() e.setPoints(mask, [1 2 3])};
  for k = 1:numel(calls)
    fails_with('quatint:Type', calls{k}, 'must be a full mask, full(mask), not sparse logical');
  end
  e.active = full(mask);
  check(isequal(e.active, 5) && isequal(size(e.rows('state', full(mask))), [1 7]));
end

function sums_are_real_integers()
  s = quatint.addToSum(zeros(68, 1, 'int64'), [1 2 3]);
  check(quatint.sumValue(s) == 6);
  for wrong = {double(s), uint64(s), int32(s), s', s(1:end - 1), {s}}
    try
      quatint.sumValue(wrong{1});
    catch err
      check(~isempty(strfind(err.message, '`sums` must be')), '%s', err.message);
      continue
    end
    error('check:failed', 'sums of class %s were taken', class(wrong{1}));
  end
end

function two_bodies_have_two_ids()
  e = quatint.Ensemble(3);
  fails_with('quatint:Invalid', @() set_property(e, 'ids', [7 2 7]), '`ids` must be different');
  e.ids = [7 2 4];
  e.select([1 1 2]);  % copies of a body have its id
  check(isequal(e.ids', uint64([7 7 2])));
  same = quatint.Ensemble.loadobj(e.saveobj());
  check(isequal(same.ids, e.ids));
end
