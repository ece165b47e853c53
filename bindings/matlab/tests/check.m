function check(condition, varargin)
% Raise an error with a message (arguments as for sprintf) unless all elements of the condition are true.
  if ~all(condition(:))
    if nargin < 2
      error('check:failed', 'the condition is false');
    end
    error('check:failed', varargin{:});
  end
end
