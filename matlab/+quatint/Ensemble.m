classdef Ensemble < handle
% quatint.Ensemble  Rigid bodies that rotate under torque and step together.
%
%   e = quatint.Ensemble(N) makes N bodies with unit inertia and identity orientation, at rest, without torque. The clock
%   is at 0.
%
%   e.inertia = I                 3-by-3 for all bodies, or 3-by-3-by-N; about the centre of mass, body axes
%   e.orientation = q             N-by-4, each row (w, x, y, z), body to world; or one vector for all bodies
%   e.angularVelocity = omega     N-by-3, rad/s, world frame; or one vector for all bodies
%   e.torque = @(t, q, omega) ... a torque function: it gets the time, N-by-4 orientations and N-by-3 angular velocities,
%                                 and returns N-by-3 torques, world frame
%   e.torque = quatint.uniformField(v, F)    a ready-made torque; the others are constantTorque, gravityGradient,
%                                 linearDrag and shearFlow; [] removes the torque
%   e.method = 'splitting'        the method, see below; the default is 'pcdm'
%   e.step(dt)                    takes one step
%   e.advance(dt, steps)          takes many steps
%   [t, q, omega] = e.record(dt, steps, every)    takes many steps and returns the trajectory
%
%   e.kick(duration, torques)     adds duration * torques, N-by-3, to the angular momenta
%   e.drift(duration)             lets the bodies rotate freely, exactly
%   e.kickDrift(kick, drift, torques)    both, faster: the first part of a step of velocity Verlet
%   e.setDrag(c, flow)            linear drag besides the torque
%
%   A torque function is called at each stage of a step, each time for all bodies. The default method has two stages: the
%   start of the step and its predicted middle. The function must use the q and omega that it is called with. If it raises
%   an error, the step raises the same error, and the bodies are as they were before the step.
%
%   Methods: 'pcdm', order 2, two torques a step; 'cf4', order 4, four torques a step; 'splitting', order 2, one torque a
%   step; 'splitting4', order 4, six torques a step; 'splitting6', order 6, eleven torques a step. The splitting methods
%   are reversible, and the error of the energy stays bounded. 'splitting4' and 'splitting6' are for torques that do not
%   depend on the angular velocity.
%
%   Other properties: time, the clock; threads, the number of threads that step the ensemble (default: 1); active, the
%   indices of the bodies that move, in ascending order ([]: all). Bodies that are not active keep their states, and a
%   torque function gets only the active ones.
%
%   Read-only properties: count, angularVelocityBody, angularMomentum (world), kineticEnergy (N-by-1),
%   totalAngularMomentum, totalKineticEnergy.
%
%   The ensemble keeps its own states: reading or assigning a property copies the values.
%
%   e is a handle object: a copy of the variable refers to the same ensemble. delete(e), or clearing the last variable,
%   frees its memory. Any later use raises the error quatint:Deleted.
%
%   See also quatint.Body, quatint.uniformField, quatint.rotateToWorld

  properties (SetAccess = private)
    count = 0                   % number of bodies
  end
  properties
    inertia = eye(3)            % 3-by-3, or 3-by-3-by-N; the value last assigned
    torque = []                 % a function, a ready-made torque, or []
    threads = 1                 % number of threads that step the ensemble; a torque function uses the calling thread only
    active = []                 % indices of the bodies that move; []: all
  end
  properties (Dependent)
    orientation                 % N-by-4, (w, x, y, z), body to world
    angularVelocity             % N-by-3, rad/s, world frame
    time                        % the clock; each step adds its dt
    method                      % 'pcdm', 'cf4', 'splitting', 'splitting4' or 'splitting6'
  end
  properties (SetAccess = private)
    drag = []                   % coefficients of the drag, 1-by-3 or N-by-3; []: none. See setDrag
    flow = []                   % angular velocity of the fluid, world frame, 1-by-3 or N-by-3; []: at rest
  end
  properties (Dependent, SetAccess = private)
    angularVelocityBody         % N-by-3, rad/s, body frame
    angularMomentum             % N-by-3, world frame
    kineticEnergy               % N-by-1
    totalAngularMomentum        % 1-by-3, world frame
    totalKineticEnergy          % of all bodies
  end
  properties (SetAccess = private, Hidden, Transient)
    id = 0                      % identifies the ensemble in quatint_mex
    inPlace = false             % whether quatint_mex can write a stage into existing variables; see `advance`
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
    % Free the memory. Any later use of the object raises the error quatint:Deleted.
      quatint_mex('destroy', obj.id);
    end

    function step(obj, dt)
    % e.step(dt)  Take one step of length dt. A negative dt steps backwards in time.
    % If the step fails, all bodies are unchanged, and the error names the first body that failed.
      if isa(obj.torque, 'function_handle')
        obj.advance(dt, 1);
      else
        quatint_mex('advance', obj.id, dt, 1, 0);  % direct call: half of the time of a small step is the interpreter's
      end
    end

    function advance(obj, dt, steps)
    % e.advance(dt, steps)  Take many steps of length dt. Faster than that many calls of step(dt), with bitwise the same
    % result. If a step fails, or on Ctrl-C, the completed steps are kept; e.time tells how many.
      torque = obj.torque;
      id = obj.id;
      if isa(torque, 'function_handle')
        given_up = onCleanup(@() quatint_mex('cancel', id));  % after an error in the torque, or Ctrl-C
        [t, q, omega] = quatint_mex('begin', id, dt, steps);
        if obj.inPlace && ~isempty(q)
          % Octave accesses the memory of a new matrix three times before it can be used, so q and omega are reused. The
          % assignments to q(1) and omega(1) give both variables unshared memory, even if the torque function kept a copy.
          while t == t  % false once t is empty
            value = torque(t, q, omega);
            q(1) = 0;
            omega(1) = 0;
            t = quatint_mex('supply_in_place', id, value, q, omega);
            value = [];  % otherwise two torque matrices would exist at a time and compete for the cache
          end
        else
          while ~isempty(t)
            [t, q, omega] = quatint_mex('supply', id, torque(t, q, omega));
          end
        end
      else
        some = max(1, floor(2e7 / max(1, obj.count)));  % steps in about a second; Ctrl-C takes effect between the calls
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
    % [t, q, omega] = e.record(dt, steps, every)  Take many steps. Return the initial state and the state after every
    % `every` steps (default: 1). With M = floor(steps / every) + 1, t is M-by-1, q N-by-4-by-M and omega N-by-3-by-M. For
    % a Body, q is M-by-4 and omega M-by-3.
      if nargin < 4
        every = 1;
      end
      whole = @(x) isa(x, 'double') && isscalar(x) && isreal(x) && x >= 0 && x <= flintmax() && x == floor(x);
      if ~(whole(steps) && whole(every) && every > 0)
        error('quatint:Invalid', '`steps` must be a whole number >= 0, and `every` a whole number >= 1');
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

    function kick(obj, duration, torque, frame)
    % e.kick(duration, torques)          Add duration * torques to the angular momenta. Orientations and clock do not change.
    % e.kick(duration, torques, 'body')  The same for torques in the body frame (default: 'world').
    %
    % torques is N-by-3 (for a Body 1-by-3), or [] for zero. With a drag, a kick includes the drag of its duration. One step
    % of velocity Verlet, of order 2 with one torque a step, is
    %   e.kick(dt / 2, torques); e.drift(dt); torques = ... ; e.kick(dt / 2, torques);
      if nargin < 4
        frame = 'world';
      end
      quatint_mex('kick', obj.id, duration, torque, frame);
    end

    function drift(obj, duration)
    % e.drift(duration)  Let the bodies rotate freely. This is exact, however long it takes. The clock moves on. The torque
    % of the ensemble is not used.
      quatint_mex('drift', obj.id, duration);
    end

    function predicted = kickDrift(obj, kick, drift, torque, frame, ahead)
    % e.kickDrift(kick, drift, torques)          The same as e.kick(kick, torques) and then e.drift(drift), but faster.
    % e.kickDrift(kick, drift, torques, 'body')  The same for torques in the body frame.
    % omega = e.kickDrift(kick, drift, torques)  Also predict the angular velocities, N-by-3, world frame, for torques that
    % depend on them: those after the drift, changed by the torques for drift / 2 more.
    % omega = e.kickDrift(kick, drift, torques, frame, ahead)  Predict for the duration `ahead` instead of drift / 2.
    %
    % A step of velocity Verlet with the prediction is of order 2 also when the torque depends on the angular velocity:
    %   omega = e.kickDrift(dt / 2, dt, torques);
    %   torques = ... ;  % from e.time, e.orientation and omega
    %   e.kick(dt / 2, torques);
      if nargin < 5
        frame = 'world';
      end
      if nargin < 6
        ahead = [];
      end
      if nargout == 0
        quatint_mex('kick_drift', obj.id, kick, drift, torque, frame, ahead);
      else
        predicted = quatint_mex('kick_drift', obj.id, kick, drift, torque, frame, ahead);
      end
    end

    function setDrag(obj, coefficients, flow)
    % e.setDrag(c)        Let linear drag act besides the torque: -c_i omega_i about each body axis i.
    % e.setDrag(c, flow)  The same in a fluid that rotates: -c_i (omega_i - flow_i). flow is an angular velocity, world frame.
    % e.setDrag([])       Remove the drag.
    %
    % c and flow are one vector for all bodies, or N-by-3. The drag is taken implicitly: a step is stable, however large the
    % coefficients are.
      if nargin < 3 || isempty(coefficients)
        flow = [];
      end
      quatint_mex('set_drag', obj.id, coefficients, flow);
      obj.drag = coefficients;
      obj.flow = flow;
    end

    function set.inertia(obj, inertia)
      quatint_mex('set_inertia', obj.id, inertia);
      obj.inertia = inertia;
      if obj.count == 1  % a body alone is made anew by this; see quatint_mex.c
        obj.torque = obj.torque;
        quatint_mex('set_drag', obj.id, obj.drag, obj.flow);
      end
    end

    function set.torque(obj, torque)
      if isstruct(torque) && isscalar(torque) && isfield(torque, 'command') && isfield(torque, 'arguments')
        quatint_mex(torque.command, obj.id, torque.arguments{:});
      elseif isa(torque, 'function_handle')
        quatint_mex('function_torque', obj.id);
      elseif isempty(torque)
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

    function set.method(obj, method)
      quatint_mex('set_method', obj.id, method);
    end

    function name = get.method(obj)
      name = quatint_mex('get_method', obj.id);
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
