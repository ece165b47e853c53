function loadlibrary(library, header)
% Stand-in for MATLAB's loadlibrary. signatures.sh reads the signatures from the header.
  global calllib_signatures
  [status, text] = system(sprintf('"%s" "%s"', fullfile(fileparts(mfilename('fullpath')), 'signatures.sh'), header));
  if status ~= 0
    error('calllib:header', 'cannot parse the header: %s', text);
  end
  calllib_signatures = struct();
  for line = strsplit(strtrim(text), "\n")
    words = strsplit(line{1}, ' ');
    calllib_signatures.(words{1}) = words(2:end);
  end
  calllib_mex('open', [library '.so']);
end
