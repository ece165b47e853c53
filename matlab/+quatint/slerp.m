function orientation = slerp(a, b, t)
% quatint.slerp  Between two orientations, along the shortest arc (slerp).
%
%   q = quatint.slerp(a, b, t): a at t = 0, b at t = 1, n-by-4. t is a number or n-by-1; beyond 0 and 1 the rotation
%   goes on.
%
%   See also quatint.product

  orientation = quatint_mex('slerp', a, b, t);
end
