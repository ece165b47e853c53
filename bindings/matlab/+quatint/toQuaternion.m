function q = toQuaternion(orientation)
% quatint.toQuaternion  Orientations as an object of the class quaternion of MATLAB's toolboxes or of Octave's package.
%
%   q = quatint.toQuaternion(body.orientation). The class is that of the Aerospace, Navigation, Robotics System, Sensor Fusion or
%   UAV Toolbox, or in Octave of the package quaternion (pkg load quaternion). N-by-4 orientations give N-by-1 quaternions.
%
%   All functions of quatint take such objects for orientations. The orientation q leads from body to world: quatint.rotateToWorld(q,
%   v) is MATLAB's rotatepoint(q, v), and quatint.rotateToBody(q, v) is rotateframe(q, v).
%
%   See also quatint.fromQuaternion

  if nargin < 1, quatint.detail.tooFew('quatint.toQuaternion(orientation)'); end
  if isempty(which('quaternion'))
    error('quatint:NoClass', ['there is no class quaternion: MATLAB has it in a toolbox, such as the Navigation Toolbox, Octave in ' ...
          'a package (pkg load quaternion)']);
  end
  rows = quatint.detail.fourNumbers(orientation);
  if size(rows, 2) ~= 4
    rows = reshape(rows, 1, 4);
  end
  q = quaternion(rows(:, 1), rows(:, 2), rows(:, 3), rows(:, 4));
end
