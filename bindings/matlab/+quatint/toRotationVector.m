function rotationVector = toRotationVector(orientation)
% quatint.toRotationVector  Rotation vector of an orientation.
%
%   v = quatint.toRotationVector(q) is the shortest one: its length is at most pi. q is n-by-4, v is n-by-3.
%
%   See also quatint.fromRotationVector

  if nargin < 1, quatint.detail.tooFew('quatint.toRotationVector(orientation)'); end
  if isa(orientation, 'quaternion')
    orientation = quatint.detail.fourNumbers(orientation);
  end
  rotationVector = quatint_mex('to_rotation_vector', orientation);
end
