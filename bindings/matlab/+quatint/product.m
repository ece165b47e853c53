function orientation = product(a, b)
% quatint.product  Product of orientations: rotate by b first, then by a.
%
%   q = quatint.product(a, b) is n-by-4.
%   Each argument is one vector for all rows, or a matrix with n rows. Quaternions are (w, x, y, z), body to world.
%
%   See also quatint.conjugate, quatint.rotateToWorld

  if nargin < 2, quatint.detail.tooFew('quatint.product(a, b)'); end
  if isa(a, 'quaternion')
    a = quatint.detail.fourNumbers(a);
  end
  if isa(b, 'quaternion')
    b = quatint.detail.fourNumbers(b);
  end
  orientation = quatint_mex('product', a, b);
end
