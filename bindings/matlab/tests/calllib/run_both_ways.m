function run_both_ways()
% Build the MEX file of the stand-ins in the current folder and run the script.
  [text, status] = mkoctfile('--mex', '-o', fullfile(pwd(), 'calllib_mex.mex'), fullfile(fileparts(which('calllib')), 'calllib_mex.c'));
  if status ~= 0
    error('calllib:build', '%s', text);
  end
  loadlibrary_heavy_top();
end
