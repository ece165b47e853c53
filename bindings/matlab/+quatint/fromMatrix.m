function orientation = fromMatrix(matrix)
% quatint.fromMatrix  Orientation from a rotation matrix.
%
%   q = quatint.fromMatrix(R), with v_world = R * v_body. R is 3-by-3-by-n, q is n-by-4.
%
%   See also quatint.toMatrix

  quatint.detail.need(nargin, 1, 'quatint.fromMatrix(matrix)');
  orientation = quatint_mex('from_matrix', matrix);
end
