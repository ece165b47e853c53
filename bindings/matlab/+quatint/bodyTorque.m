function torque = bodyTorque(orientation, torqueBody)
% quatint.bodyTorque  The world torque of a torque that is given in the body frame, for torque functions.
%
%   torque = quatint.bodyTorque(q, torque_body) is n-by-3, world frame. torque_body: a thruster, a wheel.
%   Each argument is one vector for all rows, or a matrix with n rows.
%
%   See also quatint.Body, quatint.constantTorque

  if nargin < 2, quatint.detail.tooFew('quatint.bodyTorque(orientation, torqueBody)'); end
  if isa(orientation, 'quaternion')
    orientation = quatint.detail.fourNumbers(orientation);
  end
  torque = quatint_mex('body_torque', orientation, torqueBody);
end
