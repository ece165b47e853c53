function orientation = fromMrp(parameters)
% quatint.fromMrp  Orientation from modified Rodrigues parameters, tan(angle/4) * axis.
%
%   q = quatint.fromMrp(parameters). parameters is n-by-3, of any length; those longer than 1 are of the shadow set. q is n-by-4.
%
%   See also quatint.toMrp, quatint.fromRotationVector

  if nargin < 1, quatint.detail.tooFew('quatint.fromMrp(parameters)'); end
  orientation = quatint_mex('from_mrp', parameters);
end
