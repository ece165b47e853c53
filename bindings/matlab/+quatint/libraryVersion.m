function text = libraryVersion()
% quatint.libraryVersion  Version of the library, for example '0.1.0'.

  text = quatint_mex('version');
end
