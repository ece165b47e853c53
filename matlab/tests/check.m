function check(condition, varargin)
% An error with a message (as for sprintf) unless the condition holds in all elements.
  if ~all(condition(:))
    if nargin < 2
      error('check:failed', 'it does not hold');
    end
    error('check:failed', varargin{:});
  end
end
