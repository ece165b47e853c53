function [axis, angle] = toAxisAngle(orientation)
% quatint.toAxisAngle  Axes and angles of orientations.
%
%   [axis, angle] = quatint.toAxisAngle(q): n-by-3, of unit length, (1, 0, 0) where nothing is turned; n-by-1, 0 to pi.
%
%   See also quatint.fromAxisAngle

  [axis, angle] = quatint_mex('to_axis_angle', orientation);
end
