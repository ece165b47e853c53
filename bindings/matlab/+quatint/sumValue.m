function values = sumValue(sums)
% quatint.sumValue  The double nearest to an exact sum.
%
%   energy = quatint.sumValue(e.kineticEnergySums)
%   momentum = quatint.sumValue(e.angularMomentumSums)             1-by-3
%   energy = quatint.sumValue(a.kineticEnergySums + b.kineticEnergySums)
%
%   An exact sum is a column of 68 numbers of class int64. The elements of two columns may be added: this adds the sums without
%   rounding. So the value does not depend on how bodies are spread over ensembles or programs.
%
%   See also quatint.addToSum, quatint.Ensemble

  if nargin < 1, quatint.detail.tooFew('quatint.sumValue(sums)'); end
  values = quatint_mex('values_of_sums', sums);
end
