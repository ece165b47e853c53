% monitor.m: a solution that a monitor ends: here at a time, elsewhere after some seconds.
% A monitor is called after each step, and ends the solution by an error, not by what it returns.
% Rows are then lost: keep those that you need in the monitor.
top = quatint.Body(diag([1, 1.5, 0.7]), [0.6, 0.8, 0, 0], [0.3, 0.1, 5]);
top.torque = quatint.uniformField([0, 0, 1], [0, 0, -1]);
try
  top.solve(10, 1e-9, 'monitor', @(t, q, omega) assert(t < 4, 'mine:stopped', 'stopped'));
catch e
  fprintf('after %d steps t = %.6f; %s\n', top.solveStatistics.accepted, top.time, e.message);
end
top.solve(10, 1e-9);
fprintf('gone on to t = %g\n', top.time);

% It prints:
% after 50 steps t = 4.014903; stopped
% gone on to t = 10
