function torque = shearFlow(semiAxes, viscosity, velocityGradient)
% quatint.shearFlow  Ready-made Jeffery torque: that of a viscous fluid in linear flow on an ellipsoid.
%
%   e.torque = quatint.shearFlow(axes, viscosity, G)
%
%   axes has the three semi-axes along the body axes. It is one vector for all bodies, or N-by-3. G is the 3-by-3 velocity
%   gradient: G(i,j) is the derivative of velocity component i along world axis j.
%
%   See also quatint.Ensemble

  if nargin < 3, quatint.detail.tooFew('quatint.shearFlow(semiAxes, viscosity, velocityGradient)'); end
  torque = struct('command', 'shear_flow', 'arguments', {{semiAxes, viscosity, velocityGradient}});
end
