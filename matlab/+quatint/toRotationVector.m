function rotationVector = toRotationVector(orientation)
% quatint.toRotationVector  Rotation vectors of orientations.
%
%   v = quatint.toRotationVector(q): the shortest, of length pi at most. q is n-by-4, v n-by-3.
%
%   See also quatint.fromRotationVector

  rotationVector = quatint_mex('to_rotation_vector', orientation);
end
