function torque = shearFlow(semiAxes, viscosity, velocityGradient)
% quatint.shearFlow  Jeffery's torque of a viscous fluid in linear flow on an ellipsoid, ready-made.
%
%   e.torque = quatint.shearFlow(axes, viscosity, G)
%
%   axes is a vector of three semi-axes along the body axes, one for all bodies, or N-by-3. G(i,j), 3-by-3, says how
%   component i of the velocity changes along axis j of the world.
%
%   See also quatint.Ensemble

  torque = struct('command', 'shear_flow', 'arguments', {{semiAxes, viscosity, velocityGradient}});
end
