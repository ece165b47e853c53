classdef Ensemble < handle
% quatint.Ensemble  Rigid bodies that rotate under torque, stepped together.
%
%   e = quatint.Ensemble(N) makes N bodies: unit inertia, identity orientation, at rest, no torque, the clock at 0.
%
%   e.inertia = I                 3-by-3, one for all, or 3-by-3-by-N; about the centre of mass, body axes
%   e.orientation = q             N-by-4, each row (w, x, y, z), body to world; a vector serves all bodies
%   e.angularVelocity = omega     N-by-3, rad/s, world frame; a vector serves all bodies
%   e.torque = @(t, q, omega) ... N-by-3, world frame, of the time, N-by-4 orientations, N-by-3 angular velocities
%   e.torque = quatint.uniformField(v, F)    or another ready-made one: constantTorque, gravityGradient, linearDrag,
%                                 shearFlow; [] for none
%   e.step(dt)                    takes one step
%   e.advance(dt, steps)          takes many
%   [t, q, omega] = e.record(dt, steps, every)    takes many and gives what was passed through
%
%   A torque function is called twice a step for all bodies at once: at the start of the step and at its predicted
%   middle. It must use the q and omega that it gets. An error in it surfaces unchanged, and the bodies are as before the
%   step.
%
%   Properties that are only read: count, angularVelocityBody, angularMomentum (world), kineticEnergy (N-by-1),
%   totalAngularMomentum, totalKineticEnergy. And time, the clock; threads, that step the ensemble (1); active, the indices
%   of the bodies that move, ascending ([]: all; the others keep their states, and a torque function sees the active only).
%
%   The states are the ensemble's own: what a property gives is a copy, and so is what is assigned.
%
%   e is a handle: a second variable is the same ensemble. delete(e), or letting go of the last variable, gives its memory
%   back; what is done with it afterwards is an error, quatint:Deleted.
%
%   See also quatint.Body, quatint.uniformField, quatint.rotateToWorld

  properties (SetAccess = private)
    count = 0                   % number of bodies
  end
  properties
    inertia = eye(3)            % 3-by-3, or 3-by-3-by-N; as it was assigned
    torque = []                 % a function, a ready-made torque, or []
    threads = 1                 % that step the ensemble; with a torque function only the caller's does
    active = []                 % indices of the bodies that move; []: all
  end
  properties (Dependent)
    orientation                 % N-by-4, (w, x, y, z), body to world
    angularVelocity             % N-by-3, rad/s, world frame
    time                        % the clock; each step adds its dt
  end
  properties (Dependent, SetAccess = private)
    angularVelocityBody         % N-by-3, rad/s, body frame
    angularMomentum             % N-by-3, world frame
    kineticEnergy               % N-by-1
    totalAngularMomentum        % 1-by-3, world frame
    totalKineticEnergy          % of all bodies
  end
  properties (SetAccess = private, Hidden, Transient)
    id = 0                      % what quatint_mex knows the ensemble by
    inPlace = false             % whether it may write a stage into variables; see `advance`
  end

  methods
    function obj = Ensemble(count)
      obj.id = quatint_mex('create', count);
      obj.count = count;
      if exist('OCTAVE_VERSION', 'builtin')
        probe = [0, 0];
        probe(1) = 0;
        quatint_mex('write_one', probe);
        obj.inPlace = probe(1) == 1;
      end
    end

    function delete(obj)
    % Give the memory back. What is done with the object afterwards is an error, quatint:Deleted.
      quatint_mex('destroy', obj.id);
    end

    function step(obj, dt)
    % e.step(dt)  Take one step of length dt; negative: backwards in time.
    % When it fails every body is as before, and the error names the first one concerned.
      if isa(obj.torque, 'function_handle')
        obj.advance(dt, 1);
      else
        quatint_mex('advance', obj.id, dt, 1, 0);  % half of the time of a small step is the interpreter's
      end
    end

    function advance(obj, dt, steps)
    % e.advance(dt, steps)  Take many steps of length dt: the same bits as step(dt) that many times, for less.
    % When one fails, or Ctrl-C comes, the steps before it stand; e.time tells how far it came.
      torque = obj.torque;
      id = obj.id;
      if isa(torque, 'function_handle')
        given_up = onCleanup(@() quatint_mex('cancel', id));  % by an error in the torque, or Ctrl-C
        [t, q, omega] = quatint_mex('begin', id, dt, steps);
        if obj.inPlace && ~isempty(q)
          % Octave touches new matrices three times before they are used; these two are used again. An assignment to an
          % element gives a variable numbers that it shares with no other, whatever the torque function has kept.
          while t == t  % until it is empty
            value = torque(t, q, omega);
            q(1) = 0;
            omega(1) = 0;
            t = quatint_mex('supply_in_place', id, value, q, omega);
            value = [];  % or two would be alive at a time, and go through the caches in turn
          end
        else
          while ~isempty(t)
            [t, q, omega] = quatint_mex('supply', id, torque(t, q, omega));
          end
        end
      else
        some = max(1, floor(2e7 / max(1, obj.count)));  % about a second: Ctrl-C is heard between
        before = 0;
        while steps > some && steps <= flintmax()
          quatint_mex('advance', id, dt, some, before);
          steps = steps - some;
          before = before + some;
        end
        quatint_mex('advance', id, dt, steps, before);
      end
    end

    function [time, orientation, angularVelocity] = record(obj, dt, steps, every)
    % [t, q, omega] = e.record(dt, steps, every)  Take many steps, and give the start and every `every`-th state (1).
    % With M = floor(steps / every) + 1: t is M-by-1, q N-by-4-by-M and omega N-by-3-by-M; for a Body, q is M-by-4 and
    % omega M-by-3.
      if nargin < 4
        every = 1;
      end
      whole = @(x) isa(x, 'double') && isscalar(x) && isreal(x) && x >= 0 && x <= flintmax() && x == floor(x);
      if ~(whole(steps) && whole(every) && every > 0)
        error('quatint:Invalid', '`steps` must be a whole number, 0 or greater, and `every` one that is 1 or greater');
      end
      rows = floor(steps / every) + 1;
      time = zeros(rows, 1);
      orientation = zeros(obj.count, 4, rows);
      angularVelocity = zeros(obj.count, 3, rows);
      for row = 1:rows
        if row > 1
          obj.advance(dt, every);
        end
        time(row) = quatint_mex('get_time', obj.id);
        orientation(:, :, row) = quatint_mex('get_orientation', obj.id);
        angularVelocity(:, :, row) = quatint_mex('get_angular_velocity', obj.id);
      end
      obj.advance(dt, steps - (rows - 1) * every);
    end

    function set.inertia(obj, inertia)
      quatint_mex('set_inertia', obj.id, inertia);
      obj.inertia = inertia;
    end

    function set.torque(obj, torque)
      if isstruct(torque) && isscalar(torque) && isfield(torque, 'command') && isfield(torque, 'arguments')
        quatint_mex(torque.command, obj.id, torque.arguments{:});
      elseif isempty(torque) || isa(torque, 'function_handle')
        quatint_mex('no_torque', obj.id);
      else
        error('quatint:Type', ['`torque` must be a function @(t, q, omega), a ready-made torque such as ' ...
              'quatint.uniformField, or [], not a %s'], class(torque));
      end
      obj.torque = torque;
    end

    function set.threads(obj, threads)
      quatint_mex('set_threads', obj.id, threads);
      obj.threads = threads;
    end

    function set.active(obj, active)
      quatint_mex('set_active', obj.id, active);
      obj.active = active;
    end

    function set.orientation(obj, orientation)
      quatint_mex('set_orientation', obj.id, orientation);
    end

    function set.angularVelocity(obj, angularVelocity)
      quatint_mex('set_angular_velocity', obj.id, angularVelocity);
    end

    function set.time(obj, time)
      quatint_mex('set_time', obj.id, time);
    end

    function q = get.orientation(obj)
      q = quatint_mex('get_orientation', obj.id);
    end

    function omega = get.angularVelocity(obj)
      omega = quatint_mex('get_angular_velocity', obj.id);
    end

    function omega = get.angularVelocityBody(obj)
      omega = quatint.rotateToBody(obj.orientation, obj.angularVelocity);
    end

    function t = get.time(obj)
      t = quatint_mex('get_time', obj.id);
    end

    function l = get.angularMomentum(obj)
      l = quatint_mex('get_angular_momentum', obj.id);
    end

    function energy = get.kineticEnergy(obj)
      energy = quatint_mex('get_kinetic_energy', obj.id);
    end

    function l = get.totalAngularMomentum(obj)
      l = quatint_mex('get_total_angular_momentum', obj.id);
    end

    function energy = get.totalKineticEnergy(obj)
      energy = quatint_mex('get_total_kinetic_energy', obj.id);
    end
  end
end
