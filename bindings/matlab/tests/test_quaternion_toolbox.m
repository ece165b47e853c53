function test_quaternion_toolbox()
% With a stand-in for the class of MATLAB's toolboxes.
  addpath(fullfile(fileparts(mfilename('fullpath')), 'standins', 'toolbox'));
  quaternion_tests();
end
