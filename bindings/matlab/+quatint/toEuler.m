function angles = toEuler(orientation, sequence)
% quatint.toEuler  Euler (or Tait-Bryan) angles of an orientation.
%
%   angles = quatint.toEuler(q, sequence) is n-by-3, in rad. The sequence is as for quatint.fromEuler. The first and third
%   angles are in (-pi, pi]. The second is in [0, pi] if the first and third axes are the same, else in [-pi/2, pi/2]. In
%   gimbal lock the third angle is 0.
%
%   See also quatint.fromEuler

  if nargin < 2, quatint.detail.tooFew('quatint.toEuler(orientation, sequence)'); end
  if isa(orientation, 'quaternion')
    orientation = quatint.detail.fourNumbers(orientation);
  end
  if ~ischar(sequence)
    sequence = quatint.detail.text(sequence);
  end
  angles = quatint_mex('to_euler', orientation, sequence);
end
