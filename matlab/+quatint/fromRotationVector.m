function orientation = fromRotationVector(rotationVector)
% quatint.fromRotationVector  Orientations of rotation vectors.
%
%   q = quatint.fromRotationVector(v): turned by the length of v (rad) about its direction. v is n-by-3, q n-by-4.
%
%   See also quatint.toRotationVector

  orientation = quatint_mex('from_rotation_vector', rotationVector);
end
