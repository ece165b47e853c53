function angularVelocity = fromEulerRates(angles, rates, sequence)
% quatint.fromEulerRates  Angular velocity from Euler (or Tait-Bryan) angles and their rates.
%
%   omega = quatint.fromEulerRates(angles, rates, sequence) is n-by-3, in rad/s, world frame. angles, in rad, and rates are
%   n-by-3, in the order of the sequence, which is as for quatint.fromEuler.
%
%   See also quatint.toEulerRates, quatint.fromEuler

  quatint.detail.need(nargin, 3, 'quatint.fromEulerRates(angles, rates, sequence)');
  if ~ischar(sequence)
    sequence = quatint.detail.text(sequence);
  end
  angularVelocity = quatint_mex('from_euler_rates', angles, rates, sequence);
end
