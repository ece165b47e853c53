function resistances = shearFlowResistances(semiAxes, viscosity)
% quatint.shearFlowResistances  What quatint.shearFlowTorque needs to know of an ellipsoid and its fluid.
%
%   resistances = quatint.shearFlowResistances(axes, viscosity) is n-by-6. axes has the three semi-axes along the body axes, one
%   vector or n-by-3. Compute it once: it takes longer than the torque.
%
%   See also quatint.shearFlowTorque

  quatint.detail.need(nargin, 2, 'quatint.shearFlowResistances(semiAxes, viscosity)');
  resistances = quatint_mex('shear_flow_resistances', semiAxes, viscosity);
end
