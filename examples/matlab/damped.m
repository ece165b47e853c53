% damped.m: a compass needle slowed by its oil, by kick and drift.
% For torques that depend on the angular velocity, take the velocities that `kickDrift` predicts.
field = [0, 0.5, 0];                        % north is y
torque_of = @(q, omega) cross(quatint.rotateToWorld(q, [2, 0, 0]), field) - 0.4 * omega;
needle = quatint.Ensemble(1);                % kickDrift is for ensembles; its bodies have unit inertia
dt = 0.01;
torque = torque_of(needle.orientation, needle.angularVelocity);
for step = 1:4000
  omega = needle.kickDrift(dt / 2, dt, torque);
  torque = torque_of(needle.orientation, omega);
  needle.kick(dt / 2, torque);
  if mod(step, 1000) == 0
    q = needle.orientation;
    fprintf('t = %2.0f   off north by %8.3f degrees\n', needle.time, 90 - 2 * atan2d(q(4), q(1)));
  end
end

% It prints:
% t = 10   off north by  -11.257 degrees
% t = 20   off north by    1.600 degrees
% t = 30   off north by   -0.198 degrees
% t = 40   off north by    0.021 degrees
