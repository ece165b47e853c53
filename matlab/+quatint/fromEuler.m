function orientation = fromEuler(angles, sequence)
% quatint.fromEuler  Orientations of Euler (or Tait-Bryan) angles.
%
%   q = quatint.fromEuler(angles, sequence): angles n-by-3, rad, in the order of the sequence; q n-by-4.
%   'xyz' in lower case turns about the axes of the world (extrinsic), 'ZXZ' in upper case about those of the body.
%
%   See also quatint.toEuler

  orientation = quatint_mex('from_euler', angles, sequence);
end
