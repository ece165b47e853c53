function [moments, orientation] = principalAxes(inertia)
% quatint.principalAxes  Principal moments and axes of an inertia tensor, as the library computes with them.
%
%   [moments, q] = quatint.principalAxes(inertia)
%
%   inertia is 3-by-3-by-n, moments is n-by-3. q, n-by-4, leads from the principal axes to the body axes: with
%   R = quatint.toMatrix(q), inertia = R * diag(moments) * R'.
%
%   See also quatint.Mass, quatint.toMatrix

  if nargin < 1, quatint.detail.tooFew('quatint.principalAxes(inertia)'); end
  [moments, orientation] = quatint_mex('principal_axes', inertia);
end
