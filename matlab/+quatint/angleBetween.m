function angle = angleBetween(a, b)
% quatint.angleBetween  Angles of the rotations from one orientation to another.
%
%   phi = quatint.angleBetween(a, b): n-by-1, rad, 0 to pi.
%   Each may be a vector, one for all, or a matrix with a row for each item. (w, x, y, z), body to world.
%
%   See also quatint.product

  angle = quatint_mex('angle', a, b);
end
