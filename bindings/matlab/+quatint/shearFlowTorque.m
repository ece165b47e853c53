function torque = shearFlowTorque(orientation, angularVelocity, resistances, velocityGradient)
% quatint.shearFlowTorque  Jeffery's torque of a viscous fluid in linear flow on an ellipsoid, for torque functions.
%
%   torque = quatint.shearFlowTorque(q, omega, resistances, G) is n-by-3, world frame. resistances are those of
%   quatint.shearFlowResistances. G is the 3-by-3 velocity gradient, or a page for each row: G(i,j) is the derivative of velocity
%   component i along world axis j. It may change from call to call. Each argument is one item for all rows, or one for each.
%
%   See also quatint.Body, quatint.shearFlow, quatint.shearFlowResistances

  if nargin < 4, quatint.detail.tooFew('quatint.shearFlowTorque(orientation, angularVelocity, resistances, velocityGradient)'); end
  if isa(orientation, 'quaternion')
    orientation = quatint.detail.fourNumbers(orientation);
  end
  torque = quatint_mex('shear_flow_torque', orientation, angularVelocity, resistances, velocityGradient);
end
