classdef quaternion
% A stand-in for the class of MATLAB's toolboxes: four numbers or columns make it, compact gives N-by-4.

  properties (Access = private)
    numbers
  end

  methods
    function obj = quaternion(a, b, c, d)
      obj.numbers = [a(:), b(:), c(:), d(:)];
    end

    function numbers = compact(obj)
      numbers = obj.numbers;
    end
  end
end
