function result = calllib(library, name, varargin)
% Stand-in for MATLAB's calllib. It is as strict: number and types of the arguments must match the header.
  global calllib_signatures
  if ~isfield(calllib_signatures, name)
    error('calllib:name', 'there is no function %s', name);
  end
  types = calllib_signatures.(name);
  if numel(varargin) ~= numel(types) - 1
    error('calllib:arguments', '%s takes %d arguments, not %d', name, numel(types) - 1, numel(varargin));
  end
  [integers, doubles, temporary] = deal(int64([]), [], {});
  for k = 1:numel(varargin)
    [type, given] = deal(types{k + 1}, varargin{k});
    wrong = sprintf('argument %d of %s is %s', k, name, type);
    if strcmp(type, 'function')
      error('calllib:function', '%s: calllib passes no functions', wrong);
    elseif any(type == '*')
      if isnumeric(given) && isempty(given)
        integers(end + 1) = 0;                                 % NULL
      elseif isa(given, 'libpointer')
        if ~strcmp(given.type, pointer_name(type))
          error('calllib:type', '%s, not %s', wrong, given.type);
        end
        integers(end + 1) = given.address;
      elseif isa(given, 'double') && strcmp(pointer_name(type), 'doublePtr')
        temporary{end + 1} = libpointer('doublePtr', given);
        integers(end + 1) = temporary{end}.address;
      else
        error('calllib:type', '%s', wrong);
      end
    elseif ~(isnumeric(given) && isscalar(given))
      error('calllib:type', '%s', wrong);
    elseif strcmp(type, 'double')
      doubles(end + 1) = given;
    else
      if given ~= fix(given)
        error('calllib:type', '%s', wrong);
      end
      integers(end + 1) = given;
    end
  end
  switch types{1}
    case 'double', result = calllib_mex('call', name, 'd', integers, doubles);
    case 'char*', result = calllib_mex('call', name, 's', integers, doubles);
    case 'int32_t', result = double(typecast(calllib_mex('call', name, 'i', integers, doubles), 'int32')(1));
    otherwise
      result = calllib_mex('call', name, 'i', integers, doubles);
      if any(types{1} == '*')
        result = libpointer(pointer_name(types{1}), result);
      end
  end
end

function name = pointer_name(type)
  name = [strrep(type, '*', '') 'Ptr'];
end
