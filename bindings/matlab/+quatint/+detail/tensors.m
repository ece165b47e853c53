function inertia = tensors(x)
% The inertia tensors, 3-by-3-by-N, of rows with principal moments and axes: zeros beside locked axes.
  axes = quatint.toMatrix(x(:, 4:7));
  inertia = zeros(3, 3, size(x, 1));
  for k = 1:3
    for i = 1:3
      for j = 1:3
        term = reshape(max(x(:, k), 0), 1, 1, []) .* (axes(i, k, :) .* axes(j, k, :));
        inertia(i, j, :) = inertia(i, j, :) + term;
      end
    end
  end
end
