function [axis, angle] = toAxisAngle(orientation)
% quatint.toAxisAngle  Axis and angle of an orientation.
%
%   [axis, angle] = quatint.toAxisAngle(q). axis is n-by-3, of unit length; for the identity it is (1, 0, 0). angle is
%   n-by-1, in rad, from 0 to pi.
%
%   See also quatint.fromAxisAngle

  if nargin < 1, quatint.detail.tooFew('quatint.toAxisAngle(orientation)'); end
  if isa(orientation, 'quaternion')
    orientation = quatint.detail.fourNumbers(orientation);
  end
  [axis, angle] = quatint_mex('to_axis_angle', orientation);
end
