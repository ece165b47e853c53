function orientation = fromMatrix(matrix)
% quatint.fromMatrix  Orientation from a rotation matrix.
%
%   q = quatint.fromMatrix(R), with v_world = R * v_body. R is 3-by-3-by-n, q is n-by-4.
%
%   See also quatint.toMatrix

  if nargin < 1, quatint.detail.tooFew('quatint.fromMatrix(matrix)'); end
  orientation = quatint_mex('from_matrix', matrix);
end
