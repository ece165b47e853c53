function test_cases()
% Play the cases of tests/data/cases.txt: tests/rust/cases.rs says what their words mean.
  statements = regexp(fileread(table_of_cases()), '\n', 'split');
  count = 0;
  name = '';
  for k = 1:numel(statements)
    words = strsplit(strtrim(statements{k}), ' ');
    switch words{1}
      case {'', '#'}
        % says nothing
      case 'case'
        passed(name);
        name = strjoin(words(2:end), ' ');
        count = count + 1;
      case {'body', 'ensemble'}
        subject = made(words{1}, numbers_of(words(2:end)));
      case 'expect'
        expect(name, subject, words{2}, numbers_of(words(3:end)));
      otherwise
        play(subject, words{1}, numbers_of(words(2:end)), words(2:end));
    end
  end
  passed(name);
  check(count > 70, 'the table has %d cases', count);
end

function path = table_of_cases()
  root = fullfile(fileparts(mfilename('fullpath')), '..', '..', '..');
  path = fullfile(root, 'tests/data/cases.txt');
end

function passed(name)
  if ~isempty(name)
    fprintf('ok %s\n', name);
  end
end

function a = numbers_of(words)
% The numbers at the beginning, up to a word that is none.
  a = str2double(words);
  none = find(isnan(a), 1);
  if ~isempty(none)
    a = a(1:none-1);
  end
end

function n = whole(word)
% A number of 64 bits, of which str2double loses some.
  n = uint64(0);
  for digit = uint64(word - '0')
    n = 10 * n + digit;
  end
end

function r = rows_of(a, width)
% A row for each body, or one for all.
  r = reshape(a, width, [])';
end

function m = matrices(a)
% A page for each body, or one for all.
  m = permute(reshape(a, 3, 3, []), [2 1 3]);
end

function name = camel_case(name)
  parts = strsplit(name, '_');
  for k = 2:numel(parts)
    parts{k}(1) = upper(parts{k}(1));
  end
  name = [parts{:}];
end

function name = property_of(noun)
  switch noun
    case 'orientations'
      name = 'orientation';
    case 'angular_velocities'
      name = 'angularVelocity';
    case 'angular_momenta'
      name = 'angularMomentum';
    case 'kinetic_energies'
      name = 'kineticEnergy';
    otherwise
      name = camel_case(noun);
  end
end

function expect(name, subject, noun, expected)
  got = double(subject.(property_of(noun)))';
  got = got(:)';
  check(isequal(size(got), size(expected)), '%s: %s has %d numbers', name, noun, numel(got));
  check(isequal(num2hex(got), num2hex(expected)), '%s: %s is %s', name, noun, mat2str(got, 17));
end

function subject = made(word, a)
  if strcmp(word, 'ensemble')
    subject = quatint.Ensemble(a);
  else
    subject = quatint.Body(matrices(a(1:9)), a(10:13), a(14:16));
  end
end

function play(subject, word, a, words)
% Do to a body or an ensemble what a line of the table says.
  switch word
    case {'method', 'solve_method'}
      subject.(camel_case(word)) = words{1};
    case {'time', 'clock', 'angular_momentum', 'rotor_torque'}
      subject.(camel_case(word)) = a;
    case {'rotor_momentum', 'angular_velocities', 'angular_momenta'}
      subject.(property_of(word)) = rows_of(a, 3);
    case 'orientations'
      subject.orientation = rows_of(a, 4);
    case 'noise_draws'
      subject.noiseDraws = whole(words{1});
    case 'ids'
      subject.ids = cellfun(@whole, words);
    case 'active'
      subject.active = a + 1;  % the table counts from 0
    case 'drag'
      subject.setDrag(rows_of(a(1:end-3), 3), 'flow', a(end-2:end));
    case 'langevin'
      set_langevin(subject, a, words);
    case {'inertia', 'inertias', 'principal_inertias'}
      set_inertia(subject, word, a, words{end});
    case {'state', 'state_body', 'lock_axes', 'advance', 'drift', 'thermalize', ...
          'scale_angular_momenta', 'kick', 'kick_drift', 'solve'}
      move(subject, word, a, words{end});
    otherwise
      subject.torque = torque_of(word, a, words{end});
  end
end

function set_langevin(subject, a, words)
% The seed is the last word; of a body it is the last but one, and the id the last.
  is_body = isa(subject, 'quatint.Body');
  seed = whole(words{end-is_body});
  a = a(1:end-1-is_body);
  options = {'seed', seed, 'flow', a(end-3:end-1)};
  if is_body
    options = [options, {'id', whole(words{end})}];
  end
  subject.setLangevin(rows_of(a(1:end-4), 3), a(end), options{:});
end

function set_inertia(subject, word, a, keep)
  switch word
    case 'inertia'
      subject.setInertia(matrices(a), camel_case(keep));
    case 'inertias'
      subject.inertia = matrices(a);
    case 'principal_inertias'
      subject.setPrincipalInertias(rows_of(a, 3));
  end
end

function move(subject, word, a, last)
  switch word
    case 'state'
      subject.orientation = a(1:4);
      subject.angularVelocity = a(5:7);
    case 'state_body'
      subject.orientation = a(1:4);
      subject.angularVelocityBody = a(5:7);
    case 'lock_axes'
      subject.lockAxes(last);
    case 'advance'
      subject.advance(a(1), a(2));
    case 'drift'
      subject.drift(a);
    case 'thermalize'
      subject.thermalize(a);
    case 'scale_angular_momenta'
      subject.scaleAngularMomenta(a);
    case 'kick'
      subject.kick(a(1), rows_of(a(2:end), 3), 'frame', last);
    case 'kick_drift'
      subject.kickDrift(a(1), a(2), rows_of(a(3:end), 3), 'frame', last);
    case 'solve'
      subject.solve(a(1), a(2));
  end
end

function torque = torque_of(word, a, frame)
  switch word
    case 'constant_torque'
      torque = quatint.constantTorque(rows_of(a, 3), 'frame', frame);
    case 'uniform_field_torque'
      torque = quatint.uniformField(rows_of(a(1:end-3), 3), a(end-2:end));
    case 'gravity_gradient_torque'
      torque = quatint.gravityGradient(a(1:3), a(4:end)');
    case 'linear_drag_torque'
      torque = quatint.linearDrag(rows_of(a, 3));
    case 'shear_flow_torque'
      torque = quatint.shearFlow(rows_of(a(1:end-10), 3), a(end-9), matrices(a(end-8:end)));
    otherwise
      error('check:failed', 'no such word: %s', word);
  end
end
