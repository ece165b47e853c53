function loadlibrary(library, header)
% A stand-in for MATLAB's loadlibrary: the signatures are those that parse_header.py finds in the header.
  global calllib_signatures
  [status, text] = system(sprintf('"%s" "%s"', fullfile(fileparts(mfilename('fullpath')), 'signatures.sh'), header));
  if status ~= 0
    error('calllib:header', 'the header does not parse: %s', text);
  end
  calllib_signatures = struct();
  for line = strsplit(strtrim(text), "\n")
    words = strsplit(line{1}, ' ');
    calllib_signatures.(words{1}) = words(2:end);
  end
  calllib_mex('open', [library '.so']);
end
