function angles = toEuler(orientation, sequence)
% quatint.toEuler  Euler (or Tait-Bryan) angles of orientations.
%
%   angles = quatint.toEuler(q, sequence): n-by-3, rad; sequence as for quatint.fromEuler. The first and third are in
%   (-pi, pi], the second in [0, pi] (first and third axes the same) or [-pi/2, pi/2]; in gimbal lock the third is 0.
%
%   See also quatint.fromEuler

  angles = quatint_mex('to_euler', orientation, sequence);
end
