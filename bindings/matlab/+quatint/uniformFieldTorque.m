function torque = uniformFieldTorque(orientation, vectorBody, fieldWorld)
% quatint.uniformFieldTorque  The torque (R v) x F of a uniform field, for torque functions.
%
%   torque = quatint.uniformFieldTorque(q, v, F) is n-by-3, world frame. v, in the body frame, is the centre of mass of a top or a
%   dipole; F, in the world frame, is the weight or the field. F may change from call to call.
%   Each argument is one vector for all rows, or a matrix with n rows.
%
%   See also quatint.Body, quatint.uniformField

  if nargin < 3, quatint.detail.tooFew('quatint.uniformFieldTorque(orientation, vectorBody, fieldWorld)'); end
  if isa(orientation, 'quaternion')
    orientation = quatint.detail.fourNumbers(orientation);
  end
  torque = quatint_mex('uniform_field_torque', orientation, vectorBody, fieldWorld);
end
