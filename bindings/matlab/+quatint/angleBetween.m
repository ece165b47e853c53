function angle = angleBetween(a, b)
% quatint.angleBetween  Angle of the rotation from one orientation to another.
%
%   phi = quatint.angleBetween(a, b) is n-by-1, in rad, from 0 to pi.
%   Each argument is one vector for all rows, or a matrix with n rows. Quaternions are (w, x, y, z), body to world.
%
%   See also quatint.product

  if nargin < 2, quatint.detail.tooFew('quatint.angleBetween(a, b)'); end
  if isa(a, 'quaternion')
    a = quatint.detail.fourNumbers(a);
  end
  if isa(b, 'quaternion')
    b = quatint.detail.fourNumbers(b);
  end
  angle = quatint_mex('angle', a, b);
end
