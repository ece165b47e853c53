function vectorBody = rotateToBody(orientation, vectorWorld)
% quatint.rotateToBody  Rotate vectors from the world frame to the body frame.
%
%   v = quatint.rotateToBody(q, v_world) is q^-1 v_world q, n-by-3.
%   Each argument is one vector for all rows, or a matrix with n rows. Quaternions are (w, x, y, z), body to world.
%
%   See also quatint.rotateToWorld

  if nargin < 2, quatint.detail.tooFew('quatint.rotateToBody(orientation, vectorWorld)'); end
  if isa(orientation, 'quaternion')
    orientation = quatint.detail.fourNumbers(orientation);
  end
  vectorBody = quatint_mex('rotate_inverse', orientation, vectorWorld);
end
