function fibres(count)
% FIBRES  Fibres in shear flow tumble in Jeffery orbits: c_examples/fibres.c, with the same output.
%
%   fibres(COUNT)      default: 1000000
%
%   Spheroids of aspect ratio r = 2 rotate in the flow u = (y, 0, 0). Their inertia is small compared with the viscous
%   torque. Each starts at a different phase. Jeffery's period of an orbit is 2 pi (r + 1/r) = 15.70796 (G. B.
%   Jeffery, Proc. R. Soc. Lond. A 102, 161 (1922)). The program measures half an orbit of the first fibre and doubles
%   it. It is an error if the result differs from 15.70796 by 5e-3 or more. The last lines are the 64 bits of some
%   final orientations: the C program prints the same bits.

  if nargin < 1
    count = 1000000;
  end
  dt = 0.001;
  mass = 4.0 / 3 * pi * 2 * 0.01;                  % volume times density
  period = 2 * pi * (2 + 0.5);

  e = quatint.Ensemble(count);
  e.inertia = diag([mass / 5 * 2, mass / 5 * 5, mass / 5 * 5]);                    % m (b^2 + c^2)/5, ...
  e.orientation = quatint.fromAxisAngle([0, 0, 1], pi * (0:count - 1)' / count);   % rotated about the vorticity
  e.torque = quatint.shearFlow([2, 1, 1], 1.0, [0 1 0; 0 0 0; 0 0 0]);

  % follow the angle of the first fibre in the plane of the flow, and note the time of each half turn
  steps_a_call = 20;
  turned = 0;
  crossed = [];
  while numel(crossed) < 2 && e.time < 40
    e.advance(dt, steps_a_call);
    q = e.orientation;
    change = 2 * atan2(q(1, 4), q(1, 1)) - rem(turned, 2 * pi);
    change = change - 2 * pi * floor(change / (2 * pi) + 0.5);
    before = turned;
    turned = turned + change;
    level = -pi * (numel(crossed) + 0.5);   % clockwise, with the vorticity; fastest across the flow
    if turned <= level
      crossed(end + 1) = e.time - dt * steps_a_call * (turned - level) / (turned - before);
    end
  end
  orbit = 2 * (crossed(2) - crossed(1));
  fprintf('period of an orbit: %.4f, Jeffery''s: %.4f\n', orbit, period);
  for fibre = [0, floor(count / 2), count - 1]     % counted from 0, as in C
    bits = cellstr(num2hex(q(fibre + 1, :)));
    fprintf('fibre %-7d%s\n', fibre, sprintf(' %s', bits{:}));
  end
  if ~(abs(orbit - period) < 5e-3)
    error('the period is not Jeffery''s');
  end
end
