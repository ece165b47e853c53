classdef string
% A stand-in for MATLAB's class of texts, which Octave 7 lacks: char and cellstr turn it into what Octave has.

  properties (Access = private)
    texts
  end

  methods
    function obj = string(varargin)
      obj.texts = varargin;
    end

    function text = char(obj)
      text = obj.texts{1};
    end

    function texts = cellstr(obj)
      texts = obj.texts;
    end

    function n = numel(obj)
      n = builtin('numel', obj.texts);
    end
  end
end
