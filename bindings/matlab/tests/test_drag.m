function test_drag()
  run_tests({@cf4_refuses_a_drag_that_is_too_stiff, @torque_and_drag_act_together, @a_kick_includes_the_drag_of_its_duration, ...
    @drag_and_flow_are_one_for_all_or_a_row_for_each, @drag_is_removed_without_a_trace, ...
    @what_is_refused_changes_nothing, @drag_cannot_be_set_by_the_torque_function});
end

function b = some_body(omega)
  b = quatint.Body([2 0.1 0; 0.1 3 0.2; 0 0.2 4], quatint.fromAxisAngle([1 2 3], 0.7), omega);
end

function x = state(e)
  x = [e.orientation, e.angularVelocity, repmat(e.time, size(e.orientation, 1), 1)];
end

function cf4_refuses_a_drag_that_is_too_stiff()
  b = some_body([1 -2 3]);
  b.method = 'cf4';
  b.setDrag([20 30 40]);
  fails_with('quatint:Invalid', @() b.step(1), 'too stiff');
end

function torque_and_drag_act_together()
  for torque = {quatint.constantTorque([1 2 3]), @(t, q, omega) [1 2 3]}
    b = quatint.Body(2 * eye(3));
    b.setDrag([5 5 5]);
    b.torque = torque{1};
    b.advance(0.01, 3000);
    check(abs(b.angularVelocity - [1 2 3] / 5) < 1e-9, '%s', mat2str(b.angularVelocity));
  end
end

function a_kick_includes_the_drag_of_its_duration()
  b = quatint.Ensemble(1, 'inertia', 2 * eye(3), 'angularVelocity', [1 -2 3]);
  b.setDrag([5 5 5]);
  b.drift(1);
  check(abs(b.angularVelocity - [1 -2 3]) < 1e-14);
  b.kick(1e-3, []);
  check(abs(b.angularVelocity - (1 - 2.5e-3) * [1 -2 3]) < 2e-5);
  for k = 1:3000
    b.kickDrift(0.005, 0.01, [1 2 3]);
    b.kick(0.005, [1 2 3]);
  end
  check(abs(b.angularVelocity - [1 2 3] / 5) < 1e-9);
end

function drag_and_flow_are_one_for_all_or_a_row_for_each()
  c = [1 2 3; 4 5 6; 7 8 10];
  flow = [0 0 1; 1 0 0; 0.5 1 0];
  for coefficients = {c, c(2, :)}
    for flows = {flow, flow(2, :), []}
      [rows, one] = deal(coefficients{1}, flows{1});
      e = quatint.Ensemble(3);
      e.inertia = [2 0.1 0; 0.1 3 0.2; 0 0.2 4];
      e.orientation = quatint.fromAxisAngle([1 2 3], 0.7);
      e.angularVelocity = [1 -2 3];
      e.setDrag(rows, 'flow', one);
      check(isequal(e.drag, rows) && isequal(e.flow, one));
      e.advance(0.01, 10);
      for k = 1:3
        b = some_body([1 -2 3]);
        if isempty(one)
          b.setDrag(rows(min(k, end), :));
        else
          b.setDrag(rows(min(k, end), :), 'flow', one(min(k, end), :)');
        end
        b.advance(0.01, 10);
        same_bits([e.orientation(k, :), e.angularVelocity(k, :)], [b.orientation, b.angularVelocity]);
      end
    end
  end
  check(norm(e.angularVelocity(1, :)) < norm([1 -2 3]) - 0.1);
end

function drag_is_removed_without_a_trace()
  [a, b] = deal(some_body([1 -2 3]), some_body([1 -2 3]));
  check(isempty(a.drag) && isempty(a.flow));
  a.setDrag([1 2 3], 'flow', [1 0 0]);
  a.setDrag([]);
  check(isempty(a.drag) && isempty(a.flow));
  a.advance(0.01, 10);
  b.advance(0.01, 10);
  same_bits(state(a), state(b));
end

function what_is_refused_changes_nothing()
  e = quatint.Ensemble(5);
  e.setDrag([1 2 3], 'flow', [0 0 1]);
  bad = ones(5, 3);
  bad(4, 2) = NaN;
  cases = {
    {[1 2]}, 'quatint:Size', '`coefficients` must be 5-by-3, not 1-by-2'
    {ones(3, 5)}, 'quatint:Size', '`coefficients` must be 5-by-3, not 3-by-5'
    {zeros(0, 3)}, 'quatint:Size', 'not 0-by-3'
    {[1 2 3], 'flow', ones(4, 3)}, 'quatint:Size', '`flow` must be 5-by-3, not 4-by-3'
    {'abc'}, 'quatint:Type', 'not char'
    {{}}, 'quatint:Type', 'not cell'
    {[1 2 3], 'flow', single([1 2 3])}, 'quatint:Type', '`flow`'
    {bad}, 'quatint:NonFinite', 'body 4: '
    {[1 2 3], 'flow', bad}, 'quatint:NonFinite', 'body 4: '
    {[1 Inf 3]}, 'quatint:NonFinite', ''
  };
  for k = 1:size(cases, 1)
    fails_with(cases{k, 2}, @() e.setDrag(cases{k, 1}{:}), cases{k, 3});
    check(isequal(e.drag, [1 2 3]) && isequal(e.flow, [0 0 1]));
  end
  f = quatint.Ensemble(5);
  f.setDrag([1 2 3], 'flow', [0 0 1]);
  e.advance(0.1, 3);
  f.advance(0.1, 3);
  same_bits(state(e), state(f));
  delete(e);
  fails_with('quatint:Deleted', @() e.setDrag([1 2 3]));
end

function drag_cannot_be_set_by_the_torque_function()
  b = some_body([1 -2 3]);
  b.torque = @(t, q, omega) set_it(b);
  fails_with('quatint:Order', @() b.step(0.1));
  check(b.time == 0 && isempty(b.drag));
end

function torque = set_it(b)
  torque = [0 0 0];
  b.setDrag([1 2 3]);
end
