function text = version()
% quatint.version  Version of the library, such as '0.1.0'.

  text = quatint_mex('version');
end
