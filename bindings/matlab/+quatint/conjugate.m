function conjugated = conjugate(orientation)
% quatint.conjugate  Inverse of orientations, (w, -x, -y, -z): world to body.
%
%   p = quatint.conjugate(q) is n-by-4, as is q.
%
%   See also quatint.product, quatint.rotateToBody

  if nargin < 1, quatint.detail.tooFew('quatint.conjugate(orientation)'); end
  if isa(orientation, 'quaternion')
    orientation = quatint.detail.fourNumbers(orientation);
  end
  conjugated = quatint_mex('inverse', orientation);
end
