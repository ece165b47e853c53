% restart.m: a run that is stopped and restarted from a file has the bits of one that goes through.
% `saveobj` returns an object as a struct, and `quatint.Body.loadobj` or
% `quatint.Ensemble.loadobj` makes an object from it. MATLAB's `save` and `load` call both. In
% Octave save the struct; a torque function needs a format of Octave's own, such as `-text`, the
% default. Motors of a body are not in its rows; `saveobj` includes them. See docs/restart.md.
n = 1000;
grains = quatint.Ensemble(n);
grains.orientation = quatint.fromAxisAngle([0, 0, 1], 0.01 * (1:n)');
grains.setPrincipalInertias([0.1 + 0.0001 * (1:n)', repmat([0.2, 0.3], n, 1)]);
grains.method = 'splitting';
grains.torque = @(t, q, omega) 0.01 * [sin(7 * t) + q(:, 2), cos(3 * t) * q(:, 1), q(:, 4)] - 0.05 * omega;
grains.advance(0.01, 10);

state = grains.saveobj();
file = [tempname(), '.mat'];
save(file, 'state');
loaded = load(file);
delete(file);
restarted = quatint.Ensemble.loadobj(loaded.state);

grains.advance(0.01, 100);
restarted.advance(0.01, 100);
fprintf('the same orientations: %d\n', isequal(restarted.orientation, grains.orientation));
fprintf('the same angular velocities: %d\n', isequal(restarted.angularVelocityBody, grains.angularVelocityBody));
fprintf('the same clock: %d, %.17g and %.1g\n', isequal(restarted.clock, grains.clock), grains.clock);

% It prints:
% the same orientations: 1
% the same angular velocities: 1
% the same clock: 1, 1.1000000000000001 and -7e-17
