function yes = writesInPlace()
% Whether quatint_mex can write a stage into existing variables: in Octave it can. See takeStages of quatint.detail.Shared.
  persistent answer
  if isempty(answer)
    answer = false;
    if exist('OCTAVE_VERSION', 'builtin')
      probe = [0, 0];
      probe(1) = 0;
      quatint_mex('write_one', probe);
      answer = probe(1) == 1;
    end
  end
  yes = answer;
end
