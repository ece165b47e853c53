function rates = toEulerRates(angles, angularVelocity, sequence)
% quatint.toEulerRates  Rates of Euler (or Tait-Bryan) angles from an angular velocity.
%
%   rates = quatint.toEulerRates(angles, omega, sequence) is n-by-3, in rad/s, in the order of the sequence. omega, n-by-3, is in
%   the world frame. At gimbal lock, where the first and the third axis are parallel, there are no rates: quatint:Invalid.
%
%   See also quatint.fromEulerRates, quatint.toEuler

  if nargin < 3, quatint.detail.tooFew('quatint.toEulerRates(angles, angularVelocity, sequence)'); end
  if ~ischar(sequence)
    sequence = quatint.detail.text(sequence);
  end
  rates = quatint_mex('to_euler_rates', angles, angularVelocity, sequence);
end
