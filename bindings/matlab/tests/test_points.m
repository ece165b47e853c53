function test_points()
  run_tests({@points_are_where_their_bodies_carry_them, @points_move_with_a_prediction, @an_ensemble_of_one_has_points_too, ...
    @lists_of_bodies_may_be_masks_or_all, @an_ensemble_may_have_no_points, @points_that_cannot_be_are_refused, ...
    @arrays_of_points_that_do_not_fit_are_refused, @resize_and_select_drop_the_points, ...
    @a_gradient_at_each_body_acts_as_on_a_body_alone, @gradients_are_copied, @one_gradient_serves_all_bodies, ...
    @without_gradients_the_bodies_share_one_again, @gradients_that_cannot_be_are_refused, ...
    @resize_and_select_forget_the_gradients, @a_saved_ensemble_keeps_its_gradients, @memory_of_gradients_is_freed, ...
    @what_is_deleted_is_an_error});
end

function x = some(rows, columns, seed)
% generic numbers
  x = sin(1.7 * (seed + reshape(1:rows * columns, rows, columns)) + 0.3);
end

function e = some_bodies(n)
  e = quatint.Ensemble(n);
  e.inertia = [2 0.1 0; 0.1 3 0.2; 0 0.2 4];
  e.orientation = quatint.fromAxisAngle(some(n, 3, 4), 0.1 * (1:n)');
  e.angularVelocity = some(n, 3, 40);
end

function [e, bodies, arms] = some_clumps(n)
% two points on each body but the last one, which has none
  e = some_bodies(n);
  bodies = floor((2:2 * n - 1) / 2);
  arms = some(2 * n - 2, 3, 1);
  e.setPoints(bodies, arms);
end

function points_are_where_their_bodies_carry_them()
  n = 70;
  [e, of, arms] = some_clumps(n);
  m = 2 * n - 2;
  check(e.pointCount() == m);
  turned = quatint.rotateToWorld(e.orientation(of, :), arms);
  centres = 5 * some(n, 3, 7);
  check(isequal(size(e.pointPositions()), [m 3]) && all(all(abs(e.pointPositions() - turned) < 1e-14)));
  check(abs(e.pointPositions(centres) - centres(of, :) - turned) < 1e-14);
  velocities = cross(e.angularVelocity(of, :), turned, 2);
  check(abs(e.pointVelocities() - velocities) < 1e-14);
  check(abs(e.pointVelocities(centres) - centres(of, :) - velocities) < 1e-14);
  forces = some(m, 3, 11);
  [sums, torques] = deal(zeros(n, 3));
  for k = 1:m
    sums(of(k), :) = sums(of(k), :) + forces(k, :);
    torques(of(k), :) = torques(of(k), :) + cross(turned(k, :), forces(k, :));
  end
  [F, T] = e.sumPointForces(forces);
  check(abs(F - sums) < 1e-14 & abs(T - torques) < 1e-14);
  check(isequal([F(n, :), T(n, :)], zeros(1, 6)));
  same_bits(e.sumPointForces(forces), F);
  momentum = e.angularMomentum;
  e.kick(0.1, T);
  check(abs(e.angularMomentum - momentum - 0.1 * T) < 1e-14);
end

function points_move_with_a_prediction()
  for n = [3 70]
    [e, of, arms] = some_clumps(n);
    predicted = e.kickDrift(0.05, 0.1, some(n, 3, 9));
    before = predicted + 0;
    turned = quatint.rotateToWorld(e.orientation(of, :), arms);
    velocities = e.pointVelocities([], predicted);
    check(abs(velocities - cross(predicted(of, :), turned, 2)) < 1e-14);
    check(max(max(abs(velocities - e.pointVelocities()))) > 1e-4);
    check(abs(e.pointVelocities(ones(n, 3), predicted) - velocities - 1) < 1e-14);
    same_bits(predicted, before);
    e.kickDrift(0.05, 0.1, some(n, 3, 10));
    same_bits(predicted, before);
  end
end

function an_ensemble_of_one_has_points_too()
  b = quatint.Ensemble(1, 'inertia', diag([1 2 3]), 'orientation', quatint.fromAxisAngle([0 0 1], pi / 2), ...
                       'angularVelocity', [0 0 2]);
  b.setPoints([1 1], [1 0 0; 0 2 0]);
  check(abs(b.pointPositions([5 6 7]) - [5 7 7; 3 6 7]) < 1e-14);
  check(abs(b.pointVelocities([1; 1; 1]) - [-1 1 1; 1 -3 1]) < 1e-14);
  [F, T] = b.sumPointForces([1 0 0; 0 0 1]);
  check(abs(F - [1 0 1]) < 1e-14 & abs(T - [0 2 -1]) < 1e-14);
  b.setPoints(1, [1; 0; 0]);
  check(abs(b.pointPositions() - [0 1 0]) < 1e-15);
end

function lists_of_bodies_may_be_masks_or_all()
  [a, b] = deal(some_bodies(4), some_bodies(4));
  a.setPoints(':', some(4, 3, 1));
  b.setPoints(1:4, some(4, 3, 1));
  same_bits(a.pointPositions(), b.pointPositions());
  a.setPoints(logical([1 0 1 0]), some(2, 3, 1));
  b.setPoints([1 3], some(2, 3, 1));
  same_bits(a.pointPositions(), b.pointPositions());
end

function an_ensemble_may_have_no_points()
  e = some_bodies(3);
  e.setPoints(zeros(1, 0), zeros(0, 3));
  check(e.pointCount() == 0 && isequal(size(e.pointPositions()), [0 3]) && isequal(size(e.pointVelocities()), [0 3]));
  [F, T] = e.sumPointForces(zeros(0, 3));
  check(isequal(F, zeros(3)) && isequal(T, zeros(3)));
  e = quatint.Ensemble(0);
  e.setPoints([], zeros(0, 3));
  [F, T] = e.sumPointForces(zeros(0, 3));
  check(isequal(size(F), [0 3]) && isequal(size(T), [0 3]));
end

function points_that_cannot_be_are_refused()
  e = some_bodies(5);
  for action = {@() e.pointCount(), @() e.pointPositions(), @() e.pointVelocities(), @() e.sumPointForces(ones(2, 3))}
    fails_with('quatint:Order', action{1}, 'no points');
  end
  e.setPoints([1 2 2], some(3, 3, 1));
  before = e.pointPositions();
  cases = {
    @() e.setPoints([2 1], ones(2, 3)), 'quatint:Invalid', '`bodies` must be ascending: element 2 is 1, after 2'
    @() e.setPoints([1 6], ones(2, 3)), 'quatint:Invalid', '`bodies` must be whole numbers from 1 to 5; element 2 is 6'
    @() e.setPoints([0 1], ones(2, 3)), 'quatint:Invalid', 'element 1 is 0'
    @() e.setPoints([1 1.5], ones(2, 3)), 'quatint:Invalid', 'element 2 is 1.5'
    @() e.setPoints({1}, ones(1, 3)), 'quatint:Type', '`bodies`'
    @() e.setPoints([1 4], [1 2 3; 4 NaN 6]), 'quatint:NonFinite', 'body 4: '
    @() e.setPoints([1 4], ones(3, 2)), 'quatint:Size', '`arms` must be 2-by-3, not 3-by-2'
    @() e.setPoints([1 4], [1 2 3]), 'quatint:Size', '`arms` must be 2-by-3'
    @() e.setPoints([1 4], single(ones(2, 3))), 'quatint:Type', '`arms`'
  };
  for k = 1:size(cases, 1)
    fails_with(cases{k, 2}, cases{k, 1}, cases{k, 3});
    same_bits(e.pointPositions(), before);
  end
end

function arrays_of_points_that_do_not_fit_are_refused()
  e = some_bodies(5);
  e.setPoints([1 2 2], some(3, 3, 1));
  cases = {
    @() e.pointPositions(ones(3, 3)), 'quatint:Size', '`centres` must be 5-by-3, not 3-by-3'
    @() e.pointPositions([1 2 3]), 'quatint:Size', '`centres` must be 5-by-3'
    @() e.pointVelocities(ones(3, 5)), 'quatint:Size', '`centreVelocities` must be 5-by-3'
    @() e.pointVelocities([], ones(3, 3)), 'quatint:Size', '`predicted` must be 5-by-3'
    @() e.pointVelocities([], 'omega'), 'quatint:Type', '`predicted`'
    @() e.sumPointForces(ones(5, 3)), 'quatint:Size', '`forces` must be 3-by-3, not 5-by-3'
    @() e.sumPointForces({}), 'quatint:Type', '`forces`'
  };
  for k = 1:size(cases, 1)
    fails_with(cases{k, 2}, cases{k, 1}, cases{k, 3});
  end
end

function resize_and_select_drop_the_points()
  for change = {@(e) e.resize(4), @(e) e.resize(5), @(e) e.select(5:-1:1), @(e) e.select(':')}
    e = some_bodies(5);
    e.setPoints([1 2], ones(2, 3));
    change{1}(e);
    fails_with('quatint:Order', @() e.pointPositions(), 'no points');
  end
end

function G = some_gradients(n, seed)
  G = reshape(some(9, n, seed), 3, 3, n);
end

function e = ellipsoids(n)
% in a flow that is at rest
  e = some_bodies(n);
  e.torque = quatint.shearFlow([0.3 0.2 0.7], 0.1, zeros(3));
end

function a_gradient_at_each_body_acts_as_on_a_body_alone()
  n = 70;
  for method = {'pcdm', 'splitting', 'cf4'}
    e = ellipsoids(n);
    b = quatint.Body(e.inertia, e.orientation(53, :));
    b.angularVelocityBody = e.angularVelocityBody(53, :);
    [e.method, b.method] = deal(method{1});
    for step = 1:10
      G = some_gradients(n, 100 * step);
      e.setFlowGradients(G);
      same_bits(e.flowGradients, G);
      b.torque = quatint.shearFlow([0.3 0.2 0.7], 0.1, G(:, :, 53));
      e.advance(0.01, 3);
      b.advance(0.01, 3);
    end
    same_bits(e.orientation(53, :), b.orientation);
  end
end

function gradients_are_copied()
  n = 5000;
  [e, twin] = deal(ellipsoids(n), ellipsoids(n));
  G = some_gradients(n, 1);
  e.setFlowGradients(G);
  twin.setFlowGradients(some_gradients(n, 1));
  G(:) = NaN;
  clear G
  e.advance(0.01, 3);
  twin.advance(0.01, 3);
  same_bits(e.orientation, twin.orientation);
end

function one_gradient_serves_all_bodies()
  G = some_gradients(1, 3);
  [one, all, shared] = deal(ellipsoids(5), ellipsoids(5), some_bodies(5));
  one.setFlowGradients(G);
  all.setFlowGradients(repmat(G, 1, 1, 5));
  shared.torque = quatint.shearFlow([0.3 0.2 0.7], 0.1, G);
  for e = {one, all, shared}
    e{1}.advance(0.01, 5);
    check(abs(e{1}.orientation - one.orientation) < 1e-14);
  end
  same_bits(one.orientation, all.orientation);
  single = ellipsoids(1);
  single.setFlowGradients(G);
  single.step(0.01);
end

function without_gradients_the_bodies_share_one_again()
  [e, twin] = deal(ellipsoids(5), ellipsoids(5));
  e.setFlowGradients(some_gradients(5, 1));
  e.setFlowGradients([]);
  check(isempty(e.flowGradients));
  e.advance(0.01, 5);
  twin.advance(0.01, 5);
  same_bits(e.orientation, twin.orientation);
end

function gradients_that_cannot_be_are_refused()
  n = 5;
  [e, twin] = deal(ellipsoids(n), ellipsoids(n));
  G = some_gradients(n, 1);
  e.setFlowGradients(G);
  twin.setFlowGradients(G);
  bad = G;
  bad(2, 3, 4) = NaN;
  cases = {
    @() e.setFlowGradients(bad), 'quatint:NonFinite', 'body 4: '
    @() e.setFlowGradients(G(:, :, 1:3)), 'quatint:Size', '`velocityGradients` must be 3-by-3 or 3-by-3-by-5, not 3-by-3-by-3'
    @() e.setFlowGradients(ones(9, n)), 'quatint:Size', '`velocityGradients`'
    @() e.setFlowGradients(single(G)), 'quatint:Type', '`velocityGradients`'
  };
  for k = 1:size(cases, 1)
    fails_with(cases{k, 2}, cases{k, 1}, cases{k, 3});
    same_bits(e.flowGradients, G);
  end
  e.advance(0.01, 5);
  twin.advance(0.01, 5);
  same_bits(e.orientation, twin.orientation);
end

function resize_and_select_forget_the_gradients()
  for change = {@(e) e.resize(6), @(e) e.resize(5), @(e) e.select(5:-1:1), @(e) e.select(':')}
    e = ellipsoids(5);
    e.setFlowGradients(some_gradients(5, 1));
    change{1}(e);
    check(isempty(e.flowGradients));
    fails_with('quatint:Order', @() e.step(0.01), 'bind them again');
    e.setFlowGradients(some_gradients(e.count, 2));
    e.step(0.01);
    change{1}(e);
    e.setFlowGradients([]);
    e.step(0.01);
  end
end

function a_saved_ensemble_keeps_its_gradients()
  e = ellipsoids(5);
  e.setFlowGradients(some_gradients(5, 1));
  e.advance(0.01, 5);
  restored = quatint.Ensemble.loadobj(e.saveobj());
  same_bits(restored.flowGradients, e.flowGradients);
  e.advance(0.01, 5);
  restored.advance(0.01, 5);
  same_bits(restored.orientation, e.orientation);
end

% Without it the process would grow by 72 MB a round.
function memory_of_gradients_is_freed()
  n = 1000000;
  G = zeros(3, 3, n);
  for round = 1:8
    e = quatint.Ensemble(n);
    e.setFlowGradients(G);
    e.setFlowGradients(G);
    if mod(round, 2) == 0, e.resize(n - 1); end
    delete(e);
    if round == 2, before = resident(); end
  end
  check(resident() - before < 2e8, 'it grew from %g to %g bytes', before, resident());
end

function bytes = resident()
% of memory, of this process; 0 where the system does not tell
  bytes = 0;
  file = fopen('/proc/self/statm');
  if file > 0
    pages = fscanf(file, '%d');
    fclose(file);
    bytes = 4096 * pages(2);
  end
end

function what_is_deleted_is_an_error()
  e = some_bodies(3);
  delete(e);
  for action = {@() e.setPoints(1, [1 2 3]), @() e.pointCount(), @() e.pointPositions(), @() e.pointVelocities(), ...
                @() e.sumPointForces([1 2 3]), @() e.setFlowGradients(zeros(3))}
    fails_with('quatint:Deleted', action{1}, 'this object has been deleted');
  end
end
