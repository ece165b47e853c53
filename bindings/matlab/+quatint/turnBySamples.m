function orientation = turnBySamples(orientation, angularVelocities, dt, varargin)
% quatint.turnBySamples  Turn an orientation through samples of its angular velocity at equal intervals.
%
%   q = quatint.turnBySamples(q, angularVelocities, dt)                  % world frame, rad/s
%   q = quatint.turnBySamples(q, angularVelocities, dt, 'frame', 'body') % as gyroscopes measure
%
%   angularVelocities is n-by-3, a row for each sample, dt apart. q turns from the first sample to the last one. Order 4, coning
%   included. Of a record in pieces, the last sample of a piece is the first one of the next.
%
%   See also quatint.turnOrientation, quatint.orientationRate

  if nargin < 3, quatint.detail.tooFew('quatint.turnBySamples(orientation, angularVelocities, dt)'); end
  given = quatint.detail.options(varargin, struct('frame', 'world'));
  orientation = quatint_mex('turn_by_samples', quatint.detail.fourNumbers(orientation), angularVelocities, dt, ...
                            quatint.detail.text(given.frame));
end
