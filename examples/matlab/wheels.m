% wheels.m: a satellite turned by a reaction wheel: the controller sets its motor once per sample.
% Of a body, `rotorMomentum` and `rotorTorque` are properties: docs/torques.md.
satellite = quatint.Body(diag([3, 4, 5]));
axis = [0, 0, 1];
wanted = quatint.fromAxisAngle(axis, 1);
dt = 0.5;
for step = 1:60
  off = quatint.toRotationVector(quatint.product(quatint.conjugate(satellite.orientation), wanted));
  satellite.rotorTorque = 0.6 * off - 3 * satellite.angularVelocityBody;
  satellite.solve(satellite.time + dt, 1e-9);
  if mod(step, 20) == 0
    fprintf('t = %2.0f   off by %.4f rad   total momentum %.3f\n', satellite.time, ...
            quatint.angleBetween(satellite.orientation, wanted), norm(satellite.angularMomentum));
  end
end

% It prints:
% t = 10   off by 0.0637 rad   total momentum 0.000
% t = 20   off by 0.0018 rad   total momentum 0.000
% t = 30   off by 0.0001 rad   total momentum 0.000
