function conjugated = conjugate(orientation)
% quatint.conjugate  The inverses of orientations, (w, -x, -y, -z): world to body.
%
%   p = quatint.conjugate(q): n-by-4.
%
%   See also quatint.product, quatint.rotateToBody

  conjugated = quatint_mex('inverse', orientation);
end
