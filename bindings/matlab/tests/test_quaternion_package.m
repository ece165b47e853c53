function test_quaternion_package()
% With Octave's package quaternion.
  pkg('load', 'quaternion');
  quaternion_tests();
end
