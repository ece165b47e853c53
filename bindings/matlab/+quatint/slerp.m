function orientation = slerp(a, b, t)
% quatint.slerp  Interpolate between two orientations along the shortest arc (slerp).
%
%   q = quatint.slerp(a, b, t) is n-by-4: a at t = 0, b at t = 1. t is a number or n-by-1. Outside 0 to 1 the rotation is
%   extrapolated.
%
%   See also quatint.product

  if nargin < 3, quatint.detail.tooFew('quatint.slerp(a, b, t)'); end
  if isa(a, 'quaternion')
    a = quatint.detail.fourNumbers(a);
  end
  if isa(b, 'quaternion')
    b = quatint.detail.fourNumbers(b);
  end
  orientation = quatint_mex('slerp', a, b, t);
end
