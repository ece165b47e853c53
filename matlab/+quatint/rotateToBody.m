function vectorBody = rotateToBody(orientation, vectorWorld)
% quatint.rotateToBody  Take vectors from the world to the body.
%
%   v = quatint.rotateToBody(q, v_world) is q^-1 v_world q: n-by-3.
%   Each may be a vector, one for all, or a matrix with a row for each item. (w, x, y, z), body to world.
%
%   See also quatint.rotateToWorld

  vectorBody = quatint_mex('rotate_inverse', orientation, vectorWorld);
end
