function torque = gravityGradientTorque(orientation, inertia, directionWorld, gradient)
% quatint.gravityGradientTorque  The torque 3 g n x (I n) of a central gravity field, for torque functions.
%
%   torque = quatint.gravityGradientTorque(q, I, n, g) is n-by-3, world frame. I is 3-by-3 (or a page for each row), body frame; n
%   points along the line to the attracting mass, world frame; g = G M / r^3, a number or n-by-1.
%   n and g may change from call to call, as on an orbit. Each argument is one item for all rows, or one for each.
%
%   See also quatint.Body, quatint.gravityGradient

  if nargin < 4, quatint.detail.tooFew('quatint.gravityGradientTorque(orientation, inertia, directionWorld, gradient)'); end
  if isa(orientation, 'quaternion')
    orientation = quatint.detail.fourNumbers(orientation);
  end
  torque = quatint_mex('gravity_gradient_torque', orientation, inertia, directionWorld, gradient);
end
