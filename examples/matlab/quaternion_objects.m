% quaternion_objects.m: a satellite that tumbles is slowed down, and then turned to a target by wheels.
% Its orientations are quaternion objects. In MATLAB leave out the next line.
pkg load quaternion
start = quaternion(0.9, 0.1, 0.3, 0.3);
satellite = quatint.Body(diag([2, 3, 4]), 'orientation', start / abs(start), 'angularVelocity', [0.3, -0.2, 0.5], ...
                         'method', 'cf4', 'torque', @(t, q, omega) -0.2 * omega);
[t, q, omega] = satellite.record(0.1, 1000, 'every', 250);
fprintf('t = %3.0f   rate %.4f rad/s\n', [t, sqrt(sum(omega .^ 2, 2))]');

target = quaternion(sqrt(0.5), 0, 0, sqrt(0.5));
off = @(q) quatint.angleBetween(q, target);
fprintf('the target is %.3f rad off\n', off(satellite.orientation));
turn = @(q) quatint.toRotationVector(quatint.product(target, quatint.conjugate(q)));   % from here to there, world frame
satellite.torque = @(t, q, omega) 0.1 * turn(q) - 0.8 * omega;
[te, happened] = satellite.solveUntil(500, @(t, q, omega) off(q) - 0.01, 1e-9, 'direction', 'falling');
fprintf('after %.2f more it is there: %d\n', te - t(end), happened);

way = quatint.fromQuaternion(target * conj(quatint.toQuaternion(satellite.orientation)));
fprintf('the same by the class: %.4f rad\n', 2 * acos(abs(way(1))));

% It prints:
% t =   0   rate 0.6164 rad/s
% t =  25   rate 0.1684 rad/s
% t =  50   rate 0.0477 rad/s
% t =  75   rate 0.0136 rad/s
% t = 100   rate 0.0039 rad/s
% the target is 1.925 rad off
% after 41.95 more it is there: 1
% the same by the class: 0.0100 rad
