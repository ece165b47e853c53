function orientation = turnOrientation(orientation, start, finish, steps, rate, varargin)
% quatint.turnOrientation  Turn an orientation with a given angular velocity, from one time to another.
%
%   q = quatint.turnOrientation(q, start, finish, steps, @(t) [...])                  % world frame, rad/s
%   q = quatint.turnOrientation(q, start, finish, steps, @(t) [...], 'frame', 'body')
%
%   For gyroscopes, drums, paddles and other bodies whose motion is prescribed. rate(t) returns three numbers. It is called twice
%   a step, before anything turns. Order 4, coning included. finish may lie before start.
%
%   See also quatint.turnBySamples, quatint.orientationRate

  if nargin < 5, quatint.detail.tooFew('quatint.turnOrientation(orientation, start, finish, steps, rate)'); end
  given = quatint.detail.options(varargin, struct('frame', 'world'));
  times = quatint_mex('turn_times', steps, start, finish);
  rates = zeros(numel(times), 3);
  for k = 1:numel(times)
    omega = rate(times(k));
    if ~isnumeric(omega) || numel(omega) ~= 3
      error('quatint:Size', 'an angular velocity is three numbers; the function returned %s of %s', class(omega), ...
            mat2str(size(omega)));
    end
    rates(k, :) = omega;
  end
  orientation = quatint_mex('turn_orientation', quatint.detail.fourNumbers(orientation), start, finish, steps, rates, ...
                            quatint.detail.text(given.frame));
end
