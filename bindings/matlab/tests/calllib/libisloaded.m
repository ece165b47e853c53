function loaded = libisloaded(name)
  global calllib_signatures
  loaded = ~isempty(calllib_signatures);
end
