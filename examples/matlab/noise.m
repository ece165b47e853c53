% noise.m: dipoles in a field, in a fluid at a temperature: their mean cosine, and a run that goes on with the same bits.
% A seed or id above 2⁵³ must be of class uint64: docs/random.md.
x = 2;                                      % moment times field over kT
n = 20000;
gas = quatint.Ensemble(n);
again = quatint.Ensemble(n);
for e = {gas, again}
  e{1}.setPrincipalInertias([1 2 3]);
  e{1}.torque = quatint.uniformField([0 0 1], [0 0 x]);
  e{1}.method = 'splitting';
  e{1}.setLangevin([1 1 6], 1, 'seed', 42);
end

gas.advance(0.1, 200);
axes = quatint.rotateToWorld(gas.orientation, [0 0 1]);
error = std(axes(:, 3)) / sqrt(n);
fprintf('mean cosine %.4f +- %.4f; exact: coth x - 1 / x = %.4f\n', mean(axes(:, 3)), error, coth(x) - 1 / x);
fprintf('temperature %.3f of %d degrees of freedom\n', gas.temperature, gas.degreesOfFreedom);

rows = gas.rows({'all', 'id'});             % these, the clock and the draws are what your files need
again.clock = gas.clock;
again.noiseDraws = gas.noiseDraws;
again.setRows(rows, {'all', 'id'});
gas.advance(0.1, 50);
again.advance(0.1, 50);
fprintf('after %d draws the same bits: %d\n', gas.noiseDraws, isequal(gas.orientation, again.orientation));

% It prints:
% mean cosine 0.5364 +- 0.0029; exact: coth x - 1 / x = 0.5373
% temperature 1.006 of 60000 degrees of freedom
% after 250 draws the same bits: 1
