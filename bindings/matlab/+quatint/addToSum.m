function sums = addToSum(sums, values)
% quatint.addToSum  Add values to exact sums, without rounding.
%
%   s = quatint.addToSum(s, values)
%
%   s is int64, 68-by-k, a column for each sum; start with zeros(68, k, 'int64'). values is n-by-k: each column is added to the
%   sum in the same column.
%
%   See also quatint.sumValue

  if nargin < 2, quatint.detail.tooFew('quatint.addToSum(sums, values)'); end
  sums = quatint_mex('add_to_sums', sums, values);
end
