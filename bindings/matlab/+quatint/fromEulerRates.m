function angularVelocity = fromEulerRates(angles, rates, sequence)
% quatint.fromEulerRates  Angular velocity from Euler (or Tait-Bryan) angles and their rates.
%
%   omega = quatint.fromEulerRates(angles, rates, sequence) is n-by-3, in rad/s, world frame. angles, in rad, and rates are
%   n-by-3, in the order of the sequence, which is as for quatint.fromEuler.
%
%   See also quatint.toEulerRates, quatint.fromEuler

  if nargin < 3, quatint.detail.tooFew('quatint.fromEulerRates(angles, rates, sequence)'); end
  if ~ischar(sequence)
    sequence = quatint.detail.text(sequence);
  end
  angularVelocity = quatint_mex('from_euler_rates', angles, rates, sequence);
end
