function message = fails_with(identifier, action, part)
% Check that the call raises an error with this identifier, and with this part in its message.
  if nargin < 3
    part = '';
  end
  message = '';
  try
    action();
  catch err
    message = err.message;
    check(strcmp(err.identifier, identifier), 'identifier %s, not %s (%s)', err.identifier, identifier, message);
    check(isempty(part) || ~isempty(strfind(message, part)), 'no "%s" in: %s', part, message);
    return
  end
  error('check:failed', 'no error; expected %s', identifier);
end
