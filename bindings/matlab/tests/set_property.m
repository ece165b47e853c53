function set_property(object, name, value)
% Assign a property. As a function, it can be used in an anonymous function.
  object.(name) = value;
end
