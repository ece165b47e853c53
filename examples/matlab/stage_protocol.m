% stage_protocol.m: a chain of magnets, each in the field of its neighbours.
% See docs/ensembles.md.
n = 50;
chain = quatint.Ensemble(n);
chain.orientation = quatint.fromAxisAngle([0, 1, 0.2], 0.1 * (1:n)');
moments = @(q) quatint.rotateToWorld(q, [1, 0, 0]);
around = @(m) [m(2:n, :); 0 0 0] + [0 0 0; m(1:n - 1, :)];
weigh = @(field) [-field(:, 1), -field(:, 2), 2 * field(:, 3)];   % neighbours lie along z
chain.torque = @(t, q, omega) cross(moments(q), weigh(around(moments(q))), 2);
for row = 1:2
  chain.advance(0.005, 1000);
  m = moments(chain.orientation);
  energy = chain.totalKineticEnergy - sum(sum(m(1:n - 1, :) .* weigh(m(2:n, :))));
  fprintf('t = %4.1f   energy %10.5f\n', chain.time, energy);
end

% It prints:
% t =  5.0   energy  -26.92951
% t = 10.0   energy  -26.92941
