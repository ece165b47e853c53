function orientation = product(a, b)
% quatint.product  Products of orientations: turned by b first, then by a.
%
%   q = quatint.product(a, b): n-by-4.
%   Each may be a vector, one for all, or a matrix with a row for each item. (w, x, y, z), body to world.
%
%   See also quatint.conjugate, quatint.rotateToWorld

  orientation = quatint_mex('product', a, b);
end
