% rotations.m: Euler angles, and a vector that they rotate.
% All functions of rotations take many rows; a single vector is used for all. `fromAxisAngle`,
% `fromRotationVector`, `fromMatrix`, `fromEuler(angles, 'ZXZ')` and `fromMrp` have inverses
% `toAxisAngle` and so on; there are `product`, `conjugate`, `slerp`, `angleBetween`,
% `fromEulerRates` and `toEulerRates`.

q = quatint.fromEuler([30, 20, 10] * pi / 180, 'ZYX');
disp(quatint.toMatrix(q));
[axis, angle] = quatint.toAxisAngle(q);
fprintf('%.4f rad about (%.4f, %.4f, %.4f)\n', angle, axis);

% It prints:
%    0.813798  -0.440970   0.378522
%    0.469846   0.882564   0.018028
%   -0.342020   0.163176   0.925417
% 0.6251 rad about (0.1240, 0.6156, 0.7782)
