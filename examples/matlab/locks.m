% locks.m: a square plate that cannot spin about its normal; its panels fold at once, and unfold in ten seconds.
% `body.inertia = inertia` keeps the angular velocity. `body.setInertiaFunction([])` makes the
% inertia constant again. See docs/inertia.md.
plate = quatint.Body(diag([2, 2, 4]), [], [0.3, 0.4, 0.5]);
plate.lockAxes('z');
plate.kick(2, [0.1, 0, 1], 'frame', 'body');
fprintf('locked: %.3f %.3f %.3f rad/s\n', plate.angularVelocityBody);
plate.setInertia(diag([1, 2, 3]), 'angularMomentum');
fprintf('folded: %.3f %.3f %.3f rad/s, momentum %.3f %.3f %.3f\n', plate.angularVelocityBody, plate.angularMomentum);
plate.setInertiaFunction(@(t) diag([1 + 0.1 * t, 2, 3 + 0.1 * t]));
plate.solve(10, 1e-10);
fprintf('unfolded: %.3f %.3f %.3f rad/s\n', plate.angularVelocityBody);

% It prints:
% locked: 0.400 0.400 0.000 rad/s
% folded: 0.800 0.400 0.000 rad/s, momentum 0.800 0.800 0.000
% unfolded: 0.280 -0.427 -0.122 rad/s
