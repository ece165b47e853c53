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
%   [t, q, omega] = body.solve(times, tolerance)    % error control: a row at each of the times
%   [te, happened] = body.solveUntil(endTime, event, tolerance)   % error control, up to an event
%   body.kick(duration, torque)               % adds duration * torque to the angular momentum
%   body.drift(duration)                      % lets the body rotate freely
%   body.actingTorque()                       % all that acts at the present state, world frame
%   body.angularAcceleration()                % d omega / dt at the present state, world frame
%   body.setInertia(inertia, 'angularMomentum')   % another inertia, of which the angular momentum stays
%   body.setInertiaFunction(@(t) diag([...]))     % an inertia that changes with time
%   body.lockAxes('xz')                       % body axes about which the body does not turn
%   body.setDrag(c)                           % linear drag besides the torque
%   body.setLangevin(c, kT, seed)             % drag and the noise of a temperature; body.ids is which noise
%   body.rotorMomentum = [0 0 h]              % angular momentum of reaction wheels within the body
%   body.rotorTorque = [0 0 u]                % of their motors on the body; -u on the wheels
%
%   A Body is an Ensemble of one body. Everything else is as in quatint.Ensemble, with vectors instead of matrices. But it stays
%   one body (no resize, no select), and setRows does not change its inertia and torque: assign these properties.
%
%   See also quatint.Ensemble

  properties (Dependent)
    rotorTorque                 % torque of the motors of the rotors on the body, 1-by-3, body frame; 0: none
  end
  properties
    longestStep = 0             % longest step of solve and solveUntil: a shorter pulse of the torque may be missed; 0: any length
    mostEvaluations = 0         % most torques of a call of solve or solveUntil; beyond: quatint:Step; 0: no limit
    solveMethod = 'nonstiff'    % of solve and solveUntil; 'stiff': for torques that change faster than the motion
  end
  properties (Dependent, SetAccess = private)
    solveStatistics             % of the last solve or solveUntil: a struct with evaluations, accepted and rejected
  end

  methods
    function obj = Body(inertia, orientation, angularVelocity)
      obj@quatint.Ensemble(1);
      quatint.detail.need(nargin, 1, 'quatint.Body(inertia)');
      quatint_mex('make_alone', obj.id);
      obj.inertia = inertia;
      if nargin > 1 && ~isempty(orientation)
        obj.orientation = orientation;
      end
      if nargin > 2
        obj.angularVelocity = angularVelocity;
      end
    end

    function advance(obj, dt, steps)
    % body.advance(dt, steps)  Take many steps of length dt; see quatint.Ensemble.advance.
      quatint.detail.need(nargin - 1, 2, 'body.advance(dt, steps)');
      if isempty(obj.inertiaFunction)
        advance@quatint.Ensemble(obj, dt, steps);
      else
        obj.run([], 'begin', dt, steps);
      end
    end

    function drift(obj, duration)
    % body.drift(duration)  Let the body rotate freely; see quatint.Ensemble.drift.
      quatint.detail.need(nargin - 1, 1, 'body.drift(duration)');
      if isempty(obj.inertiaFunction)
        drift@quatint.Ensemble(obj, duration);
      else
        obj.run([], 'begin_drift', duration);
      end
    end

    function [time, orientation, angularVelocity] = record(obj, varargin)
    % [t, q, omega] = body.record(dt, steps, every)  Take many steps. Return the initial state and the state after every
    % `every` steps (default: 1). t is M-by-1, q M-by-4, omega M-by-3, with M = floor(steps / every) + 1.
      [time, q, omega] = record@quatint.Ensemble(obj, varargin{:});
      orientation = permute(q, [3 2 1]);
      angularVelocity = permute(omega, [3 2 1]);
    end

    function [time, orientation, angularVelocity] = solve(obj, times, tolerance)
    % [t, q, omega] = body.solve(times, tolerance)  Advance the body to the last of the times, with error control. Return a
    % row for each of the times: t is M-by-1, q M-by-4, omega M-by-3.
    %
    % The times ascend from body.time, which may be the first of them, or descend from it. There are no other rows: solve([0 10],
    % tolerance) gives two, solve(linspace(0, 10, 101), tolerance) gives 101, solve(10, tolerance) gives one. The steps do not
    % depend on the times; rows within a step are interpolated to the accuracy of the steps.
    %
    % tolerance is the local error of a step, from 1e-15 to 0.1: in radians of orientation, and relative to the greatest angular
    % velocity so far. body.method is not used. After an error the body is where the last accepted step ended.
      quatint.detail.need(nargin - 1, 2, 'body.solve(times, tolerance)');
      obj.run([], 'solve', times, tolerance);
      [time, orientation, angularVelocity] = quatint_mex('solved_rows', obj.id);
    end

    function [time, happened] = solveUntil(obj, endTime, event, tolerance, direction)
    % [te, happened] = body.solveUntil(endTime, event, tolerance)  Advance the body with error control, as `solve`, to the time
    % where event(t, q, omega), a number, crosses zero. happened tells whether it did before endTime. te is the time where the
    % body stands: that of the event, or endTime.
    % [te, happened] = body.solveUntil(endTime, event, tolerance, direction)  Crossings of one direction only, as in the events of
    % ode45: 1 where the number rises, -1 where it falls, 0 (default) for both.
    %
    % The next call finds the next event. A start at which the number is exactly 0 is no event. Two crossings close together
    % (within a sixteenth of a step) may be missed.
      quatint.detail.need(nargin - 1, 3, 'body.solveUntil(endTime, event, tolerance)');
      if nargin < 5
        direction = 0;
      end
      if ~isa(event, 'function_handle')
        error('quatint:Type', '`event` must be a function @(t, q, omega), not a %s', class(event));
      end
      obj.run(event, 'solve_until', endTime, tolerance, direction);
      [time, happened] = quatint_mex('solved_event', obj.id);
    end

    function torque = actingTorque(obj)
    % torque = body.actingTorque()  All that acts on the body at its present state, drag and motors too, but no gyroscopic torque:
    % 1-by-3, world frame. The torque function is called once; the body stays as it is.
      obj.run([], 'get_acting_torque');
      torque = quatint_mex('present_vector', obj.id);
    end

    function acceleration = angularAcceleration(obj)
    % acceleration = body.angularAcceleration()  The angular acceleration at the present state, rad/s^2, 1-by-3, world frame. The
    % torque function is called once; the body stays as it is.
      obj.run([], 'get_acceleration');
      acceleration = quatint_mex('present_vector', obj.id);
    end

    function setInertia(obj, inertia, keep)
    % body.setInertia(inertia, 'angularMomentum')  Set the inertia and keep the angular momentum: material moves inside the body, as
    %                                              when a panel unfolds.
    % body.setInertia(inertia, 'angularVelocity')  Keep the angular velocity: a part is cut off, and leaves with its momentum. The
    %                                              same as body.inertia = inertia.
    %
    % Orientation, clock and torque do not change. Axes of lockAxes are unlocked.
      quatint.detail.need(nargin - 1, 2, 'body.setInertia(inertia, keep)');
      quatint_mex('set_inertia_keeping', obj.id, inertia, keep);
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
    % An error in the function comes out of the call that moves the body, and a step has then changed nothing. There cannot be random
    % torques besides.
      quatint.detail.need(nargin - 1, 1, 'body.setInertiaFunction(@(t) ...)');
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

    function setPrincipalInertias(obj, moments)
    % body.setPrincipalInertias(moments)  Set three moments about the body axes, which are principal axes.
      quatint.detail.need(nargin - 1, 1, 'body.setPrincipalInertias(moments)');
      if numel(moments) ~= 3
        error('quatint:Size', '`moments` must be 3 numbers, not %d', numel(moments));
      end
      obj.inertia = diag(moments);
    end

    function state = saveobj(obj)
    % state = body.saveobj()  The body as a struct; see quatint.Ensemble.saveobj. The motors are included.
      state = saveobj@quatint.Ensemble(obj);
      state.rotorTorque = obj.rotorTorque;
      state.longestStep = obj.longestStep;
      state.mostEvaluations = obj.mostEvaluations;
      state.solveMethod = obj.solveMethod;
      state.inertiaFunction = obj.inertiaFunction;
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
      number = find(strcmp(method, {'nonstiff', 'stiff'}));
      if isempty(number)
        error('quatint:Invalid', '`solveMethod` must be ''nonstiff'' or ''stiff''');
      end
      quatint_mex('set_solve_method', obj.id, number - 1);
      obj.solveMethod = method;
    end

    function set.rotorTorque(obj, torque)
      quatint_mex('set_rotor_torque', obj.id, torque);
    end

    function torque = get.rotorTorque(obj)
      torque = quatint_mex('get_rotor_torque', obj.id);
    end

    function statistics = get.solveStatistics(obj)
      numbers = quatint_mex('solve_statistics', obj.id);
      statistics = struct('evaluations', numbers(1), 'accepted', numbers(2), 'rejected', numbers(3));
    end
  end

  methods (Hidden)
    function moveClock(obj, clock)
    % Set the clock of a body whose inertia changes with it.
      obj.run([], 'move_clock', clock);
    end
  end

  methods (Access = private)
    function run(obj, event, varargin)
    % Carry out a command of quatint_mex. Answer its questions for the torque, for the inertia and for the value of the event function.
      obj.answer(event, obj.inertiaFunction, varargin{:});
    end

    function answer(obj, event, inertia, varargin)
      torque = obj.torque;
      id = obj.id;
      given_up = onCleanup(@() quatint_mex('cancel', id));  % after an error in a function, or Ctrl-C
      [t, q, omega, question] = quatint_mex(varargin{1}, id, varargin{2:end});
      while ~isempty(t)
        if question == 1
          value = torque(t, q, omega);
        elseif question == 2
          value = event(t, q, omega);
        else
          value = inertia(t);
        end
        [t, q, omega, question] = quatint_mex('supply', id, value);
      end
    end
  end
end
