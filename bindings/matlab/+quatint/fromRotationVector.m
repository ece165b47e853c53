function orientation = fromRotationVector(rotationVector)
% quatint.fromRotationVector  Orientation from a rotation vector.
%
%   q = quatint.fromRotationVector(v). The rotation axis is the direction of v, the angle (rad) its length. v is n-by-3, q
%   is n-by-4.
%
%   See also quatint.toRotationVector

  if nargin < 1, quatint.detail.tooFew('quatint.fromRotationVector(rotationVector)'); end
  orientation = quatint_mex('from_rotation_vector', rotationVector);
end
