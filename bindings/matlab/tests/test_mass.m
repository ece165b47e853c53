function test_mass()
  run_tests({@an_assembly_has_the_mass_properties_of_closed_formulas, @sums_add_up, @a_distant_origin_costs_no_digits, @without_an_orientation_the_axes_are_the_same, ...
    @what_cannot_be_added_leaves_the_sum_as_it_was, @an_assembly_without_mass_has_no_properties, ...
    @the_principal_axes_are_those_of_the_tensor});
end

% The assembly that the tests of every language build. Nothing in it lies along an axis.
function m = assembly()
  [a, b, c, d] = deal([0.1; 0.2; -0.3], [1.3; 0.1; 0.2], [0.4; 1.5; 0.1], [0.2; 0.3; 1.1]);
  known = [0.11 0.012 -0.009; 0.012 0.13 0.007; -0.009 0.007 0.12];
  m = quatint.Mass();
  m.addPoint(0.7, [0.4 -0.3 0.9]);
  m.addSphere(2.5, 0.35, [-0.8 0.6 0.2]);
  m.addEllipsoid(1.9, [0.3 0.5 0.7], [0.2 -0.9 -0.4], [0.5 -0.1 0.7 0.5]);
  m.addBox(3.1, [0.6 0.9 1.3], [0.7 0.8 -0.5], [0.1 0.7 -0.5 0.5]);
  m.addCylinder(1.3, 0.25, 1.7, [-0.3 -0.4 1.1], [0.7 0.5 0.1 -0.5]);
  m.addCapsule(0.9, 0.3, 0.8, [0.6 -0.7 0.3], [0.1 -0.5 0.7 0.5]);
  m.addHemisphere(1.7, 0.6, [-0.5 0.3 -0.8], [0.7 -0.1 0.5 0.5]);
  m.addCone(1.1, 0.4, 1.2, [-0.2 0.9 0.5], [0.5 0.7 0.5 -0.1]);
  m.addMesh(6.4, cat(3, [a c b], [a b d], [b c d], [c a d]));
  m.addInertia(-0.4, -known, [0.5 0.7 -0.6], [0.5 0.5 -0.7 0.1]);
end

function inertia = assembled()
  inertia = [11.600948941891815 0.30560892760832625 1.0400209969838572; 0.30560892760832625 10.07999641799384 1.1330076497875956; ...
             1.0400209969838572 1.1330076497875956 11.69820579132151];
end

function close(a, b)
  check(isequal(size(a), size(b)) && all(abs(a(:) - b(:)) < 4e-14), 'they differ: %s and %s', mat2str(a, 17), mat2str(b, 17));
end

function an_assembly_has_the_mass_properties_of_closed_formulas()
  m = assembly();
  [mass, centre, inertia] = m.massProperties();
  close(mass, 15.0656);
  close(centre, [0.07906090696686491 0.21905798640611726 0.039709005947323704]);
  close(inertia, assembled());
  close(m.massProperties(), 15.0656);
  close(m.inertiaAbout([0.3 -0.2 0.4]), [16.202272386666667 1.70047696 -0.1592364; 1.70047696 12.77106938 3.4076544; ...
                                         -0.1592364 3.4076544 15.079283166666666]);
  body = quatint.Body(inertia, [0.5 -0.1 0.7 0.5]);
  check(body.time == 0);
end

function sums_add_up()
  [m, point] = deal(assembly(), quatint.Mass());
  point.addPoint(4, [0.5 -0.25 2]);
  check(isequal(point.numbers, [4 2 -1 8 1 0.25 16 -0.5 4 -2 zeros(1, 10)]));
  both = m + point;
  m.addPoint(4, [0.5 -0.25 2]);
  [mass, centre, inertia] = both.massProperties();
  [m1, c1, i1] = m.massProperties();
  close(mass, m1), close(centre, c1), close(inertia, i1)
end

function a_distant_origin_costs_no_digits()
  [m, part] = deal(quatint.Mass(), quatint.Mass());
  m.addBox(1, [1 1 1], [1e5 2e5 3e5]);
  part.addBox(1, [1 1 1], [1e5 2e5 3e5 + 1]);
  [~, ~, inertia] = massProperties(m + part);
  close(inertia, diag([5 5 2] / 6))
end

function without_an_orientation_the_axes_are_the_same()
  [with, without, place] = deal(quatint.Mass(), quatint.Mass(), [0.1 0.2 -0.3]);
  with.addEllipsoid(2, [0.4 0.5 0.7], place, [1 0 0 0]);
  without.addEllipsoid(2, [0.4 0.5 0.7], place);
  with.addBox(2, [0.4 0.5 0.7], place, [1 0 0 0]);
  without.addBox(2, [0.4 0.5 0.7], place);
  with.addCylinder(2, 0.3, 1.1, place, [1 0 0 0]);
  without.addCylinder(2, 0.3, 1.1, place);
  with.addCapsule(2, 0.3, 1.1, place, [1 0 0 0]);
  without.addCapsule(2, 0.3, 1.1, place);
  with.addHemisphere(2, 0.3, place, [1 0 0 0]);
  without.addHemisphere(2, 0.3, place);
  with.addCone(2, 0.3, 1.1, place, [1 0 0 0]);
  without.addCone(2, 0.3, 1.1, place);
  with.addInertia(2, assembled(), place, [1 0 0 0]);
  without.addInertia(2, assembled(), place);
  same_bits(with.numbers, without.numbers);
end

function what_cannot_be_added_leaves_the_sum_as_it_was()
  [m, before, place] = deal(assembly(), assembly(), [0.1 0.2 -0.3]);
  fails_with('quatint:NonFinite', @() m.addPoint(NaN, place), '`mass`');
  fails_with('quatint:Size', @() m.addPoint(1, [1 2]), '`position` must be 1-by-3');
  fails_with('quatint:Invalid', @() m.addSphere(1, -1, place), '`radius`');
  fails_with('quatint:Invalid', @() m.addEllipsoid(1, [1 -2 3], place), '`semi_axes`');
  fails_with('quatint:Invalid', @() m.addBox(1, [1 -2 3], place), '`edges`');
  fails_with('quatint:Orientation', @() m.addCylinder(1, 1, 1, place, [2 0 0 0]), '`orientation`');
  fails_with('quatint:Invalid', @() m.addCapsule(1, 1, -1, place), '`length`');
  fails_with('quatint:Invalid', @() m.addHemisphere(1, -1, place), '`radius`');
  fails_with('quatint:Arguments', @() m.addCone(1, 1, place), 'addCone(mass, radius, height, position, orientation)');
  fails_with('quatint:Inertia', @() m.addInertia(1, [1 0.1 0; 0.2 1 0; 0 0 1], place), '`inertia`');
  fails_with('quatint:Invalid', @() m.addMesh(1, [0 1 0; 0 0 1; 0 0 0]), 'closed surface');
  fails_with('quatint:Size', @() m.addMesh(1, zeros(3, 2)), '`corners` must be 3-by-3-by-n');
  fails_with('quatint:Arguments', @() m.addBox(1, place), 'addBox(mass, edges, position, orientation)');
  m.addMesh(1, zeros(3, 3, 0));
  same_bits(m.numbers, before.numbers);
end

function an_assembly_without_mass_has_no_properties()
  m = quatint.Mass();
  fails_with('quatint:Invalid', @() m.massProperties(), 'positive mass');
  fails_with('quatint:Invalid', @() m.inertiaAbout([1 2 3]), 'positive mass');
  m.numbers = [1 2 3];
  fails_with('quatint:Size', @() m.massProperties(), '`numbers` must be 1-by-20');
end

function the_principal_axes_are_those_of_the_tensor()
  [moments, q] = quatint.principalAxes(assembled());
  R = quatint.toMatrix(q);
  close(R*diag(moments)*R', assembled());
  close(sort(moments), [9.472672911802718 10.843628033272779 13.062850206131667]);
  [many, turns] = quatint.principalAxes(cat(3, diag([3 5 7]), assembled()));
  same_bits(many, [3 5 7; moments]);
  same_bits(turns, [1 0 0 0; q]);
  fails_with('quatint:Inertia', @() quatint.principalAxes(-assembled()));
end
