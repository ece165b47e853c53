function show(name, value, unit)
% A line of disp for a text, or a line for each row of a matrix.
  if ischar(value)
    fprintf('    %-16s %s\n', name, value);
    return
  end
  for i = 1:size(value, 1)
    line = sprintf('    %-16s%s  %s', name, sprintf(' %10.6g', value(i, :)), unit);
    fprintf('%s\n', deblank(line));
    [name, unit] = deal('');
  end
end
