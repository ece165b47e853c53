function orientation = fromEuler(angles, sequence)
% quatint.fromEuler  Orientation from Euler (or Tait-Bryan) angles.
%
%   q = quatint.fromEuler(angles, sequence). angles is n-by-3, in rad, in the order of the sequence; q is n-by-4.
%   A sequence in lower case, such as 'xyz', rotates about the world axes (extrinsic); in upper case, such as 'ZXZ', about
%   the body axes (intrinsic).
%
%   See also quatint.toEuler

  if nargin < 2, quatint.detail.tooFew('quatint.fromEuler(angles, sequence)'); end
  if ~ischar(sequence)
    sequence = quatint.detail.text(sequence);
  end
  orientation = quatint_mex('from_euler', angles, sequence);
end
