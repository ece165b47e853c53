function bench(counts)
% BENCH  Cost of a torque function for an ensemble, compared with the same torque as a C callback in the same run.
%
%   bench(COUNTS)    default: [1000 10000 100000 1000000]
%
%   For each torque and number of bodies, three measurements are interleaved in rounds: (1) steps with a C callback in
%   columns; (2) only the interpreter's evaluation of the torque function, twice a step; (3) steps with the torque function.
%   Times are medians, in ns per body and step. The ratio is the median of (3) / ((1) + (2)).

  if nargin < 1
    counts = [1000, 10000, 100000, 1000000];
  end
  torques = {'weight of a top', @weight; 'compass with drag', @compass};
  rounds = 11;
  dt = 1e-3;
  fprintf('%-20s %8s %12s %12s %12s %10s\n', 'torque', 'bodies', 'C callback', 'evaluating', 'function', 'ratio');
  for k = 1:2
    for count = counts
      steps = ceil(4e5 / count);
      torque = torques{k, 2};
      e = quatint.Ensemble(count);
      e.inertia = diag([1, 2, 3]);
      e.angularVelocity = [1, 1, 1];
      e.torque = torque;
      e.advance(dt, 3);
      [q, omega] = deal(e.orientation, e.angularVelocity);
      times = zeros(rounds, 3);
      for round = 1:rounds
        times(round, 1) = bench_mex(k, count, steps, dt);
        start = tic;
        for step = 1:2 * steps
          unused = torque(0, q, omega);
        end
        times(round, 2) = toc(start);
        start = tic;
        e.advance(dt, steps);
        times(round, 3) = toc(start);
      end
      ratio = median(times(:, 3) ./ (times(:, 1) + times(:, 2)));
      fprintf('%-20s %8d %12.1f %12.1f %12.1f %9.2fx\n', torques{k, 1}, count, median(times) / count / steps * 1e9, ratio);
    end
  end
end

function torque = weight(t, q, omega)
  torque = [-2 * (q(:, 3) .* q(:, 4) - q(:, 1) .* q(:, 2)), 2 * (q(:, 2) .* q(:, 4) + q(:, 1) .* q(:, 3)), zeros(size(q, 1), 1)];
end

function torque = compass(t, q, omega)
  [w, x, y, z] = deal(q(:, 1), q(:, 2), q(:, 3), q(:, 4));
  mz = 2 * (x .* z - w .* y);
  torque = [-mz * sin(t), mz * cos(t), (1 - 2 * (y.^2 + z.^2)) * sin(t) - 2 * (x .* y + w .* z) * cos(t)] - 0.1 * omega;
end
