function orientation = fromAxisAngle(axis, angle)
% quatint.fromAxisAngle  Orientations turned by an angle about an axis.
%
%   q = quatint.fromAxisAngle(axis, angle): n-by-4, (w, x, y, z). The axis is of any length but 0, the angle in rad.
%   axis is a vector or n-by-3, angle a number or n-by-1.
%
%   See also quatint.toAxisAngle, quatint.fromRotationVector

  orientation = quatint_mex('from_axis_angle', axis, angle);
end
