function value = text(value)
% A text as char, also if it is one of MATLAB's strings, and several strings as a cell array of texts. All else stays.
  if isa(value, 'string')
    if numel(value) == 1
      value = char(value);
    else
      value = cellstr(value);
    end
  elseif iscell(value)
    for k = 1:numel(value)
      if isa(value{k}, 'string')
        value{k} = char(value{k});
      end
    end
  end
end
