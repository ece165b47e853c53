function parameters = toMrp(orientation)
% quatint.toMrp  Modified Rodrigues parameters of an orientation, tan(angle/4) * axis.
%
%   parameters = quatint.toMrp(q) is n-by-3, of at most unit length, for angles up to pi.
%
%   See also quatint.fromMrp, quatint.toRotationVector

  if nargin < 1, quatint.detail.tooFew('quatint.toMrp(orientation)'); end
  if isa(orientation, 'quaternion')
    orientation = quatint.detail.fourNumbers(orientation);
  end
  parameters = quatint_mex('to_mrp', orientation);
end
