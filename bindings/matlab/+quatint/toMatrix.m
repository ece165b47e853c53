function matrix = toMatrix(orientation)
% quatint.toMatrix  Rotation matrix of an orientation.
%
%   R = quatint.toMatrix(q), with v_world = R * v_body. q is n-by-4, R is 3-by-3-by-n.
%
%   See also quatint.fromMatrix, quatint.rotateToWorld

  quatint.detail.need(nargin, 1, 'quatint.toMatrix(orientation)');
  if isa(orientation, 'quaternion')
    orientation = quatint.detail.fourNumbers(orientation);
  end
  matrix = quatint_mex('to_matrix', orientation);
end
