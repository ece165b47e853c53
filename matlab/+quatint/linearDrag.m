function torque = linearDrag(coefficients)
% quatint.linearDrag  A linear drag, -c_i omega_i about each axis of the body, ready-made.
%
%   e.torque = quatint.linearDrag(c)
%
%   c is a vector of three, about the body axes x, y, z, one for all bodies, or N-by-3.
%
%   See also quatint.Ensemble

  torque = struct('command', 'linear_drag', 'arguments', {{coefficients}});
end
