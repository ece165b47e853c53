function torque = uniformField(vectorBody, fieldWorld)
% quatint.uniformField  Ready-made torque of a uniform field, (R v) x F.
%
%   e.torque = quatint.uniformField(v, F)
%
%   Examples: the weight F of a top whose centre of mass is at v from its fixed point; a dipole v in a field F. v, in the
%   body frame, is one vector for all bodies, or N-by-3. F is one vector in the world frame.
%
%   See also quatint.Ensemble

  if nargin < 2, quatint.detail.tooFew('quatint.uniformField(vectorBody, fieldWorld)'); end
  torque = struct('command', 'uniform_field', 'arguments', {{vectorBody, fieldWorld}});
end
