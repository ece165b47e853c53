function need(given, least, usage)
% Raise an error that says how a function is called, if it was given fewer arguments than it needs.
  if given < least
    error('quatint:Arguments', 'too few arguments: write %s', usage);
  end
end
