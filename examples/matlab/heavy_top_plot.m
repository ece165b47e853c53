function heavy_top_plot(file)
% HEAVY_TOP_PLOT  Plot how the axis of a heavy top precesses and nutates, and save the picture.
%
%   heavy_top_plot(FILE)     default: heavy_top_plot.png; the extension gives the format (.png, .svg, .pdf)
%
%   Three tops of the same shape start with a spin about their axes and no other motion. The faster a top spins, the less it
%   nutates. One ensemble holds all three.

  if nargin < 1
    file = 'heavy_top_plot.png';
  end
  spins = [8, 12, 20];                             % rad/s about their axes, body z
  lean = quatint.fromAxisAngle([1, 0, 0], 0.5);
  tops = quatint.Ensemble(3);
  tops.inertia = diag([1, 1, 0.5]);                % about the fixed point
  tops.orientation = lean;
  tops.angularVelocity = quatint.rotateToWorld(lean, spins' * [0, 0, 1]);
  tops.torque = quatint.uniformField([0, 0, 1], [0, 0, -4]);     % the weight, at the centre of mass

  [t, q] = tops.record(1e-3, 8000, 'every', 10);            % q is 3-by-4-by-801
  leans = zeros(numel(t), 3);
  picture = figure('visible', 'off', 'paperunits', 'inches', 'papersize', [10, 4.5], 'paperposition', [0, 0, 10, 4.5]);
  subplot('position', [0.05, 0.12, 0.42, 0.8]);
  hold on;
  for top = 1:3
    tip = quatint.rotateToWorld(permute(q(top, :, :), [3, 2, 1]), [0, 0, 1]);
    leans(:, top) = acosd(tip(:, 3));
    plot(tip(:, 1), tip(:, 2), 'linewidth', 1.5);
  end
  hold off;
  axis([-1, 1, -1, 1]);
  axis square;
  xlabel('x');
  ylabel('y');
  title('tip of the axis, from above, 8 s');

  subplot('position', [0.55, 0.12, 0.42, 0.8]);
  plot(t, leans, 'linewidth', 1.5);
  axis([0, 8, 25, 65]);
  xlabel('s');
  ylabel('lean, degrees');
  legend({'8 rad/s', '12 rad/s', '20 rad/s'}, 'location', 'north', 'orientation', 'horizontal');
  title('it nods');
  for top = 1:3
    fprintf('spin %2d rad/s: it leans by %.2f to %.2f degrees\n', spins(top), min(leans(:, top)), max(leans(:, top)));
  end

  [~, ~, ending] = fileparts(file);
  print(picture, file, ['-d' ending(2:end)], '-r100');
  close(picture);
  fprintf('the picture: %s\n', file);
end
