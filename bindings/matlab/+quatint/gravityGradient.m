function torque = gravityGradient(directionWorld, gradient)
% quatint.gravityGradient  Ready-made torque of a central gravity field, 3 g n x (I n).
%
%   e.torque = quatint.gravityGradient(n, g)
%
%   n is a vector along the line to the attracting mass, in the world frame. It is constant: for a body in orbit, assign
%   the torque again as the direction changes. g = G M / r^3, in 1/time^2, is a number, or N-by-1.
%
%   See also quatint.Ensemble

  if nargin < 2, quatint.detail.tooFew('quatint.gravityGradient(directionWorld, gradient)'); end
  torque = struct('command', 'gravity_gradient', 'arguments', {{directionWorld, gradient}});
end
