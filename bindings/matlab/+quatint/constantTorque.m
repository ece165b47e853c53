function torque = constantTorque(torque, varargin)
% quatint.constantTorque  Ready-made constant torque.
%
%   e.torque = quatint.constantTorque(T)                     constant in the world frame
%   e.torque = quatint.constantTorque(T, 'frame', 'body')    constant in the body frame: it turns with the body, like a thruster
%
%   T is one vector for all bodies, or N-by-3.
%
%   See also quatint.Ensemble

  if nargin < 1, quatint.detail.tooFew('quatint.constantTorque(torque)'); end
  options = quatint.detail.options(varargin, struct('frame', 'world'));
  frame = quatint.detail.text(options.frame);
  if ~any(strcmpi(frame, {'world', 'body'}))
    error('quatint:Invalid', '`frame` must be ''world'' or ''body''');
  end
  torque = struct('command', 'constant_torque', 'arguments', {{torque, frame}});
end
