classdef Body < quatint.detail.Shared
% quatint.Body  One rigid body that rotates under torque.
%
%   body = quatint.Body(inertia)
%   body = quatint.Body(inertia, name, value, ...)    assigns properties at once, such as
%   body = quatint.Body(inertia, 'orientation', q, 'angularVelocity', omega, 'torque', f, 'method', 'splitting')
%   body = quatint.Body(inertia, orientation, angularVelocity, name, value, ...)
%
%   inertia           3-by-3, about the centre of mass (or the fixed point), body axes
%   orientation       (w, x, y, z), body to world, or an object of a class quaternion; default, also for []: the identity
%   angularVelocity   rad/s, world frame; default: at rest
%
%   body.torque = @(t, q, omega) cross(...)   % 1-by-3, world frame; q is 1-by-4 and omega 1-by-3
%   body.torque = quatint.uniformField(v, F)  % a ready-made torque; the others are constantTorque, gravityGradient,
%                                             % linearDrag and shearFlow; [] removes the torque
%   body.method = 'splitting'                 % the default is 'pcdm'; see quatint.Ensemble
%   body.step(dt)
%   body.advance(dt, steps)
%   [t, q, omega] = body.record(dt, steps, 'every', n)    % a row every n steps: M-by-1, M-by-4, M-by-3
%   [t, q, omega] = body.solve(times, tolerance)    % error control: a row at each of the times
%   [te, happened] = body.solveUntil(endTime, event, tolerance)   % error control, up to an event
%   body.kick(duration, torque)               % adds duration * torque to the angular momentum
%   body.drift(duration)                      % lets the body rotate freely
%   body.actingTorque()                       % all that acts at the present state, world frame
%   body.angularAcceleration()                % d omega / dt at the present state, world frame
%   body.setInertia(inertia, 'angularMomentum')   % another inertia, of which the angular momentum stays
%   body.setInertiaFunction(@(t) diag([...]))     % an inertia that changes with time
%   body.lockAxes('xz')                       % body axes about which the body does not turn
%   body.setDrag(c)                           % linear drag in addition to the torque
%   body.setLangevin(c, kT, 'seed', s)        % drag and the noise of a temperature
%   body.rotorMomentum = [0 0 h]              % angular momentum of reaction wheels within the body
%   body.rotorTorque = [0 0 u]                % of their motors on the body; -u on the wheels
%   x = body.rows(), body.setRows(x)          % all that belongs to the body, for files
%   s = body.saveobj(), body = quatint.Body.loadobj(s)    % the body as a struct
%
%   A torque function is called at each stage of a step. It must use the q and omega that it is called with. If it raises an
%   error, the step raises the same error, and the body is as it was before the step.
%
%   A body and an ensemble of one give the same bits. body is a handle object: a copy of the variable refers to the same body.
%   delete(body), or clearing the last variable, frees its memory. Any later use raises the error quatint:Deleted.
%
%   See also quatint.Ensemble

  properties (Dependent)
    inertia                     % 3-by-3; the value last assigned; to rounding after lockAxes, setRows and setInertiaFunction
    orientation                 % 1-by-4: (w, x, y, z), body to world; the angular velocity in the world frame stays
    angularVelocity             % 1-by-3: rad/s, world frame
    angularVelocityBody         % 1-by-3: rad/s, body frame; assigned values come back bit for bit
    % ---- `make bindings` writes these lines from the rows of tools/bindings/interface.toml that can be set: do not edit
    time                        % the clock: the sum of the steps since it was set
    clock                       % 1-by-2: the whole clock: the time, and what rounding has left of the sum of the steps. Set
                                % again, it gives a run the same times bit for bit
    angularMomentum             % 1-by-3: the angular momentum, world frame, with that of rotors. The angular velocity follows
                                % from it. Orientation and clock stay
    noiseDraws                  % uint64: how many times noise has been drawn. Each step with random torques draws, and so does
                                % thermalize. A restart needs the number besides the state and the clock
    rotorMomentum               % 1-by-3: the angular momentum of rotors within the body, such as reaction wheels, body frame.
                                % Only the torque of rotorTorque changes it. Orientation and angular velocity stay.
                                % angularMomentum includes it, kineticEnergy does not. The inertia of the body is that with the
                                % rotors locked or, where the torque of a motor is known, less J a a^T for each
                                % (docs/torques.md). []: removes the rotors
    rotorTorque                 % 1-by-3: the torque of the motors that drive the rotors, body frame. While time passes it acts
                                % on the body, and its opposite on the rotors. It stays until it is set again: a controller
                                % sets it once per sample. []: removes the motors
    % ---- end of what `make bindings` writes
  end
  properties
    longestStep = 0             % longest step of solve and solveUntil: a shorter pulse of the torque may be missed; 0: any length
    mostEvaluations = 0         % most torques of a call of solve or solveUntil; beyond: quatint:Step; 0: no limit
    solveMethod = 'nonstiff'    % of solve and solveUntil; 'stiff': for torques that change faster than the motion;
                                % 'splitting': for torques of orientation and time, which it calls least
  end
  properties (Dependent, SetAccess = private)
    % ---- `make bindings` writes these lines from the rows of tools/bindings/interface.toml that can be read: do not edit
    kineticEnergy               % the rotational kinetic energy, without that of rotors
    % ---- end of what `make bindings` writes
    solveStatistics             % of the last solve or solveUntil: a struct with evaluations, accepted and rejected
  end
  methods
    function obj = Body(inertia, varargin)
      if nargin < 1, quatint.detail.tooFew('quatint.Body(inertia)'); end
      obj.id = quatint_mex('create_body', inertia);
      obj.assignedInertia = inertia;
      obj.inPlace = quatint.detail.writesInPlace();
      for name = {'orientation', 'angularVelocity'}
        if isempty(varargin) || ischar(varargin{1}) || isa(varargin{1}, 'string')
          break
        end
        if ~isempty(varargin{1})
          obj.(name{1}) = varargin{1};
        end
        varargin(1) = [];
      end
      if ~isempty(varargin)
        obj.assign(varargin, {'orientation', 'angularVelocity', 'angularVelocityBody', 'angularMomentum', 'torque', 'method', ...
                              'rotorMomentum', 'rotorTorque', 'time', 'clock', 'noiseDraws', 'longestStep', 'mostEvaluations', ...
                              'solveMethod'});
      end
    end

    function advance(obj, dt, steps)
    % body.advance(dt, steps)  Take many steps of length dt. Faster than that many calls of step(dt), with bitwise the same
    % result. If a step fails, or on Ctrl-C, the completed steps are kept; body.time tells how many.
      if nargin < 3, quatint.detail.tooFew('body.advance(dt, steps)'); end
      if ~isempty(obj.inertiaFunction)
        obj.answer([], obj.inertiaFunction, 'begin', dt, steps);
      elseif isa(obj.torque, 'function_handle')
        obj.takeStages(dt, steps);
      else
        obj.advanceAlone(dt, steps, 2e7);  % at once: about a second
      end
    end

    function [time, orientation, angularVelocity] = record(obj, dt, steps, varargin)
    % [t, q, omega] = body.record(dt, steps)              Take many steps. Return the initial state and the state after every step.
    % [t, q, omega] = body.record(dt, steps, 'every', n)  Return the state after every n steps. t is M-by-1, q M-by-4 and omega
    %                                                     M-by-3, with M = floor(steps / n) + 1.
      if nargin < 3, quatint.detail.tooFew('body.record(dt, steps)'); end
      [rows, every] = obj.plan(steps, varargin);
      time = zeros(rows, 1);
      orientation = zeros(rows, 4);
      angularVelocity = zeros(rows, 3);
      for row = 1:rows
        if row > 1
          obj.advance(dt, every);
        end
        time(row) = obj.time;
        orientation(row, :) = obj.orientation;
        angularVelocity(row, :) = obj.angularVelocity;
      end
      obj.advance(dt, steps - (rows - 1) * every);
    end

    function [time, orientation, angularVelocity] = solve(obj, times, tolerance, varargin)
    % [t, q, omega] = body.solve(times, tolerance)  Advance the body to the last of the times, with error control. Return a
    % row for each of the times: t is M-by-1, q M-by-4, omega M-by-3.
    %
    % The times ascend from body.time, which may be the first of them, or descend from it. There are no other rows: solve([0 10],
    % tolerance) gives two, solve(linspace(0, 10, 101), tolerance) gives 101, solve(10, tolerance) gives one. The steps do not
    % depend on the times; rows within a step are interpolated to the accuracy of the steps.
    %
    % tolerance is the local error of a step, from 1e-15 to 0.1: in radians of orientation, and relative to the greatest angular
    % velocity so far. body.method is not used. After an error the body is where the last accepted step ended.
    %
    % Further arguments, for this call: 'method', 'longestStep' and 'mostEvaluations', in place of body.solveMethod,
    % body.longestStep and body.mostEvaluations; and 'monitor', a function @(t, q, omega) that is called after each step that is
    % taken: it follows a long solution, and ends it by an error. It changes no bit. While it runs, Ctrl-C ends the solution too.
      if nargin < 3, quatint.detail.tooFew('body.solve(times, tolerance)'); end
      [before, monitor] = deal([]);
      if ~isempty(varargin)
        [before, given] = obj.limits(varargin, struct('monitor', []));
        monitor = given.monitor;
      end
      if ~isempty(monitor) && ~isa(monitor, 'function_handle')
        error('quatint:Type', '`monitor` must be a function @(t, q, omega), not a %s', class(monitor));
      end
      obj.answer(monitor, obj.inertiaFunction, 'solve', times, tolerance, double(~isempty(monitor)));
      [time, orientation, angularVelocity] = quatint_mex('solved_rows', obj.id);
      clear before  % the limits are as before the call
    end

    function [time, happened] = solveUntil(obj, endTime, event, tolerance, varargin)
    % [te, happened] = body.solveUntil(endTime, event, tolerance)  Advance the body with error control, as `solve`, to the time
    % where event(t, q, omega), a number, becomes zero or changes its sign. happened tells whether it did before endTime. te is
    % the time where the body stands: that of the event, or endTime.
    % [te, happened] = body.solveUntil(endTime, event, tolerance, 'direction', 'rising')  Crossings of one direction only: 'rising',
    % 'falling' or 'both' (default); or, as in the events of ode45, 1, -1 or 0.
    %
    % The next call finds the next event. A start at which the number is exactly 0 is no event. Two crossings close together
    % (within a sixteenth of a step) may be missed. Further arguments are those of solve, but for the monitor.
      if nargin < 4, quatint.detail.tooFew('body.solveUntil(endTime, event, tolerance)'); end
      if ~isa(event, 'function_handle')
        error('quatint:Type', '`event` must be a function @(t, q, omega), not a %s', class(event));
      end
      [before, direction] = deal([], 0);
      if ~isempty(varargin)
        [before, given] = obj.limits(varargin, struct('direction', 0));
        direction = given.direction;
      end
      obj.answer(event, obj.inertiaFunction, 'solve_until', endTime, tolerance, direction_of(direction));
      [time, happened] = quatint_mex('solved_event', obj.id);
      clear before  % the limits are as before the call
    end

    function setInertia(obj, inertia, keep)
    % body.setInertia(inertia, 'angularMomentum')  Set the inertia and keep the angular momentum: material moves inside the body, as
    %                                              when a panel unfolds.
    % body.setInertia(inertia, 'angularVelocity')  Keep the angular velocity: a part is cut off, and leaves with its momentum. The
    %                                              same as body.inertia = inertia.
    %
    % Orientation, clock and torque do not change. Axes of lockAxes are unlocked.
      if nargin < 3, quatint.detail.tooFew('body.setInertia(inertia, keep)'); end
      quatint_mex('set_inertia', obj.id, inertia, quatint.detail.text(keep));
      obj.assignedInertia = inertia;
      obj.inertiaFunction = [];
    end

    function setInertiaFunction(obj, inertia)
    % body.setInertiaFunction(@(t) ...)  Give the body an inertia that changes with its clock, 3-by-3, the same for the same time:
    %                                    panels unfold, propellant burns.
    % body.setInertiaFunction([])        The inertia is constant from now on.
    %
    % Material moves inside the body without an angular momentum of its own, so the torque alone changes the angular momentum. The
    % angular velocity stays at this call, and when the clock is set. The method 'splitting' moves such a body, drift, and solve and
    % solveUntil with the solveMethod 'nonstiff'. body.inertia is that of the moment. Another inertia and lockAxes end the change.
    %
    % An error in the function comes out of the call that moves the body, and a step has then changed nothing.
      if nargin < 2, quatint.detail.tooFew('body.setInertiaFunction(@(t) ...)'); end
      if isa(inertia, 'function_handle')
        obj.answer([], inertia, 'set_inertia_function');
        obj.assignedInertia = [];
        obj.inertiaFunction = inertia;
      elseif isempty(inertia)
        quatint_mex('end_inertia_function', obj.id);
        obj.inertiaFunction = [];
      else
        error('quatint:Type', 'the inertia function must be a function @(t), or [], not a %s', class(inertia));
      end
    end

    function lockAxes(obj, axes)
    % body.lockAxes('z')  Lock body axes, here z: from now on the body does not turn about them, whatever the torque. The rotation
    %                     about them is taken away. 'xz' locks two axes, 'xyz' all, '' none.
    %
    % The axes must be principal axes; they turn with the body. One lock alone asks for equal moments about the other two axes. A
    % lock sets the moment about its axis to zero, in body.inertia too. Locks add up. Assigning body.inertia unlocks, as do rows
    % with the inertia.
      if nargin < 2, quatint.detail.tooFew('body.lockAxes(axes)'); end
      quatint_mex('lock_axes', obj.id, quatint.detail.text(axes));
      obj.assignedInertia = [];
      obj.inertiaFunction = [];
    end

    function disp(obj)
    % disp(body)  Show the state and the settings.
      if obj.isDeleted()
        fprintf('  quatint.Body (deleted)\n');
        return
      end
      fprintf('  quatint.Body at t = %.15g\n', obj.time);
      obj.showCommon(1);
      if ~isempty(obj.inertiaFunction)
        quatint.detail.show('inertia', func2str(obj.inertiaFunction));
      end
      if any(obj.rotorMomentum)
        quatint.detail.show('rotorMomentum', obj.rotorMomentum, 'body frame');
      end
      if any(obj.rotorTorque)
        quatint.detail.show('rotorTorque', obj.rotorTorque, 'body frame');
      end
      fprintf('  properties(body) lists all properties.\n');
    end

    function state = saveobj(obj)
    % s = body.saveobj()  The body as a struct that can be saved in a file; quatint.Body.loadobj makes a body of it that goes on
    % with the same bits. MATLAB's `save` and `load` call both by themselves; Octave's do not.
      state = obj.saved({'method', 'clock', 'torque', 'drag', 'flow', 'rotorMomentum', 'rotorTorque', 'langevin', 'noiseDraws', ...
                         'longestStep', 'mostEvaluations', 'solveMethod', 'inertiaFunction'});
    end

    function set.inertia(obj, inertia)
      obj.setInertia(inertia, 'angularVelocity');
    end

    function inertia = get.inertia(obj)
      inertia = obj.assignedInertia;
      if isempty(inertia)
        inertia = quatint.detail.tensors(obj.rows('inertia'));
      end
    end

    function orientation = get.orientation(obj)
      orientation = quatint_mex('get_orientation', obj.id);
    end

    function set.orientation(obj, orientation)
      quatint_mex('set_orientation', obj.id, quatint.detail.fourNumbers(orientation));
    end

    function omega = get.angularVelocity(obj)
      omega = quatint_mex('get_angular_velocity', obj.id);
    end

    function set.angularVelocity(obj, omega)
      quatint_mex('set_angular_velocity', obj.id, omega);
    end

    function omega = get.angularVelocityBody(obj)
      omega = quatint_mex('get_angular_velocity_body', obj.id);
    end

    function set.angularVelocityBody(obj, omega)
      quatint_mex('set_angular_velocity_body', obj.id, omega);
    end

    function set.longestStep(obj, longest)
      quatint_mex('set_longest_step', obj.id, longest);
      obj.longestStep = longest;
    end

    function set.mostEvaluations(obj, most)
      quatint_mex('set_most_evaluations', obj.id, most);
      obj.mostEvaluations = most;
    end

    function set.solveMethod(obj, method)
      method = quatint.detail.text(method);
      names = {'nonstiff', 'stiff', 'splitting'};
      number = find(strcmpi(method, names));
      if isempty(number)
        error('quatint:Invalid', '`solveMethod` must be ''nonstiff'', ''stiff'' or ''splitting''');
      end
      quatint_mex('set_solve_method', obj.id, number - 1);
      obj.solveMethod = names{number};
    end

    function statistics = get.solveStatistics(obj)
      numbers = quatint_mex('solve_statistics', obj.id);
      statistics = struct('evaluations', numbers(1), 'accepted', numbers(2), 'rejected', numbers(3));
    end

    % ---- `make bindings` writes these lines from the rows of tools/bindings/interface.toml, for Body: do not edit
    function value = get.time(obj)
      value = quatint_mex('get_time', obj.id);
    end

    function set.time(obj, value)
      if isempty(obj.inertiaFunction)
        quatint_mex('set_time', obj.id, value);
      else
        obj.answer([], obj.inertiaFunction, 'set_time', value);
      end
    end

    function value = get.clock(obj)
      value = quatint_mex('get_clock', obj.id);
    end

    function set.clock(obj, value)
      if isempty(obj.inertiaFunction)
        quatint_mex('set_clock', obj.id, value);
      else
        obj.answer([], obj.inertiaFunction, 'set_clock', value);
      end
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

    function thermalize(obj, duration)
    % body.thermalize(duration)  Let drag and noise alone act for a duration, exactly, at constant orientation. The clock
    % stays. It is one draw. Programs that kick and drift call it between two drifts of half a step.
      if nargin < 2, quatint.detail.tooFew('body.thermalize(duration)'); end
      quatint_mex('thermalize', obj.id, duration);
    end

    function value = get.noiseDraws(obj)
      value = quatint_mex('get_noise_draws', obj.id);
    end

    function set.noiseDraws(obj, value)
      quatint_mex('set_noise_draws', obj.id, value);
    end

    function value = get.rotorMomentum(obj)
      value = quatint_mex('get_rotor_momentum', obj.id);
    end

    function set.rotorMomentum(obj, value)
      quatint_mex('set_rotor_momentum', obj.id, value);
    end

    function value = get.rotorTorque(obj)
      value = quatint_mex('get_rotor_torque', obj.id);
    end

    function set.rotorTorque(obj, value)
      quatint_mex('set_rotor_torque', obj.id, value);
    end

    function drift(obj, duration)
    % body.drift(duration)  Rotate freely for a duration of any length: exactly, or with rotors by the method. The clock moves
    % on. The torque is not called.
      if nargin < 2, quatint.detail.tooFew('body.drift(duration)'); end
      if isempty(obj.inertiaFunction)
        quatint_mex('drift', obj.id, duration);
      else
        obj.answer([], obj.inertiaFunction, 'drift', duration);
      end
    end

    function forgetTorque(obj)
    % body.forgetTorque()  Say that something has changed that the torque reads, such as a sampled command: the splitting
    % methods then ask for the torque again.
      quatint_mex('forget_torque', obj.id);
    end

    function value = actingTorque(obj)
    % value = body.actingTorque()  Get the sum of all torques at the present state, those of drag and motors too, world frame.
    % The torque is asked once.
      value = obj.answer([], obj.inertiaFunction, 'get_acting_torque');
    end

    function value = angularAcceleration(obj)
    % value = body.angularAcceleration()  Get the angular acceleration at the present state, rad/s^2, world frame. The torque
    % is asked once.
      value = obj.answer([], obj.inertiaFunction, 'get_angular_acceleration');
    end
    % ---- end of what `make bindings` writes
  end

  methods (Static)
    function obj = loadobj(state)
    % body = quatint.Body.loadobj(s)  The Body whose saveobj returned the struct s.
      if ~isstruct(state)
        obj = state;
        return
      end
      obj = quatint.Body(eye(3), 'torque', state.torque, 'method', state.method, 'clock', state.clock);
      for name = {'rotorMomentum', 'rotorTorque', 'longestStep', 'mostEvaluations', 'solveMethod'}
        if isfield(state, name{1})  % earlier versions had fewer fields
          obj.(name{1}) = state.(name{1});
        end
      end
      if ~isempty(state.drag)
        obj.setDrag(state.drag, 'flow', state.flow);
      end
      if isfield(state, 'langevin') && ~isempty(state.langevin)
        l = state.langevin;
        if ~isfield(l, 'id')
          l.id = state.ids;
        end
        obj.setLangevin(l.coefficients, l.kT, 'seed', l.seed, 'flow', l.flow, 'id', l.id);
        obj.noiseDraws = state.noiseDraws;
      end
      obj.setRows(state.rows);
      obj.assignedInertia = state.inertia;
      if isfield(state, 'inertiaFunction') && ~isempty(state.inertiaFunction)
        obj.setInertiaFunction(state.inertiaFunction);
      end
    end
  end

  methods (Access = private)
    function value = answer(obj, watch, inertia, command, varargin)
    % Carry out a command of quatint_mex. Evaluate the functions for which it asks. `watch` is an event or a monitor.
      torque = obj.torque;
      id = obj.id;
      quatint_mex('begin_to_ask', id);
      given_up = onCleanup(@() quatint_mex('cancel', id));  % after an error in a function, or Ctrl-C
      [t, q, omega, question] = quatint_mex(command, id, varargin{:});
      while ~isempty(t)
        if question == 1
          [t, q, omega, question] = quatint_mex('supply', id, torque(t, q, omega));
        elseif question == 2
          [t, q, omega, question] = quatint_mex('supply', id, watch(t, q, omega));
        elseif question == 4
          watch(t, q, omega);
          [t, q, omega, question] = quatint_mex('supply', id, []);
        else
          [t, q, omega, question] = quatint_mex('supply', id, inertia(t));
        end
      end
      value = q;
    end

    function [before, given] = limits(obj, pairs, values)
    % Set the limits that a solution was given. When `before` is cleared, they are what they were. `given` has all arguments.
      now = struct('method', obj.solveMethod, 'longestStep', obj.longestStep, 'mostEvaluations', obj.mostEvaluations);
      for name = fieldnames(now)'
        values.(name{1}) = now.(name{1});
      end
      given = quatint.detail.options(pairs, values);
      before = onCleanup(@() obj.setLimits(now));
      obj.setLimits(given);
    end

    function setLimits(obj, limits)
      obj.solveMethod = limits.method;
      obj.longestStep = limits.longestStep;
      obj.mostEvaluations = limits.mostEvaluations;
    end
  end
end

function number = direction_of(direction)
  number = quatint.detail.text(direction);
  if ischar(number)
    number = find(strcmpi(number, {'falling', 'both', 'rising'})) - 2;
    if isempty(number)
      error('quatint:Invalid', '`direction` must be ''rising'', ''falling'' or ''both''');
    end
  end
end
