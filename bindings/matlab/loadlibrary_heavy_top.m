function loadlibrary_heavy_top(folder)
% LOADLIBRARY_HEAVY_TOP  The heavy top in MATLAB through loadlibrary and calllib, without a MEX file.
%
%   loadlibrary_heavy_top(FOLDER)    the installed prefix; default: the build tree this file is in, after `make`
%
%   calllib cannot pass functions. So the torque is either a ready-made one, or is computed here between the calls of the
%   stage protocol. The script integrates the top of c_examples/heavy_top.c both ways. The second way prints the same bits
%   as the C program.
%
%   MATLAB needs a C compiler (mex -setup C) once, to read the header:
%
%       loadlibrary('libquatint', 'quatint.h', 'mfilename', 'quatint_prototypes')
%
%   writes quatint_prototypes.m and a thunk library. With these two files next to libquatint, any MATLAB on the same
%   platform loads the library without a compiler: loadlibrary('libquatint', @quatint_prototypes).
%
%   Arguments of calllib: for a pointer, pass a number or array; calllib copies it. To read what C writes, pass a libpointer
%   and read its Value. [] is NULL. Handles (qi_body *, qi_ensemble *) are pointers that calllib returns and accepts. Arrays
%   are packed as in C, all components of the first body first: 4-by-N and 3-by-N in MATLAB.

  if ~libisloaded('libquatint')
    if nargin < 1
      here = fileparts(fileparts(fileparts(mfilename('fullpath'))));
      library = fullfile(here, 'target', 'release', 'libquatint');
      header = fullfile(here, 'include', 'quatint.h');
    else
      library = fullfile(folder, 'lib', 'libquatint');
      header = fullfile(folder, 'include', 'quatint.h');
    end
    loadlibrary(library, header);
  end

  inertia = diag([1, 1, 0.5]);                     % symmetric: rows and columns are the same
  dt = 1e-3;
  steps = 5000;
  [q, omega] = deal(libpointer('doublePtr', zeros(4, 1)), libpointer('doublePtr', zeros(3, 1)));
  check(calllib('libquatint', 'qi_orientation_from_axis_angle', [1, 0, 0], 0.3, q));   % leans by 0.3 rad
  check(calllib('libquatint', 'qi_rotate', q, [0, 0, 20], omega));                     % spins about its own axis

  fprintf('a ready-made torque: the weight as a uniform field\n');
  top = calllib('libquatint', 'qi_create_body', inertia, q, omega, []);
  if isNull(top)
    check(-1);
  end
  destroy_top = onCleanup(@() calllib('libquatint', 'qi_destroy_body', top));
  check(calllib('libquatint', 'qi_set_uniform_field_torque', top, [0, 0, 1], [0, 0, -1]));
  check(calllib('libquatint', 'qi_advance', top, dt, steps, []));
  [q_end, omega_end] = deal(libpointer('doublePtr', zeros(4, 1)), libpointer('doublePtr', zeros(3, 1)));
  check(calllib('libquatint', 'qi_get_orientation', top, q_end));
  check(calllib('libquatint', 'qi_get_angular_velocity', top, omega_end));
  report(q_end.Value, omega_end.Value);

  fprintf('the stage protocol: an ensemble of one, the torque computed here\n');
  e = calllib('libquatint', 'qi_create_ensemble', 1, []);
  if isNull(e)
    check(-1);
  end
  destroy_e = onCleanup(@() calllib('libquatint', 'qi_destroy_ensemble', e));
  check(calllib('libquatint', 'qi_set_inertias', e, inertia, 0));
  check(calllib('libquatint', 'qi_set_orientations', e, q, 4, 1));
  check(calllib('libquatint', 'qi_set_angular_velocities', e, omega, 3, 1));
  need_torque = 1;                                 % QI_NEED_TORQUE
  t = libpointer('doublePtr', 0);
  arm = libpointer('doublePtr', zeros(3, 1));
  for step = 1:steps
    check(calllib('libquatint', 'qi_begin_ensemble_step', e, dt));
    while check(calllib('libquatint', 'qi_next_ensemble_stage', e, t, q_end, omega_end)) == need_torque
      check(calllib('libquatint', 'qi_rotate', q_end, [0, 0, 1], arm));
      torque = [-arm.Value(2), arm.Value(1), 0];   % arm x weight; world frame
      check(calllib('libquatint', 'qi_supply_ensemble_torque', e, torque));
    end
  end
  check(calllib('libquatint', 'qi_get_orientations', e, q_end, 4, 1));
  check(calllib('libquatint', 'qi_get_angular_velocities', e, omega_end, 3, 1));
  report(q_end.Value, omega_end.Value);
end

function status = check(status)
% Raise an error if the status is negative. qi_last_error names the argument and the reason.
  if status < 0
    error('quatint:Failed', '%s', calllib('libquatint', 'qi_last_error'));
  end
end

function report(q, omega)
  fprintf('after 5 s it leans by %.4f rad\n', acos(1 - 2 * (q(2) * q(2) + q(3) * q(3))));
  bits = cellstr(num2hex([q(:); omega(:)]));
  fprintf('orientation      %s\n', sprintf(' %s', bits{1:4}));
  fprintf('angular velocity %s\n', sprintf(' %s', bits{5:7}));
end
