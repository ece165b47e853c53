classdef Body < quatint.Ensemble
% quatint.Body  A rigid body that rotates under torque: an ensemble of one.
%
%   body = quatint.Body(inertia)
%   body = quatint.Body(inertia, orientation)
%   body = quatint.Body(inertia, orientation, angularVelocity)
%
%   inertia           3-by-3, about the centre of mass (or the point that is held fixed), body axes
%   orientation       (w, x, y, z), body to world; [] or left out: the identity
%   angularVelocity   rad/s, world frame; left out: at rest
%
%   body.torque = @(t, q, omega) cross(...)   % 1-by-3, world frame; q is 1-by-4 and omega 1-by-3
%   body.step(dt)
%   body.advance(dt, steps)
%   [t, q, omega] = body.record(dt, steps, every)   % a row for every `every`-th state: M-by-1, M-by-4, M-by-3
%
%   Everything else is as quatint.Ensemble has it, with vectors for matrices.
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
    % [t, q, omega] = body.record(dt, steps, every)  Take many steps, and give the start and every `every`-th state (1):
    % t is M-by-1, q M-by-4, omega M-by-3, with M = floor(steps / every) + 1.
      [time, q, omega] = record@quatint.Ensemble(obj, varargin{:});
      orientation = permute(q, [3 2 1]);
      angularVelocity = permute(omega, [3 2 1]);
    end
  end
end
