% solution.m: a top that nods: its orientation at chosen times, and the times at which it turns back.
% `solve([0 10], tolerance)` returns two rows, unlike `ode45`, which adds its steps. For a plot,
% ask for `linspace`. See docs/solutions.md.
inclined = quatint.fromAxisAngle([1, 0, 0], 1);
top = quatint.Body(diag([1, 1, 0.5]), inclined, quatint.rotateToWorld(inclined, [0, 0, 8]));
top.torque = @(t, q, omega) quatint.uniformFieldTorque(q, [0, 0, 1], [0, 0, -1]);   % the weight
[t, q, omega] = top.solve(linspace(0, 2, 5), 1e-10);
tip = quatint.rotateToWorld(q, [0, 0, 1]);
fprintf('t = %.1f   leans by %.8f rad\n', [t, acos(tip(:, 3))]');
cost = top.solveStatistics;
fprintf('%d steps, %d rejected, %d torque evaluations\n', cost.accepted, cost.rejected, cost.evaluations);

falling = @(t, q, omega) omega * cross([0, 0, 1], quatint.rotateToWorld(q, [0, 0, 1]))';
for k = 1:2
  [te, happened] = top.solveUntil(20, falling, 1e-10, 'direction', 'falling');
  fprintf('t = %.6f   it is lowest: %d\n', te, happened);
end
[te, happened] = top.solveUntil(20, @(t, q, omega) omega(3) - 100, 1e-10);
fprintf('t = %.1f   it never spins that fast: %d\n', te, happened);

% It prints:
% t = 0.0   leans by 1.00000000 rad
% t = 0.5   leans by 1.07619863 rad
% t = 1.0   leans by 1.10531300 rad
% t = 1.5   leans by 1.01182864 rad
% t = 2.0   leans by 1.03965333 rad
% 40 steps, 0 rejected, 496 torque evaluations
% t = 2.506279   it is lowest: 1
% t = 4.177132   it is lowest: 1
% t = 20.0   it never spins that fast: 0
