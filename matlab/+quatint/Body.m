classdef Body < quatint.Ensemble
% quatint.Body  One rigid body that rotates under torque.
%
%   body = quatint.Body(inertia)
%   body = quatint.Body(inertia, orientation)
%   body = quatint.Body(inertia, orientation, angularVelocity)
%
%   inertia           3-by-3, about the centre of mass (or the fixed point), body axes
%   orientation       (w, x, y, z), body to world; default, also for []: the identity
%   angularVelocity   rad/s, world frame; default: at rest
%
%   body.torque = @(t, q, omega) cross(...)   % 1-by-3, world frame; q is 1-by-4 and omega 1-by-3
%   body.method = 'splitting'                 % the default is 'pcdm'
%   body.step(dt)
%   body.advance(dt, steps)
%   [t, q, omega] = body.record(dt, steps, every)   % a row every `every` steps: M-by-1, M-by-4, M-by-3
%   body.kick(duration, torque)               % adds duration * torque to the angular momentum
%   body.drift(duration)                      % lets the body rotate freely
%   body.setDrag(c)                           % linear drag besides the torque
%
%   A Body is an Ensemble of one body. Everything else is as in quatint.Ensemble, with vectors instead of matrices.
%
%   See also quatint.Ensemble

  methods
    function obj = Body(inertia, orientation, angularVelocity)
      obj@quatint.Ensemble(1);
      obj.inertia = inertia;
      if nargin > 1 && ~isempty(orientation)
        obj.orientation = orientation;
      end
      if nargin > 2
        obj.angularVelocity = angularVelocity;
      end
    end

    function [time, orientation, angularVelocity] = record(obj, varargin)
    % [t, q, omega] = body.record(dt, steps, every)  Take many steps. Return the initial state and the state after every
    % `every` steps (default: 1). t is M-by-1, q M-by-4, omega M-by-3, with M = floor(steps / every) + 1.
      [time, q, omega] = record@quatint.Ensemble(obj, varargin{:});
      orientation = permute(q, [3 2 1]);
      angularVelocity = permute(omega, [3 2 1]);
    end
  end
end
