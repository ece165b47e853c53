function tumbling_moon(file)
% TUMBLING_MOON  Plot how Saturn's moon Hyperion loses its upright spin and tumbles, and save the picture.
%
%   tumbling_moon(FILE)     default: tumbling_moon.png; the extension gives the format (.png, .svg, .pdf)
%
%   On an eccentric orbit, the gravity gradient turns an elongated moon unpredictably: J. Wisdom, S. Peale, F. Mignard, Icarus 58,
%   137 (1984). The moon starts at one turn an orbit, leaning by a tenth of a radian, and turns over. A second one starts a millionth
%   of a radian beside it. They part exponentially. This is the motion, not the method: the same moon with a tolerance a hundred
%   times smaller stays much nearer. It is an error if it does not.

  if nargin < 1
    file = 'tumbling_moon.png';
  end
  orbits = 16;
  times = linspace(0, 2 * pi * orbits, 50 * orbits + 1);         % the mean motion is 1
  q = motion(0.1, times, 1e-10);
  beside = motion(0.1 + 1e-6, times, 1e-10);
  exact = motion(0.1, times, 1e-12);
  leans = acosd(quatint.rotateToWorld(q, [0, 0, 1]) * [0; 0; 1]);
  parted = quatint.angleBetween(q, beside);
  off = quatint.angleBetween(q, exact);

  body = moon(0.1);
  level = @(t, q, omega) quatint.rotateToWorld(q, [0, 0, 1]) * [0; 0; 1];   % changes its sign where the axis lies in the orbit
  [te, happened] = body.solveUntil(times(end), level, 1e-10);
  fprintf('its axis first lies in the plane of the orbit after %.2f orbits\n', te / (2 * pi));
  cost = body.solveStatistics;
  fprintf('until then: %d steps, %d torque evaluations\n', cost.accepted, cost.evaluations);
  fprintf('after %d orbits: the two moons are %.1e rad apart, the tolerances %.0e rad\n', orbits, parted(end), off(end));
  if ~happened || max(off) > 0.1 * max(parted)
    error('the error is not small beside the distance of the two moons');
  end

  picture = figure('visible', 'off', 'paperunits', 'inches', 'papersize', [10, 4.5], 'paperposition', [0, 0, 10, 4.5]);
  subplot('position', [0.07, 0.12, 0.4, 0.8]);
  plot(times / (2 * pi), leans, 'linewidth', 1.5);
  hold on;
  plot(te / (2 * pi), 90, 'o', 'linewidth', 2);
  hold off;
  axis([0, orbits, 0, 180]);
  xlabel('orbits');
  ylabel('degrees');
  title('angle between the short axis and the normal of the orbit');

  subplot('position', [0.57, 0.12, 0.4, 0.8]);
  semilogy(times / (2 * pi), max(parted, 1e-16), 'linewidth', 1.5, times / (2 * pi), max(off, 1e-16), 'linewidth', 1.5);
  axis([0, orbits, 1e-12, 10]);
  xlabel('orbits');
  ylabel('rad');
  legend({'two moons, at first 1e-6 rad apart', 'tolerances 1e-10 and 1e-12'}, 'location', 'northwest');
  title('they part exponentially');
  save_picture(picture, file);
end

function q = motion(lean, times, tolerance)
  body = moon(lean);
  [~, q] = body.solve(times, tolerance);
end

function body = moon(lean)
% The moments of inertia are those of an ellipsoid of radii 190, 145 and 114 km; only their ratios matter.
  inertia = diag([145^2 + 114^2, 190^2 + 114^2, 190^2 + 145^2]) / (190^2 + 145^2);
  q = quatint.fromAxisAngle([1, 0.3, 0], lean);
  body = quatint.Body(inertia, q, quatint.rotateToWorld(q, [0, 0, 1]));
  body.torque = @(t, q, omega) saturn(t, q, inertia);
end

function torque = saturn(t, q, inertia)
% Kepler's orbit, of semi-major axis 1 and eccentricity 0.1, and the gravity gradient there.
  e = 0.1;
  anomaly = t;
  for k = 1:6
    anomaly = anomaly - (anomaly - e * sin(anomaly) - t) / (1 - e * cos(anomaly));
  end
  r = 1 - e * cos(anomaly);
  toward = [cos(anomaly) - e, sqrt(1 - e^2) * sin(anomaly), 0];
  torque = quatint.gravityGradientTorque(q, inertia, toward, 1 / r^3);
end

function save_picture(picture, file)
  [~, ~, ending] = fileparts(file);
  print(picture, file, ['-d' ending(2:end)], '-r100');
  close(picture);
  fprintf('the picture: %s\n', file);
end
