function tumbling_asteroid(file)
% TUMBLING_ASTEROID  Plot how asteroid 4179 Toutatis tumbles, and save the picture.
%
%   tumbling_asteroid(FILE)     default: tumbling_asteroid.png; the extension gives the format (.png, .svg, .pdf)
%
%   The moments of inertia (their ratios, which are all that matters without a torque) and the spin are from radar images:
%   S. Ostro et al., Science 270, 80 (1995). Toutatis does not spin about a fixed axis: it rotates about its long axis, while that
%   axis moves around the angular momentum.

  if nargin < 1
    file = 'tumbling_asteroid.png';
  end
  spin_body = [98.5, 14.5, 33.7] * pi / 180;       % rad/day, along the long and the two short axes
  asteroid = quatint.Body(diag([1, 3.0836, 3.235]), [], spin_body);   % body and world axes coincide at the start

  % rotate the world frame so that the angular momentum, which is constant, points up
  up = asteroid.angularMomentum / norm(asteroid.angularMomentum);
  turn = cross(up, [0, 0, 1]);
  tilt = quatint.fromRotationVector(turn / norm(turn) * acos(up(3)));
  asteroid.orientation = tilt;
  asteroid.angularVelocity = quatint.rotateToWorld(tilt, spin_body);

  [t, q, omega] = asteroid.record(0.005, 6000, 'every', 10);              % 30 days
  middle_axis = quatint.rotateToWorld(q, [0, 1, 0]);
  long_axis = quatint.rotateToWorld(q, [1, 0, 0]);
  spin = quatint.rotateToBody(q, omega) * 180 / pi;
  around = unwrap(atan2(long_axis(:, 2), long_axis(:, 1)));
  rounds = (around(end) - around(1)) / (2 * pi);
  fprintf('the long axis goes round in %.2f days, %.1f to %.1f degrees from the angular momentum\n', ...
          t(end) / abs(rounds), min(acosd(long_axis(:, 3))), max(acosd(long_axis(:, 3))));

  picture = figure('visible', 'off', 'paperunits', 'inches', 'papersize', [10, 4.5], 'paperposition', [0, 0, 10, 4.5]);
  subplot('position', [0.02, 0.04, 0.42, 0.86]);
  hold on;
  plot(cosd(0:360), sind(0:360), 'color', [0.6, 0.6, 0.6]);
  draw_path([0, 0, 0; 0, 0, 1.2], [0, 0, 0], 2);                 % the angular momentum
  draw_path(middle_axis, [0.2, 0.4, 0.7], 1);
  draw_path(long_axis, [0.75, 0.15, 0.1], 3);
  hold off;
  axis([-1.25, 1.25, -1.25, 1.25]);
  axis square;
  axis off;
  title('tips of the long axis (red) and the middle (blue), 30 days');

  subplot('position', [0.55, 0.12, 0.42, 0.78]);
  plot(t, spin, 'linewidth', 1.5);
  axis([0, 30, -60, 140]);
  xlabel('day');
  ylabel('angular velocity, degrees per day');
  legend({'long axis', 'middle', 'short'}, 'location', 'north', 'orientation', 'horizontal');
  title('about the axes of the body');
  save_picture(picture, file);
end

function draw_path(points, colour, width)
% Draw a path on the unit sphere, seen from 25 degrees above the horizon; pale on the far side.
  seen = quatint.rotateToWorld(quatint.fromAxisAngle([1, 0, 0], 25 * pi / 180), points);
  front = seen;
  front(seen(:, 2) > 0, :) = NaN;
  plot(seen(:, 1), seen(:, 3), 'color', 0.75 + 0.25 * colour, 'linewidth', 1);
  plot(front(:, 1), front(:, 3), 'color', colour, 'linewidth', width);
end

function save_picture(picture, file)
  [~, ~, ending] = fileparts(file);
  print(picture, file, ['-d' ending(2:end)], '-r100');
  close(picture);
  fprintf('the picture: %s\n', file);
end
