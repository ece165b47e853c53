function values = options(pairs, values, onlyGiven)
% The values of named arguments. `pairs` are names and values in turn, `values` is a struct with all names and their defaults. With
% `onlyGiven` the struct that is returned has only the names that are given. Case does not matter in names.
  names = fieldnames(values);
  given = false(size(names));
  for k = 1:2:numel(pairs)
    name = quatint.detail.text(pairs{k});
    if ~ischar(name)
      error('quatint:Arguments', 'a name was expected in the place of a %s: %s', class(pairs{k}), list_of(names));
    end
    which = find(strcmpi(name, names));
    if isempty(which)
      error('quatint:Arguments', 'there is no argument ''%s'': %s', name, list_of(names));
    elseif given(which)
      error('quatint:Arguments', 'the argument ''%s'' is given twice', names{which});
    elseif k == numel(pairs)
      error('quatint:Arguments', 'the argument ''%s'' has no value: %s', names{which}, list_of(names));
    end
    values.(names{which}) = pairs{k + 1};
    given(which) = true;
  end
  if nargin > 2 && onlyGiven
    values = rmfield(values, names(~given));
  end
end

function text = list_of(names)
  text = sprintf(', ''%s''', names{:});
  text = ['the names are ' text(3:end) ', each followed by its value'];
end
