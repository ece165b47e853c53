% migration.m: bodies that cross the middle move from one ensemble to the other; their total energy is exact.
% Bodies are numbers from 1, in any order, or a mask, or `':'`. Parts of rows have names:
% `'state'`, `'id'` and so on; `'all'` is all but `'id'`. `resize` to more bodies makes a
% splitting method forget its last torque. To keep it, make room with `e.select([1:e.count, 1,
% 1])` and set all parts of the new rows. `torque`, `drag` and `flow` show what was assigned;
% `e.rows('torque')` shows the parameters as they are.
n = 6;
[left, right] = deal(quatint.Ensemble(n), quatint.Ensemble(0));
[left.torque, right.torque] = deal(quatint.uniformField([0, 0, 1], [0, 0, -1]));
left.orientation = quatint.fromAxisAngle([1, 0, 0], 0.2 * (1:n)');
place = linspace(-1, -0.1, n)';             % of the bodies on the left; yours come from your code
for part = 1:3
  left.advance(0.01, 20);
  right.advance(0.01, 20);
  place = place + 0.3;
  leaving = place > 0;                      % a mask
  x = left.rows('all', leaving);
  first = right.count + 1;
  right.resize(right.count + size(x, 1));
  right.setRows(x, 'all', first:right.count);
  left.select(~leaving);
  place = place(~leaving);
  energy = quatint.sumValue(left.kineticEnergySums + right.kineticEnergySums);
  fprintf('left %d, right %d, energy %.6f\n', left.count, right.count, energy);
end

% It prints:
% left 4, right 2, energy 0.052424
% left 3, right 3, energy 0.214405
% left 1, right 5, energy 0.499512
