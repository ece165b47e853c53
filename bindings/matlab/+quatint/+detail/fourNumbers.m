function rows = fourNumbers(orientation)
% Orientations as N-by-4, also if they are objects of a class quaternion: that of MATLAB's toolboxes, or that of Octave's package.
  if ~isa(orientation, 'quaternion')
    rows = orientation;
  elseif ismethod(orientation, 'compact')
    rows = double(compact(orientation));
  else
    rows = [orientation.w(:), orientation.x(:), orientation.y(:), orientation.z(:)];
  end
end
