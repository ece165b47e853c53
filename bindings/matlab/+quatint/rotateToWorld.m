function vectorWorld = rotateToWorld(orientation, vectorBody)
% quatint.rotateToWorld  Rotate vectors from the body frame to the world frame.
%
%   v = quatint.rotateToWorld(q, v_body) is q v_body q^-1, n-by-3.
%   Each argument is one vector for all rows, or a matrix with n rows. Quaternions are (w, x, y, z), body to world.
%
%   See also quatint.rotateToBody, quatint.toMatrix

  if nargin < 2, quatint.detail.tooFew('quatint.rotateToWorld(orientation, vectorBody)'); end
  if isa(orientation, 'quaternion')
    orientation = quatint.detail.fourNumbers(orientation);
  end
  vectorWorld = quatint_mex('rotate', orientation, vectorBody);
end
