classdef Ensemble < quatint.detail.Shared
% quatint.Ensemble  Rigid bodies that rotate under torque and step together.
%
%   e = quatint.Ensemble(N) makes N bodies with unit inertia and identity orientation, at rest, without torque. The clock
%   is at 0.
%   e = quatint.Ensemble(N, name, value, ...) assigns properties at once: inertia, orientation, angularVelocity, torque, method
%   and all others that can be assigned.
%
%   e.inertia = I                 3-by-3 for all bodies, or 3-by-3-by-N; about the centre of mass, body axes
%   e.orientation = q             N-by-4, each row (w, x, y, z), body to world; or one vector for all bodies
%   e.angularVelocity = omega     N-by-3, rad/s, world frame; or one vector for all bodies
%   e.q, e.omega                  other names of e.orientation and e.angularVelocity
%   e.torque = @(t, q, omega) ... a torque function: it gets the time, N-by-4 orientations and N-by-3 angular velocities,
%                                 and returns N-by-3 torques, world frame
%   e.torque = quatint.uniformField(v, F)    a ready-made torque; the others are constantTorque, gravityGradient,
%                                 linearDrag and shearFlow; [] removes the torque
%   e.method = 'splitting'        the method, see below; the default is 'pcdm'
%   e.step(dt)                    takes one step
%   e.advance(dt, steps)          takes many steps
%   [t, q, omega] = e.record(dt, steps, 'every', n)    takes many steps and returns the trajectory
%
%   e.kick(duration, torques)     adds duration * torques, N-by-3, to the angular momenta
%   e.drift(duration)             lets the bodies rotate freely, exactly; with rotors, by the method
%   e.kickDrift(kick, drift, torques)    both, faster: the first part of a step of velocity Verlet
%   e.setDrag(c)                  linear drag in addition to the torque
%   e.setFlowGradients(G)         the velocity gradient of the fluid at each body, 3-by-3-by-N, for the torque shearFlow
%   e.setPoints(bodies, arms)     points fixed to the bodies, such as the spheres of clumps; then
%   e.pointPositions(centres), e.pointVelocities(centreVelocities), [F, T] = e.sumPointForces(forces)
%   e.rotorMomentum = h           angular momenta of rotors in the bodies, such as reaction wheels
%   e.lockAxes('xz')              body axes about which the bodies do not turn
%   e.setLangevin(c, kT, 'seed', s)    drag and the noise of a temperature in addition to the torque; method 'splitting' or
%                                 'brownian'
%
%   x = e.rows(parts, bodies)     all that belongs to bodies, a row each: for files, and for bodies that move to another ensemble
%   e.setRows(x, parts, bodies)   sets them again, bit for bit
%   e.resize(N)                   more or fewer bodies
%   e.select(from)                body i becomes body from(i): remove, sort or copy bodies
%   s = e.saveobj(), e = quatint.Ensemble.loadobj(s)    the ensemble as a struct, for files
%
%   A torque function is called at each stage of a step, each time for all bodies. The default method has two stages: the
%   start of the step and its predicted middle. The function must use the q and omega that it is called with. If it raises
%   an error, the step raises the same error, and the bodies are as they were before the step.
%
%   Methods: 'pcdm', order 2, two torque evaluations a step; 'cf4', order 4, four torque evaluations a step;
%   'splitting', order 2, one torque evaluation a step; 'splitting4', order 4, six torque evaluations a step;
%   'forcegradient', order 4, three torque evaluations a step; 'splitting6', order 6, eleven torque evaluations a step.
%   The splitting methods are reversible, and the error of the energy stays bounded (with 'forcegradient' it may drift).
%   'splitting4', 'forcegradient' and 'splitting6' are for torques that do not depend on the angular velocity.
%   'brownian', with setLangevin: one torque evaluation a step, without inertia.
%
%   Other properties: time, the clock; clock, the time and what rounding has left of it, for an exact restart; threads, the
%   number of threads that step the ensemble (default: 1); active, the bodies that move: ascending numbers, a mask, or ':'
%   for all (default). With an empty list, such as zeros(1, 0), no body moves. Bodies that are not active keep their states,
%   and a torque function gets only the active ones.
%
%   e.angularVelocityBody = omega sets the angular velocities in the body frame, as the ensemble keeps them: to the bit.
%   e.setPrincipalInertias(m) sets moments about the body axes, N-by-3.
%
%   e.angularMomentum = l sets the angular velocities so that the angular momenta are these, N-by-3, world frame.
%
%   Read-only properties: count, kineticEnergy (N-by-1), totalAngularMomentum, totalKineticEnergy, kineticEnergySums and
%   angularMomentumSums (exact sums, see quatint.sumValue).
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
    threads = 1                 % number of threads that step the ensemble; a torque function uses the calling thread only
    active = ':'                % ascending numbers of the bodies that move, or ':' for all; zeros(1, 0): none
  end
  properties (Dependent)
    % ---- `make bindings` writes these lines from the rows of tools/bindings/interface.toml that can be set: do not edit
    time                        % the clock: the sum of the steps since it was set
    clock                       % 1-by-2: the whole clock: the time, and what rounding has left of the sum of the steps. Set
                                % again, it gives a run the same times bit for bit
    orientation                 % N-by-4: the orientations (w, x, y, z), body to world. The angular velocities in the world
                                % frame stay
    angularVelocity             % N-by-3: the angular velocities, rad/s, world frame
    angularMomentum             % N-by-3: the angular momenta, world frame. The angular velocities follow from orientations and
                                % inertias
    noiseDraws                  % uint64: how many times noise has been drawn. Each step with random torques draws, and so does
                                % thermalize. A restart needs the number besides the state and the clock
    % ---- end of what `make bindings` writes
    inertia                     % 3-by-3, or 3-by-3-by-N; the value last assigned; to rounding after lockAxes, setRows, resize, select
    angularVelocityBody         % N-by-3, rad/s, body frame; assigned values come back bit for bit
    rotorMomentum               % of rotors, body frame: 1-by-3 or N-by-3; [] removes them, and tells that there are none
    ids                         % uint64, N-by-1: which noise belongs to which body; [] sets them to 0 to N-1
  end
  properties (SetAccess = private)
    flowGradients = []          % velocity gradient of the fluid at each body, 3-by-3-by-N; []: none. See setFlowGradients
  end
  properties (Dependent, SetAccess = private)
    % ---- `make bindings` writes these lines from the rows of tools/bindings/interface.toml that can be read: do not edit
    kineticEnergy               % N-by-1: the rotational kinetic energy of each body
    totalKineticEnergy          % the rotational kinetic energy of the active bodies. It has the same bits for any number of
                                % threads
    totalAngularMomentum        % 1-by-3: the angular momentum of rotation of the active bodies, world frame. It has the same
                                % bits for any number of threads
    % ---- end of what `make bindings` writes
    degreesOfFreedom            % of the rotation of the active bodies: 3 each, less the axes of zero moment
    temperature                 % kT of the active bodies: twice the kinetic energy for each degree of freedom
    kineticEnergySums           % int64, 68-by-1: exact sum of the active bodies' kinetic energies; see quatint.sumValue
    angularMomentumSums         % int64, 68-by-3: exact sums of the active bodies' angular momenta x, y, z, world frame
  end
  methods
    function obj = Ensemble(count, varargin)
      if nargin < 1, quatint.detail.tooFew('quatint.Ensemble(N)'); end
      obj.id = quatint_mex('create', count);
      obj.count = count;
      obj.inPlace = quatint.detail.writesInPlace();
      if ~isempty(varargin)
        obj.assign(varargin, {'inertia', 'orientation', 'angularVelocity', 'angularVelocityBody', 'angularMomentum', 'torque', ...
                              'method', 'rotorMomentum', 'time', 'clock', 'threads', 'active', 'ids', 'noiseDraws'});
      end
    end

    function advance(obj, dt, steps)
    % e.advance(dt, steps)  Take many steps of length dt. Faster than that many calls of step(dt), with bitwise the same
    % result. If a step fails, or on Ctrl-C, the completed steps are kept; e.time tells how many.
      if nargin < 3, quatint.detail.tooFew('e.advance(dt, steps)'); end
      if isa(obj.torque, 'function_handle')
        obj.takeStages(dt, steps);
      else
        obj.advanceAlone(dt, steps, max(1, floor(2e7 / max(1, obj.count))));  % at once: about a second
      end
    end

    function [time, orientation, angularVelocity] = record(obj, dt, steps, varargin)
    % [t, q, omega] = e.record(dt, steps)              Take many steps. Return the initial state and the state after every step.
    % [t, q, omega] = e.record(dt, steps, 'every', n)  Return the state after every n steps. With M = floor(steps / n) + 1, t is
    %                                                  M-by-1, q N-by-4-by-M and omega N-by-3-by-M.
      if nargin < 3, quatint.detail.tooFew('e.record(dt, steps)'); end
      [rows, every] = obj.plan(steps, varargin);
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

    function predicted = kickDrift(obj, kick, drift, torque, varargin)
    % e.kickDrift(kick, drift, torques)          The same as e.kick(kick, torques) and then e.drift(drift), but faster.
    % omega = e.kickDrift(kick, drift, torques)  Also predict the angular velocities, N-by-3, world frame, for torques that
    % depend on them: those after the drift, changed by the torques for drift / 2 more.
    %
    % Further arguments: 'frame', 'body' for torques in the body frame; 'ahead', duration to predict for this duration instead of
    % drift / 2.
    %
    % A step of velocity Verlet with the prediction is of order 2 also when the torque depends on the angular velocity:
    %   omega = e.kickDrift(dt / 2, dt, torques);
    %   torques = ... ;  % from e.time, e.orientation and omega
    %   e.kick(dt / 2, torques);
      if nargin < 4, quatint.detail.tooFew('e.kickDrift(kick, drift, torques)'); end
      options = struct('frame', 'world', 'ahead', []);
      if ~isempty(varargin)
        options = quatint.detail.options(varargin, options);
      end
      frame = quatint.detail.text(options.frame);
      if nargout == 0
        quatint_mex('kick_drift', obj.id, kick, drift, torque, frame, options.ahead);
      else
        predicted = quatint_mex('kick_drift', obj.id, kick, drift, torque, frame, options.ahead);
      end
    end

    function setFlowGradients(obj, velocityGradients)
    % e.setFlowGradients(G)   Let the torque quatint.shearFlow read the velocity gradient of the fluid at each body, in place of the
    %                         one that all bodies share: G(i,j,k) is the derivative of velocity component i along world axis j at
    %                         body k. G is 3-by-3-by-N, or 3-by-3 for all bodies, and is copied.
    % e.setFlowGradients([])  Let all bodies share the gradient of quatint.shearFlow again.
    %
    % A flow solver calls this before each step. During a step the gradients are constant; those at its middle give order 2.
    % e.resize and e.select forget the gradients: call this again before the next step, or it raises quatint:Order.
      if nargin < 2, quatint.detail.tooFew('e.setFlowGradients(G)'); end
      quatint_mex('set_flow_gradients', obj.id, velocityGradients);
      obj.flowGradients = velocityGradients;
    end

    function setPoints(obj, bodies, arms)
    % e.setPoints(bodies, arms)  Fix points to the bodies, such as the spheres of clumps or the atoms of rigid molecules. They take
    % the place of the points before. `bodies` has the number of the body of each point, from 1 and ascending; ':' is one point on
    % each body. A body may have any number of points. `arms` is M-by-3: the positions from the centre of mass, body frame.
    %
    % The points do not change the inertia of their body; quatint.Mass adds up that of a clump. e.resize and e.select drop them, and
    % e.saveobj does not keep them.
    %
    % See also pointPositions, pointVelocities, sumPointForces
      if nargin < 3, quatint.detail.tooFew('e.setPoints(bodies, arms)'); end
      quatint_mex('set_points', obj.id, quatint.detail.text(bodies), arms);
    end

    function count = pointCount(obj)
    % M = e.pointCount()  The number of points of all bodies. An error, quatint:Order, if none have been set for these bodies.
      count = quatint_mex('point_count', obj.id);
    end

    function positions = pointPositions(obj, centres)
    % x = e.pointPositions(X)  The positions of the points, M-by-3, world frame, for bodies with their centres of mass at X, N-by-3.
    % x = e.pointPositions()   The same, relative to the centre of mass of each point's body.
      if nargin < 2
        centres = [];
      end
      positions = quatint_mex('point_positions', obj.id, centres);
    end

    function velocities = pointVelocities(obj, centreVelocities, predicted)
    % v = e.pointVelocities(V)         The velocities of the points, M-by-3, world frame, for bodies whose centres of mass have the
    %                                  velocities V, N-by-3.
    % v = e.pointVelocities()          The same, relative to the centre of mass of each point's body; also for V = [].
    % v = e.pointVelocities(V, omega)  The same with the angular velocities omega, N-by-3, world frame, that e.kickDrift has
    %                                  predicted, in place of the present ones: for forces that depend on the velocity.
      if nargin < 2
        centreVelocities = [];
      end
      if nargin < 3
        predicted = [];
      end
      velocities = quatint_mex('point_velocities', obj.id, centreVelocities, predicted);
    end

    function [force, torque] = sumPointForces(obj, forces)
    % [F, T] = e.sumPointForces(forces)  The sum of the forces on the points of each body, and of their torques about its centre of
    % mass: N-by-3 each. `forces` is M-by-3. All are in the world frame. Bodies without points get zeros. e.kick takes the torques.
      if nargin < 2, quatint.detail.tooFew('e.sumPointForces(forces)'); end
      if nargout < 2
        force = quatint_mex('sum_point_forces', obj.id, forces);
      else
        [force, torque] = quatint_mex('sum_point_forces', obj.id, forces);
      end
    end

    function setPrincipalInertias(obj, moments)
    % e.setPrincipalInertias(moments)  Set the moments of inertia about the body axes, which are principal axes: one vector for all
    % bodies, or N-by-3.
      if nargin < 2, quatint.detail.tooFew('e.setPrincipalInertias(moments)'); end
      quatint_mex('set_principal_inertias', obj.id, moments);
      obj.assignedInertia = [];
    end

    function lockAxes(obj, axes)
    % e.lockAxes('z')             Lock body axes, here z: from now on the bodies do not turn about them, whatever the torque. The
    %                             rotation about them is taken away. 'xz' locks two axes, 'xyz' all, '' none.
    % e.lockAxes({'z', '', ...})  The same with axes for each body, in a cell or string array.
    %
    % The axes must be principal axes; they turn with the body. One lock alone asks for equal moments about the other two axes. A
    % lock sets the moment about its axis to zero, in e.inertia too. Locks add up. Assigning e.inertia unlocks, as do
    % e.setPrincipalInertias and rows with the inertia.
      if nargin < 2, quatint.detail.tooFew('e.lockAxes(axes)'); end
      quatint_mex('lock_axes', obj.id, quatint.detail.text(axes));
      obj.assignedInertia = [];
    end

    function resize(obj, count)
    % e.resize(N)  Keep the first N bodies, or add bodies. New ones are at the identity and at rest. If each body has its own
    % inertia or torque parameters, new bodies get the inertia 1 and the parameters 0. What all bodies share, new ones share too.
    % All bodies are active afterwards.
      if nargin < 2, quatint.detail.tooFew('e.resize(N)'); end
      quatint_mex('resize', obj.id, count);
      obj.changePopulation(count);
    end

    function select(obj, from)
    % e.select(from)  Body i becomes a copy of body from(i): remove, sort or copy bodies. `from` has numbers from 1, or is a mask
    % of the bodies that stay. All bodies are active afterwards.
      if nargin < 2, quatint.detail.tooFew('e.select(from)'); end
      obj.changePopulation(quatint_mex('select_bodies', obj.id, quatint.detail.text(from)));
    end

    function disp(obj)
    % disp(e)  Show the values of the first bodies, and the settings.
      if obj.isDeleted()
        fprintf('  quatint.Ensemble (deleted)\n');
        return
      end
      shown = min(obj.count, 3);
      fprintf('  quatint.Ensemble of %d bodies at t = %.15g\n', obj.count, obj.time);
      if shown < obj.count
        fprintf('  the first %d of them:\n', shown);
      end
      obj.showCommon(shown);
      if ~isempty(obj.rotorMomentum)
        quatint.detail.show('rotorMomentum', obj.rotorMomentum(1:shown, :), 'body frame');
      end
      quatint.detail.show('threads', sprintf('%d', obj.threads));
      if ~ischar(obj.active)
        quatint.detail.show('active', sprintf('%d bodies', numel(obj.active)));
      end
      fprintf('  properties(e) lists all properties.\n');
    end

    function state = saveobj(obj)
    % s = e.saveobj()  The ensemble as a struct that can be saved in a file; quatint.Ensemble.loadobj makes an ensemble of it that
    % goes on with the same bits. MATLAB's `save` and `load` call both by themselves; Octave's do not.
      state = obj.saved({'count', 'method', 'threads', 'active', 'clock', 'torque', 'drag', 'flow', 'flowGradients', ...
                         'rotorMomentum', 'langevin', 'ids', 'noiseDraws'});
    end

    function set.inertia(obj, inertia)
      quatint_mex('set_inertia', obj.id, inertia);
      obj.assignedInertia = inertia;
    end

    function inertia = get.inertia(obj)
      inertia = obj.assignedInertia;
      if isempty(inertia)
        inertia = quatint.detail.tensors(obj.rows('inertia'));
      end
    end

    function set.threads(obj, threads)
      quatint_mex('set_threads', obj.id, threads);
      obj.threads = threads;
    end

    function set.active(obj, active)
      active = quatint.detail.text(active);
      quatint_mex('set_active', obj.id, active);
      if islogical(active)
        active = find(active(:)');
      end
      obj.active = active;
    end

    function set.angularVelocityBody(obj, angularVelocityBody)
      quatint_mex('set_angular_velocity_body', obj.id, angularVelocityBody);
    end

    function omega = get.angularVelocityBody(obj)
      omega = quatint_mex('get_angular_velocity_body', obj.id);
    end

    function set.rotorMomentum(obj, momentum)
      quatint_mex('set_rotor_momentum', obj.id, momentum);
    end

    function momentum = get.rotorMomentum(obj)
      momentum = quatint_mex('get_rotor_momentum', obj.id);
    end

    function set.ids(obj, ids)
      if numel(unique(ids(:))) < numel(ids)
        error('quatint:Invalid', '`ids` must be different: two bodies with one id get one noise');
      end
      quatint_mex('set_ids', obj.id, ids);
    end

    function ids = get.ids(obj)
      ids = quatint_mex('get_ids', obj.id);
    end

    function degrees = get.degreesOfFreedom(obj)
      degrees = quatint_mex('get_degrees', obj.id);
    end

    function kT = get.temperature(obj)
      kT = 2 * obj.totalKineticEnergy / obj.degreesOfFreedom;
    end

    function sums = get.kineticEnergySums(obj)
      sums = quatint_mex('get_kinetic_energy_sums', obj.id);
    end

    function sums = get.angularMomentumSums(obj)
      sums = quatint_mex('get_angular_momentum_sums', obj.id);
    end

    % ---- `make bindings` writes these lines from the rows of tools/bindings/interface.toml, for Ensemble: do not edit
    function value = get.time(obj)
      value = quatint_mex('get_time', obj.id);
    end

    function set.time(obj, value)
      quatint_mex('set_time', obj.id, value);
    end

    function value = get.clock(obj)
      value = quatint_mex('get_clock', obj.id);
    end

    function set.clock(obj, value)
      quatint_mex('set_clock', obj.id, value);
    end

    function value = get.orientation(obj)
      value = quatint_mex('get_orientation', obj.id);
    end

    function set.orientation(obj, value)
      quatint_mex('set_orientation', obj.id, quatint.detail.fourNumbers(value));
    end

    function value = get.angularVelocity(obj)
      value = quatint_mex('get_angular_velocity', obj.id);
    end

    function set.angularVelocity(obj, value)
      quatint_mex('set_angular_velocity', obj.id, value);
    end

    function value = get.angularMomentum(obj)
      value = quatint_mex('get_angular_momentum', obj.id);
    end

    function set.angularMomentum(obj, value)
      quatint_mex('set_angular_momentum', obj.id, value);
    end

    function value = get.kineticEnergy(obj)
      value = quatint_mex('get_kinetic_energy', obj.id);
    end

    function value = get.totalKineticEnergy(obj)
      value = quatint_mex('get_total_kinetic_energy', obj.id);
    end

    function value = get.totalAngularMomentum(obj)
      value = quatint_mex('get_total_angular_momentum', obj.id);
    end

    function scaleAngularMomenta(obj, factor)
    % e.scaleAngularMomenta(factor)  Multiply the angular momenta of the active bodies by a factor, for a thermostat of your
    % own.
      if nargin < 2, quatint.detail.tooFew('e.scaleAngularMomenta(factor)'); end
      quatint_mex('scale_angular_momenta', obj.id, factor);
    end

    function thermalize(obj, duration)
    % e.thermalize(duration)  Let drag and noise alone act for a duration, exactly, at constant orientation. The clock stays.
    % It is one draw. Programs that kick and drift call it between two drifts of half a step.
      if nargin < 2, quatint.detail.tooFew('e.thermalize(duration)'); end
      quatint_mex('thermalize', obj.id, duration);
    end

    function value = get.noiseDraws(obj)
      value = quatint_mex('get_noise_draws', obj.id);
    end

    function set.noiseDraws(obj, value)
      quatint_mex('set_noise_draws', obj.id, value);
    end

    function drift(obj, duration)
    % e.drift(duration)  Rotate freely for a duration of any length: exactly, or with rotors by the method. The clock moves on.
    % The torque is not called.
      if nargin < 2, quatint.detail.tooFew('e.drift(duration)'); end
      quatint_mex('drift', obj.id, duration);
    end

    function forgetTorque(obj)
    % e.forgetTorque()  Say that something has changed that the torque reads, or that states in bound arrays have been written:
    % the splitting methods then ask for the torque again.
      quatint_mex('forget_torque', obj.id);
    end
    % ---- end of what `make bindings` writes
  end

  methods (Static)
    function obj = loadobj(state)
    % e = quatint.Ensemble.loadobj(s)  The ensemble whose saveobj returned the struct s.
      if ~isstruct(state)
        obj = state;
        return
      end
      obj = quatint.Ensemble(state.count);
      obj.method = state.method;
      obj.torque = for_count(state.torque, state.count);
      if ~isequal(state.drag, [])
        obj.setDrag(one_unless(state.count, state.drag, 3), 'flow', one_unless(state.count, state.flow, 3));
      end
      if isfield(state, 'flowGradients') && ~isequal(size(state.flowGradients), [0 0])
        obj.setFlowGradients(state.flowGradients);
      end
      if isfield(state, 'rotorMomentum')
        obj.rotorMomentum = state.rotorMomentum;
      end
      if isfield(state, 'langevin')
        l = state.langevin;
        if ~isempty(l)
          obj.setLangevin(one_unless(state.count, l.coefficients, 3), l.kT, 'seed', l.seed, ...
                          'flow', one_unless(state.count, l.flow, 3));
        end
        quatint_mex('set_ids', obj.id, state.ids);  % copies of a body, made by select, have its id
        obj.noiseDraws = state.noiseDraws;
      end
      obj.threads = state.threads;
      if ~isequal(size(state.active), [0 0])  % which means all in structs of earlier versions
        obj.active = state.active;
      end
      obj.clock = state.clock;
      obj.setRows(state.rows);
      obj.assignedInertia = state.inertia;
    end
  end

  methods (Access = private)
    function changePopulation(obj, count)
      obj.count = count;
      obj.assignedInertia = [];
      obj.flowGradients = [];
      if ~ischar(obj.active)
        obj.active = ':';
      end
    end
  end
end

function torque = for_count(torque, count)
% A ready-made torque that was assigned to another number of bodies, before resize or select. Rows set its parameters.
  if isstruct(torque)
    gradient = strcmp(torque.command, 'gravity_gradient');
    which = 1 + gradient;
    torque.arguments{which} = one_unless(count, torque.arguments{which}, 3 - 2 * gradient);
  end
end

function rows = one_unless(count, rows, width)
% The first row, unless there is one for each body; [] stays.
  if isequal(size(rows), [0 0])
    return
  elseif isempty(rows) && count > 0
    rows = ones(1, width);
  elseif numel(rows) > width && size(rows, 1) ~= count
    rows = rows(1, :);
  end
end
