function torque = linearDragTorque(orientation, angularVelocity, coefficients, varargin)
% quatint.linearDragTorque  The torque -c_i (omega_i - flow_i) about each body axis i, for torque functions.
%
%   torque = quatint.linearDragTorque(q, omega, c)                  n-by-3, world frame, in a fluid at rest
%   torque = quatint.linearDragTorque(q, omega, c, 'flow', flow)    in a fluid that rotates with the angular velocity flow, world frame
%
%   Each argument is one vector for all rows, or a matrix with n rows. Drag in a torque function is explicit; see setDrag of
%   quatint.Ensemble for strong drag.
%
%   See also quatint.Body, quatint.linearDrag

  if nargin < 3, quatint.detail.tooFew('quatint.linearDragTorque(orientation, angularVelocity, coefficients)'); end
  if isa(orientation, 'quaternion')
    orientation = quatint.detail.fourNumbers(orientation);
  end
  flow = [0, 0, 0];
  if ~isempty(varargin)
    options = quatint.detail.options(varargin, struct('flow', flow));
    flow = options.flow;
  end
  torque = quatint_mex('linear_drag_torque', orientation, angularVelocity, coefficients, flow);
end
