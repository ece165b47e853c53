% trajectory.m: the tip of a spinning top, from above.
% Of a body, `record` returns M-by-1, M-by-4 and M-by-3; of an ensemble of N bodies the states are
% N-by-4-by-M and N-by-3-by-M.
top = quatint.Body(diag([1, 1, 0.5]), quatint.fromAxisAngle([1, 0, 0], 0.5));
top.angularVelocity = quatint.rotateToWorld(top.orientation, [0, 0, 12]);
top.torque = quatint.uniformField([0, 0, 1], [0, 0, -4]);
[t, q] = top.record(1e-3, 4000, 'every', 1000);
tip = quatint.rotateToWorld(q, [0, 0, 1]);
fprintf('t = %.0f   x = %7.4f   y = %7.4f   leans by %.2f degrees\n', [t, tip(:, 1:2), acosd(tip(:, 3))]');

% It prints:
% t = 0   x =  0.0000   y = -0.4794   leans by 28.65 degrees
% t = 1   x =  0.4168   y = -0.3467   leans by 32.83 degrees
% t = 2   x =  0.6027   y = -0.0441   leans by 37.18 degrees
% t = 3   x =  0.4873   y =  0.2775   leans by 34.11 degrees
% t = 4   x =  0.1100   y =  0.4701   leans by 28.87 degrees
