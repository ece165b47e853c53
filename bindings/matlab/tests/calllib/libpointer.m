classdef libpointer < handle
% Stand-in for MATLAB's libpointer: allocated memory, or the address of a C object.
  properties
    type = ''
    count = 0
    columns = 1
    address = int64(0)
  end
  properties (Dependent)
    Value
  end
  methods
    function obj = libpointer(type, value)
      obj.type = type;
      if isa(value, 'int64')
        obj.address = value;
      else
        obj.count = numel(value);
        obj.columns = size(value, 2);
        obj.address = calllib_mex('new', value);
      end
    end
    function value = get.Value(obj)
      value = reshape(calllib_mex('get', obj.address, obj.count), [], obj.columns);
    end
    function null = isNull(obj)
      null = obj.address == 0;
    end
    function delete(obj)
      if obj.count > 0
        calllib_mex('free', obj.address);
        obj.count = 0;
      end
    end
  end
end
