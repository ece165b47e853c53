function resistances = shearFlowResistances(semiAxes, viscosity)
% quatint.shearFlowResistances  What quatint.shearFlowTorque needs to know of an ellipsoid and its fluid.
%
%   resistances = quatint.shearFlowResistances(axes, viscosity) is n-by-6. axes has the three semi-axes along the body axes, one
%   vector or n-by-3. Compute it once: it takes longer than the torque.
%
%   See also quatint.shearFlowTorque

  if nargin < 2, quatint.detail.tooFew('quatint.shearFlowResistances(semiAxes, viscosity)'); end
  resistances = quatint_mex('shear_flow_resistances', semiAxes, viscosity);
end
