function vectorWorld = rotateToWorld(orientation, vectorBody)
% quatint.rotateToWorld  Take vectors from the body to the world.
%
%   v = quatint.rotateToWorld(q, v_body) is q v_body q^-1: n-by-3.
%   Each may be a vector, one for all, or a matrix with a row for each item. (w, x, y, z), body to world.
%
%   See also quatint.rotateToBody, quatint.toMatrix

  vectorWorld = quatint_mex('rotate', orientation, vectorBody);
end
