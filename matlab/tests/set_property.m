function set_property(object, name, value)
% An assignment as a function, for handles.
  object.(name) = value;
end
