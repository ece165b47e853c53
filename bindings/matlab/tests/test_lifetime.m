function test_lifetime()
  run_tests({@what_is_let_go_is_destroyed, @what_is_deleted_is_an_error, @delete_may_be_called_twice, ...
    @clear_all_leaves_the_bodies_that_are_alive, @many_objects_come_and_go, @a_constructor_that_fails_leaves_nothing, ...
    @the_mex_function_withstands_everything, @ids_are_not_used_twice, @every_page_of_help_is_there});
end

function n = alive()
  n = quatint_mex('alive');
end

function what_is_let_go_is_destroyed()
  before = alive();
  b = quatint.Body(eye(3));
  c = b;
  b.torque = @(t, q, omega) -omega;
  check(alive() == before + 1);
  b = 1;
  check(alive() == before + 1);
  clear c
  check(alive() == before);
  made_and_left();
  check(alive() == before);
end

function made_and_left()
  e = quatint.Ensemble(10);
  e.step(0.1);
end

function what_is_deleted_is_an_error()
  for object = {quatint.Body(eye(3)), quatint.Ensemble(3)}
    o = object{1};
    delete(o);
    actions = {@() o.step(0.1), @() o.advance(0.1, 3), @() o.record(0.1, 3), @() o.orientation, @() o.angularVelocity, ...
               @() o.angularVelocityBody, @() o.time, @() o.kineticEnergy, @() o.angularMomentum, ...
               @() o.noiseDraws, @() o.method, @() set_property(o, 'orientation', [1 0 0 0]), ...
               @() set_property(o, 'angularVelocity', [1 0 0]), @() set_property(o, 'time', 0), ...
               @() set_property(o, 'inertia', eye(3)), @() set_property(o, 'torque', []), ...
               @() set_property(o, 'torque', @sin), @() set_property(o, 'method', 'cf4')};
    for k = 1:numel(actions)
      fails_with('quatint:Deleted', actions{k}, 'this object has been deleted');
    end
  end
  b = quatint.Body(eye(3));
  b.torque = @(t, q, omega) -omega;
  delete(b);
  fails_with('quatint:Deleted', @() b.step(0.1));
end

function delete_may_be_called_twice()
  before = alive();
  b = quatint.Body(eye(3));
  delete(b);
  delete(b);
  check(alive() == before);
end

function clear_all_leaves_the_bodies_that_are_alive()
  b = quatint.Body(eye(3), [], [1 2 3]);
  delete(quatint.Body(eye(3)));
  check(mislocked('quatint_mex'));
  evalin('base', 'clear all');
  evalin('base', 'clear functions');
  clear quatint_mex
  b.step(0.1);
  check(b.time == 0.1 && alive() >= 1);
end

function many_objects_come_and_go()
  before = alive();
  objects = cell(1, 300);
  for k = 1:300
    objects{k} = quatint.Body(k * eye(3));
  end
  for k = 2:2:300
    delete(objects{k});
  end
  for k = 2:2:300
    objects{k} = quatint.Body(k * eye(3));
  end
  for k = 1:300
    objects{k}.angularVelocity = [1 0 0];
    check(abs(objects{k}.angularMomentum(1) - k) < 1e-12);
  end
  objects = [];
  check(alive() == before);
end

function a_constructor_that_fails_leaves_nothing()
  before = alive();
  fails_with('quatint:Inertia', @() quatint.Body(-eye(3)));
  fails_with('quatint:Size', @() quatint.Body(eye(3), [1 0 0]));
  check(alive() == before);
end

% Call every command with every number of arguments of every kind. It may accept or refuse them, but it must return.
function the_mex_function_withstands_everything()
  source = fileread(fullfile(fileparts(which('quatint_mex')), 'src', 'quatint_mex.c'));
  commands = regexp(source, '\n    \{"(\w+)", ', 'tokens');
  check(numel(commands) > 35);
  junk = {[], 0, 1, -1, NaN, Inf, 1e300, 2^22, 1.5, 'x', '', {}, {1}, single(1), int32(1), true, 1i, sparse(1), @sin, ...
          struct(), eye(3), eye(4), ones(3, 4), zeros(0, 3), ones(3, 3, 2), ones(2, 2, 2, 2), 1:3, (1:4)'};
  e = quatint.Ensemble(3);
  for id = {quatint_mex('create', 3), quatint_mex('create', 1), quatint_mex('create_body', eye(3)), 0, 7, 'id'}
    for c = 1:numel(commands)
      for n = 0:5
        for k = 1:numel(junk)
          arguments = junk(mod(k + (0:n - 1) * 7 - 1, numel(junk)) + 1);
          attempt(commands{c}{1}, id{1}, arguments{:});
          attempt(commands{c}{1}, arguments{:});
        end
      end
    end
    if isnumeric(id{1}), quatint_mex('destroy', id{1}); end
  end
  for k = 1:numel(junk)
    attempt(junk{k});
  end
  attempt();
  e.step(0.1);
  check(e.time == 0.1);
end

function attempt(varargin)
  if nargin > 0 && ischar(varargin{1}) && any(strcmp(varargin{1}, {'create', 'resize', 'set_threads', 'advance', 'begin'})) && ...
      any(cellfun(@(a) isnumeric(a) && any(real(a(:)) > 1e4), varargin(max(2, end):end)))
    return  % the command would accept so many threads, bodies or steps, which is too many for a test
  end
  try
    [a, b, c] = quatint_mex(varargin{:});
  catch err
    known = strncmp(err.identifier, 'quatint:', 8) || ~isempty(strfind(err.message, 'undefined'));
    check(known, '%s: %s', err.identifier, err.message);
  end
end

function ids_are_not_used_twice()
  a = quatint_mex('create', 1);
  quatint_mex('destroy', a);
  b = quatint_mex('create', 1);
  check(a ~= b);
  fails_with('quatint:Deleted', @() quatint_mex('get_time', a));
  quatint_mex('destroy', b);
  quatint_mex('destroy', b);
  quatint_mex('cancel', b);
end

function every_page_of_help_is_there()
  folder = fullfile(fileparts(which('quatint_mex')), '+quatint');
  files = dir(fullfile(folder, '*.m'));
  check(numel(files) > 15);
  for k = 1:numel(files)
    [~, name] = fileparts(files(k).name);
    text = get_help_text(['quatint.' name]);
    check(~isempty(strfind(text, ['quatint.' name])) && numel(text) > 60, 'help quatint.%s: %s', name, text);
  end
  check(~isempty(strfind(get_help_text('build_quatint'), 'BUILD_QUATINT')));
end
