% top_by_methods.m: a heavy top, by five methods with as many torques: how far it is off after 5 s, and its energy after 50 s.
% docs/methods.md says which method to take.
top = quatint.Body(diag([1, 1, 0.5]));
top.torque = quatint.uniformField([0, 0, 1], [0, 0, -9.81]);   % its weight
height = @(q) quatint.rotateToWorld(q, [0, 0, 1]) * [0; 0; 1];
energy = @() top.kineticEnergy + 9.81 * height(top.orientation);
runs = {'cf4', 50000; 'pcdm', 660; 'cf4', 330; 'splitting', 1320; 'splitting4', 220; 'splitting6', 120};
for k = 1:size(runs, 1)
  [method, steps] = runs{k, :};
  top.orientation = quatint.fromAxisAngle([1, 0, 0], 0.3);
  top.angularVelocity = [0, -6, 19];
  top.method = method;
  before = energy();
  top.advance(5 / steps, steps);
  if k == 1
    exact = top.orientation;                  % to 1e-12
  else
    off = quatint.angleBetween(top.orientation, exact);
    top.advance(5 / steps, 9 * steps);
    fprintf('%-10s  dt = %.4f   %.1e rad   energy %+.1e\n', method, 5 / steps, off, energy() - before);
  end
end

% It prints:
% pcdm        dt = 0.0076   1.8e-02 rad   energy +6.5e-02
% cf4         dt = 0.0152   1.2e-04 rad   energy -6.4e-04
% splitting   dt = 0.0038   2.2e-05 rad   energy -4.4e-06
% splitting4  dt = 0.0227   1.2e-09 rad   energy +9.7e-11
% splitting6  dt = 0.0417   9.1e-11 rad   energy +1.1e-12
