function torque = constantTorque(torque, frame)
% quatint.constantTorque  Ready-made constant torque.
%
%   e.torque = quatint.constantTorque(T)            constant in the world frame
%   e.torque = quatint.constantTorque(T, 'body')    constant in the body frame: it turns with the body, like a thruster
%
%   T is one vector for all bodies, or N-by-3.
%
%   See also quatint.Ensemble

  quatint.detail.need(nargin, 1, 'quatint.constantTorque(torque)');
  if nargin < 2
    frame = 'world';
  end
  if ~any(strcmp(frame, {'world', 'body'}))
    error('quatint:Invalid', '`frame` must be ''world'' or ''body''');
  end
  torque = struct('command', 'constant_torque', 'arguments', {{torque, char(frame)}});
end
