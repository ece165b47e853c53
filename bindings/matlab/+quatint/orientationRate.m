function rate = orientationRate(orientation, angularVelocity)
% quatint.orientationRate  The derivative of an orientation with respect to time, for a solver of your own such as ode45.
%
%   dqdt = quatint.orientationRate(q, angularVelocity) is n-by-4; the angular velocity is in the world frame, rad/s. q may have
%   any length. Each argument is one vector for all rows, or a matrix with n rows.
%
%   See also quatint.turnOrientation, quatint.rotateToWorld

  if nargin < 2, quatint.detail.tooFew('quatint.orientationRate(orientation, angularVelocity)'); end
  if isa(orientation, 'quaternion')
    orientation = quatint.detail.fourNumbers(orientation);
  end
  rate = quatint_mex('orientation_rate', orientation, angularVelocity);
end
