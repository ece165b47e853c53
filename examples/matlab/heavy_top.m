function heavy_top()
% HEAVY_TOP  A leaning, spinning top; the torque comes from a function: c_examples/heavy_top.c, with the same output.
%
%   A top with a fixed point. Its centre of mass is on its axis (body z); weight times arm is 1. It precesses and
%   nutates for five seconds. The last lines are the 64 bits of each number of the final state: the C program prints
%   the same bits.

  inertia = diag([1, 1, 0.5]);                     % about the fixed point
  q = quatint.fromAxisAngle([1, 0, 0], 0.3);       % leans by 0.3 rad
  omega = quatint.rotateToWorld(q, [0, 0, 20]);           % spins about its own axis; rotated to the world frame

  top = quatint.Body(inertia, q, omega);
  top.torque = @weight;
  top.advance(1e-3, 5000);

  q = top.orientation;
  fprintf('after 5 s it leans by %.4f rad\n', acos(1 - 2 * (q(2) * q(2) + q(3) * q(3))));
  print_bits('orientation', q);
  print_bits('angular velocity', top.angularVelocity);
end

function torque = weight(t, q, omega)
% Torque of the weight (0, 0, -1) at the centre of mass: arm x weight, world frame.
  arm = quatint.rotateToWorld(q, [0, 0, 1]);
  torque = [-arm(2), arm(1), 0];
end

function print_bits(name, numbers)
  bits = cellstr(num2hex(numbers));
  fprintf('%-17s%s\n', name, sprintf(' %s', bits{:}));
end
