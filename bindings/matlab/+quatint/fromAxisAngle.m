function orientation = fromAxisAngle(axis, angle)
% quatint.fromAxisAngle  Orientation from an axis and an angle.
%
%   q = quatint.fromAxisAngle(axis, angle) is n-by-4, (w, x, y, z). The axis may have any length except 0; the angle is in
%   rad. axis is a vector or n-by-3, angle a number or n-by-1.
%
%   See also quatint.toAxisAngle, quatint.fromRotationVector

  if nargin < 2, quatint.detail.tooFew('quatint.fromAxisAngle(axis, angle)'); end
  orientation = quatint_mex('from_axis_angle', axis, angle);
end
