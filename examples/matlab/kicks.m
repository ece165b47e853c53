% kicks.m: a chain of magnets with one torque evaluation a step: held over the step, and by kick and drift.
% See docs/kicks.md.
n = 50;
dt = 0.01;
moments = @(q) quatint.rotateToWorld(q, [1, 0, 0]);
around = @(m) [m(2:n, :); 0 0 0] + [0 0 0; m(1:n - 1, :)];
weigh = @(field) [-field(:, 1), -field(:, 2), 2 * field(:, 3)];   % neighbours lie along z
torques_of = @(q) cross(moments(q), weigh(around(moments(q))), 2);
for way = {'held', 'kick and drift'}
  chain = quatint.Ensemble(n);
  chain.orientation = quatint.fromAxisAngle([0, 1, 0.2], 0.1 * (1:n)');
  torques = torques_of(chain.orientation);
  for step = 1:1000
    if strcmp(way{1}, 'held')
      chain.torque = quatint.constantTorque(torques);
      chain.step(dt);
      torques = torques_of(chain.orientation);
    else
      chain.kickDrift(dt / 2, dt, torques);
      torques = torques_of(chain.orientation);
      chain.kick(dt / 2, torques);
    end
    if step == 1 || mod(step, 500) == 0
      m = moments(chain.orientation);
      energy = chain.totalKineticEnergy - sum(sum(m(1:n - 1, :) .* weigh(m(2:n, :))));
      fprintf('%-14s   t = %5.2f   energy %10.5f\n', way{1}, chain.time, energy);
    end
  end
end

% It prints:
% held             t =  0.01   energy  -26.92968
% held             t =  5.00   energy  -22.09473
% held             t = 10.00   energy  -16.93343
% kick and drift   t =  0.01   energy  -26.92968
% kick and drift   t =  5.00   energy  -26.93192
% kick and drift   t = 10.00   energy  -26.93167
