function torque = uniformField(vectorBody, fieldWorld)
% quatint.uniformField  The torque of a uniform field, (R v) x F, ready-made.
%
%   e.torque = quatint.uniformField(v, F)
%
%   The weight F of a top whose centre of mass is at v from its fixed point; a dipole v in a field F. v, in the body frame,
%   is a vector, one for all bodies, or N-by-3. F is a vector, in the world frame.
%
%   See also quatint.Ensemble

  torque = struct('command', 'uniform_field', 'arguments', {{vectorBody, fieldWorld}});
end
