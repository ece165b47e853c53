function text = libraryVersion()
% quatint.libraryVersion  Version of the library, such as '0.1.0'.

  text = quatint_mex('version');
end
