classdef Shared < handle
% quatint.detail.Shared  What quatint.Body and quatint.Ensemble share. Not for users.

  properties
    torque = []                 % a function, a ready-made torque, or []; as assigned, rows('torque') has the parameters now
  end
  properties (SetAccess = protected)
    drag = []                   % coefficients of the drag, 1-by-3 or N-by-3; []: none. See setDrag
    flow = []                   % angular velocity of the fluid, world frame, 1-by-3 or N-by-3; []: at rest
    langevin = []               % random torques: a struct with coefficients, kT, seed and flow, of a Body also id; []: none
  end
  properties (Dependent)
    method                      % 'pcdm', 'cf4', 'splitting', 'splitting4', 'splitting6', 'forcegradient' or 'brownian'
    q                           % another name of orientation
    omega                       % another name of angularVelocity
  end
  properties (SetAccess = protected, Hidden, Transient)
    id = 0                      % identifies the object in quatint_mex
    assignedInertia = eye(3)    % []: it is another one now
    inertiaFunction = []        % of a quatint.Body whose inertia changes with time
    inPlace = false             % whether quatint_mex can write a stage into existing variables; see takeStages
  end

  methods
    function delete(obj)
    % Free the memory. Any later use of the object raises the error quatint:Deleted.
      quatint_mex('destroy', obj.id);
    end

    function step(obj, dt)
    % e.step(dt)  Take one step of length dt. A negative dt steps backwards in time.
    % If the step fails, nothing has changed, and the error names the first body that failed.
      if nargin < 2, quatint.detail.tooFew('e.step(dt)'); end
      if isa(obj.torque, 'function_handle') || ~isempty(obj.inertiaFunction)
        obj.advance(dt, 1);
      else
        quatint_mex('advance', obj.id, dt, 1, 0);  % direct call: half of the time of a small step is the interpreter's
      end
    end

    function kick(obj, duration, torque, varargin)
    % e.kick(duration, torques)                   Add duration * torques to the angular momenta. Orientations and clock stay.
    % e.kick(duration, torques, 'frame', 'body')  The same for torques in the body frame (default: 'world').
    %
    % torques is N-by-3 (for a Body 1-by-3), or [] for zero. With a drag, a kick includes the drag of its duration. One step
    % of velocity Verlet, of order 2 with one torque evaluation a step, is
    %   e.kick(dt / 2, torques); e.drift(dt); torques = ... ; e.kick(dt / 2, torques);
      if nargin < 3, quatint.detail.tooFew('e.kick(duration, torques)'); end
      frame = 'world';
      if ~isempty(varargin)
        options = quatint.detail.options(varargin, struct('frame', 'world'));
        frame = quatint.detail.text(options.frame);
      end
      quatint_mex('kick', obj.id, duration, torque, frame);
    end

    function setDrag(obj, coefficients, varargin)
    % e.setDrag(c)                Let linear drag act in addition to the torque: -c_i omega_i about each body axis i.
    % e.setDrag(c, 'flow', flow)  The same in a fluid that rotates: -c_i (omega_i - flow_i). flow is an angular velocity, world
    %                             frame.
    % e.setDrag([])               Remove the drag.
    %
    % Of an ensemble, c and flow are one vector for all bodies, or N-by-3. The drag is taken implicitly: a step is stable for
    % coefficients of any size.
      if nargin < 2, quatint.detail.tooFew('e.setDrag(c)'); end
      options = quatint.detail.options(varargin, struct('flow', []));
      if isempty(coefficients)
        options.flow = [];
      end
      quatint_mex('set_drag', obj.id, coefficients, options.flow);
      obj.drag = coefficients;
      obj.flow = options.flow;
    end

    function setLangevin(obj, coefficients, kT, varargin)
    % e.setLangevin(c, kT, 'seed', s)  Let drag, -c_i omega_i about each body axis i, act in addition to the torque, and the noise that
    %                                  belongs to it at the energy kT. Both are exact for any step.
    % e.setLangevin([])                Remove both.
    %
    % Further names: 'flow', the angular velocity of a fluid that rotates, world frame; of a Body 'id', which noise it gets (for
    % an ensemble see e.ids). c and flow are one vector for all bodies, or N-by-3. seed and id are whole numbers, of class uint64
    % above 2^53, and 0 if left out. Steps need the method 'splitting' or, without inertia, 'brownian'. The noise of a body depends
    % on seed, id and noiseDraws alone.
      removes = nargin > 1 && isequal(size(coefficients), [0 0]);
      if nargin < 3 - removes, quatint.detail.tooFew('e.setLangevin(c, kT, ''seed'', s)'); end
      if removes
        quatint_mex('set_langevin', obj.id, [], 0, 0, [], 0);
        obj.langevin = [];
        return
      end
      defaults = struct('seed', 0, 'flow', []);
      if isa(obj, 'quatint.Body')
        defaults.id = 0;
      end
      options = quatint.detail.options(varargin, defaults);
      noise = struct('coefficients', coefficients, 'kT', kT, 'seed', options.seed, 'flow', options.flow);
      if isfield(options, 'id')
        noise.id = options.id;
        quatint_mex('set_langevin', obj.id, coefficients, kT, options.seed, options.flow, options.id);
      else
        quatint_mex('set_langevin', obj.id, coefficients, kT, options.seed, options.flow, 0);
      end
      obj.langevin = noise;
    end

    function n = rowSize(obj, parts)
    % n = e.rowSize(parts)  The number of columns of e.rows(parts).
      if nargin < 2
        parts = 'all';
      end
      n = quatint_mex('row_size', obj.id, quatint.detail.text(parts));
    end

    function x = rows(obj, parts, bodies)
    % x = e.rows()                All that belongs to the bodies: a row for each body.
    % x = e.rows(parts)           Some parts, a name or several names in a cell or string array. The columns are in this order:
    %   'state'     w x y z, and the angular velocity in the body frame: 7
    %   'inertia'   principal moments, negative about locked axes, and the rotation from the principal axes to the body
    %               frame, w x y z: 7
    %   'torque'    parameters of the ready-made torque: 0, 1, 3 or 6; with a drag 6 more, its coefficients and the flow;
    %               with rotors 3 more, their momenta; with setLangevin 6 more, coefficients and flow
    %   'memory'    what the method keeps from step to step: none with 'pcdm'. NaN: it keeps nothing
    %   'all'       all of them (default)
    %   'id'        the 64 bits of the body's id in the place of a number, last; not in 'all'
    % x = e.rows(parts, bodies)   Of some bodies of an ensemble: their numbers from 1 in any order, a mask, or ':' (default).
    %
    % See also setRows, rowSize
      if nargin < 2
        parts = 'all';
      end
      if nargin < 3
        bodies = ':';
      end
      x = quatint_mex('get_body_rows', obj.id, quatint.detail.text(parts), quatint.detail.text(bodies));
    end

    function setRows(obj, x, parts, bodies)
    % e.setRows(x)                 Replace all that belongs to the bodies by rows from e.rows(), bit for bit.
    % e.setRows(x, parts)          Replace some parts by rows from e.rows(parts).
    % e.setRows(x, parts, bodies)  Of some bodies of an ensemble, as in rows. A single row is used for all of them.
    %
    % A body or an ensemble with the same torque, drag, method and clock, rotors, langevin and noiseDraws, set before the rows,
    % goes on with the same bits. If a row is refused, nothing has changed.
      if nargin < 2, quatint.detail.tooFew('e.setRows(x)'); end
      if nargin < 3
        parts = 'all';
      end
      if nargin < 4
        bodies = ':';
      end
      parts = quatint.detail.text(parts);
      quatint_mex('set_body_rows', obj.id, parts, quatint.detail.text(bodies), x);
      if any(ismember(lower(parts), {'inertia', 'all'}))
        obj.assignedInertia = [];
      end
    end

    function display(obj)
    % Octave and MATLAB call this for a statement without a semicolon.
      fprintf('%s =\n\n', inputname(1));
      disp(obj);
      fprintf('\n');
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

    function set.method(obj, method)
      quatint_mex('set_method', obj.id, quatint.detail.text(method));
    end

    function name = get.method(obj)
      name = quatint_mex('get_method', obj.id);
    end

    function set.q(obj, orientation)
      obj.orientation = orientation;
    end

    function q = get.q(obj)
      q = obj.orientation;
    end

    function set.omega(obj, angularVelocity)
      obj.angularVelocity = angularVelocity;
    end

    function omega = get.omega(obj)
      omega = obj.angularVelocity;
    end
  end

  methods (Access = protected)
    function assign(obj, pairs, names)
    % Assign the properties that a constructor was given by name, in the order of `names`.
      given = quatint.detail.options(pairs, cell2struct(cell(numel(names), 1), names(:), 1), true);
      for k = 1:numel(names)
        if isfield(given, names{k})
          obj.(names{k}) = given.(names{k});
        end
      end
    end

    function advanceAlone(obj, dt, steps, atOnce)
    % Many steps without functions of M code. Ctrl-C takes effect after each `atOnce` of them.
      before = 0;
      while steps > atOnce && steps <= flintmax()
        quatint_mex('advance', obj.id, dt, atOnce, before);
        steps = steps - atOnce;
        before = before + atOnce;
      end
      quatint_mex('advance', obj.id, dt, steps, before);
    end

    function takeStages(obj, dt, steps)
    % Many steps with a torque function, which is evaluated between two calls of quatint_mex.
      torque = obj.torque;
      id = obj.id;
      quatint_mex('begin_to_ask', id);
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
    end

    function [rows, every] = plan(~, steps, pairs)
    % How many states `record` returns, and the steps between them.
      options = quatint.detail.options(pairs, struct('every', 1));
      every = options.every;
      whole = @(x) isa(x, 'double') && isscalar(x) && isreal(x) && x >= 0 && x <= flintmax() && x == floor(x);
      if ~(whole(steps) && whole(every) && every > 0)
        error('quatint:Invalid', '`steps` must be a whole number >= 0, and `every` a whole number >= 1');
      end
      rows = floor(steps / every) + 1;
    end

    function gone = isDeleted(obj)
      gone = false;
      try
        quatint_mex('get_method', obj.id);
      catch err
        gone = strcmp(err.identifier, 'quatint:Deleted');
      end
    end

    function showCommon(obj, count)
    % The lines of disp about the states and what acts.
      quatint.detail.show('orientation', obj.orientation(1:count, :), '(w, x, y, z)');
      quatint.detail.show('angularVelocity', obj.angularVelocity(1:count, :), 'rad/s, world frame');
      if ~isempty(obj.assignedInertia) && size(obj.assignedInertia, 3) == 1
        quatint.detail.show('inertia', obj.assignedInertia, '');
      end
      quatint.detail.show('method', obj.method);
      quatint.detail.show('torque', name_of(obj.torque));
      if ~isempty(obj.drag)
        quatint.detail.show('drag', obj.drag(1:min(end, 3), :), '');
      end
      if ~isempty(obj.langevin)
        quatint.detail.show('langevin', sprintf('kT = %g, seed %s', obj.langevin.kT, num2str(obj.langevin.seed)));
        quatint.detail.show('', obj.langevin.coefficients(1:min(end, 3), :), '');
      end
    end

    function state = saved(obj, names)
    % The struct of saveobj, with these properties.
      state = struct('class', class(obj));
      for k = 1:numel(names)
        state.(names{k}) = obj.(names{k});
      end
      state.inertia = obj.assignedInertia;
      state.rows = obj.rows();
    end
  end
end

function name = name_of(torque)
  if isempty(torque)
    name = 'none';
  elseif isstruct(torque)
    name = torque.command;
  else
    name = func2str(torque);
  end
end
