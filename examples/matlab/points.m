% points.m: clumps of three spheres. A spring along each axis pulls each sphere to the origin.
% See docs/ensembles.md.
n = 100;
dt = 0.01;
spring = [1, 2, 3];
spheres = [0, 0, 0; 1, 0, 0; 0, 0.7, 0.3];
parts = quatint.Mass();
for k = 1:3
  parts.addSphere(1, 0.5, spheres(k, :));
end
[mass, centre, inertia] = parts.massProperties();
bodies = repelem(1:n, 3);                   % three points on each body
arms = repmat(spheres - centre, n, 1);      % from the centre of mass
i = (1:n)';
x = [0.1 * i, cos(i), sin(i)];              % of the centres of mass
v = zeros(n, 3);
clumps = quatint.Ensemble(n);
clumps.inertia = inertia;
clumps.setPoints(bodies, arms);
points = clumps.pointPositions(x);
[force, torque] = clumps.sumPointForces(-spring .* points);
for step = 0:3000
  if mod(step, 1000) == 0
    rotation = clumps.totalKineticEnergy;
    energy = rotation + sum(sum(mass / 2 * v .^ 2)) + sum(sum(spring / 2 .* points .^ 2));
    fprintf('t = %4.1f   energy of rotation %9.4f   energy %10.4f\n', step * dt, rotation, energy);
  end
  v = v + force / mass * dt / 2;
  x = x + v * dt;
  clumps.kickDrift(dt / 2, dt, torque);
  points = clumps.pointPositions(x);
  [force, torque] = clumps.sumPointForces(-spring .* points);
  v = v + force / mass * dt / 2;
  clumps.kick(dt / 2, torque);
end

% It prints:
% t =  0.0   energy of rotation    0.0000   energy  5525.6526
% t = 10.0   energy of rotation    2.5437   energy  5525.5906
% t = 20.0   energy of rotation    4.3300   energy  5525.5466
% t = 30.0   energy of rotation    2.0913   energy  5525.5045
