function same_bits(a, b)
  check(isequal(size(a), size(b)), 'sizes differ: %s and %s', mat2str(size(a)), mat2str(size(b)));
  check(isequal(num2hex(a(:)), num2hex(b(:))), 'the bits differ: by up to %g', max(abs(a(:) - b(:))));
end
