function matrix = toMatrix(orientation)
% quatint.toMatrix  Rotation matrix of an orientation.
%
%   R = quatint.toMatrix(q), with v_world = R * v_body. q is n-by-4, R is 3-by-3-by-n.
%
%   See also quatint.fromMatrix, quatint.rotateToWorld

  if nargin < 1, quatint.detail.tooFew('quatint.toMatrix(orientation)'); end
  if isa(orientation, 'quaternion')
    orientation = quatint.detail.fourNumbers(orientation);
  end
  matrix = quatint_mex('to_matrix', orientation);
end
