function run_tests(tests)
% Run test functions and print a line "ok name" for each. The first failure ends the run with its error.
  for k = 1:numel(tests)
    tests{k}();
    fprintf('ok %s\n', func2str(tests{k}));
  end
end
