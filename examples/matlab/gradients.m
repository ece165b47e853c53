% gradients.m: fibres are carried by a row of eddies, and turn as the fluid around them does.
% `G(i,j,k)` = ∂uᵢ/∂xⱼ at body k. `setFlowGradients` copies them: call it before each step. A
% `quatint.Body` gets its gradient with its torque. See docs/torques.md.
n = 200;
dt = 0.01;
i = (1:n)';
[x, y] = deal(0.03 * i, 0.5 + 0.01 * i);
fibres = quatint.Ensemble(n);
fibres.setPrincipalInertias(repmat([0.01, 0.1, 0.1], n, 1));
fibres.torque = quatint.shearFlow([0.5, 0.1, 0.1], 1, zeros(3));
G = zeros(3, 3, n);
for step = 1:1000
  G(1, 1, :) = cos(x) .* cos(y);            % the velocity is (sin x cos y, -cos x sin y, 0)
  G(1, 2, :) = -sin(x) .* sin(y);           % of component 1 along axis 2
  G(2, 1, :) = sin(x) .* sin(y);            % of component 2 along axis 1
  G(2, 2, :) = -cos(x) .* cos(y);
  [x, y] = deal(x + dt * sin(x) .* cos(y), y - dt * cos(x) .* sin(y));
  fibres.setFlowGradients(G);
  fibres.step(dt);
  if mod(step, 250) == 0
    axes = quatint.rotateToWorld(fibres.orientation, [1, 0, 0]);
    q = fibres.orientation(n, :);
    fprintf('t = %4.1f   mean alignment with x %.4f   the last fibre %7.4f %7.4f\n', fibres.time, mean(axes(:, 1) .^ 2), q([1 4]));
  end
end

% It prints:
% t =  2.5   mean alignment with x 0.3989   the last fibre  0.9955 -0.0944
% t =  5.0   mean alignment with x 0.4505   the last fibre  0.9875 -0.1575
% t =  7.5   mean alignment with x 0.5712   the last fibre  0.6769 -0.7361
% t = 10.0   mean alignment with x 0.5112   the last fibre  0.0727 -0.9974
