function tooFew(usage)
% Raise an error that says how a function is called, which was given fewer arguments than it needs.
  error('quatint:Arguments', 'too few arguments: write %s', usage);
end
