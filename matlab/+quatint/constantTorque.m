function torque = constantTorque(torque, frame)
% quatint.constantTorque  A constant torque, ready-made.
%
%   e.torque = quatint.constantTorque(T)            in the world: it keeps its direction in space
%   e.torque = quatint.constantTorque(T, 'body')    in the body frame: it turns with the body, as a thruster does
%
%   T is a vector, one for all bodies, or N-by-3.
%
%   See also quatint.Ensemble

  if nargin < 2
    frame = 'world';
  end
  frame = find(strcmp(frame, {'world', 'body'})) - 1;
  if isempty(frame)
    error('quatint:Invalid', '`frame` must be ''world'' or ''body''');
  end
  torque = struct('command', 'constant_torque', 'arguments', {{torque, frame}});
end
