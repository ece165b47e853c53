function orientation = fromQuaternion(q)
% quatint.fromQuaternion  Orientations, N-by-4 (w, x, y, z), from objects of a class quaternion.
%
%   orientation = quatint.fromQuaternion(q). The class is that of MATLAB's toolboxes or of Octave's package quaternion; see
%   quatint.toQuaternion. The numbers are those of q.
%
%   See also quatint.toQuaternion

  if nargin < 1, quatint.detail.tooFew('quatint.fromQuaternion(q)'); end
  orientation = quatint.detail.fourNumbers(q);
end
