function torque = linearDrag(coefficients)
% quatint.linearDrag  Ready-made linear drag: the torque -c_i omega_i about each body axis i.
%
%   e.torque = quatint.linearDrag(c)
%
%   c has the coefficients about the body axes x, y, z. It is one vector for all bodies, or N-by-3.
%
%   See also quatint.Ensemble

  if nargin < 1, quatint.detail.tooFew('quatint.linearDrag(coefficients)'); end
  torque = struct('command', 'linear_drag', 'arguments', {{coefficients}});
end
