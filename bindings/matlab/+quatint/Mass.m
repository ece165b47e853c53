classdef Mass < handle
% quatint.Mass  Mass, centre of mass and inertia of an assembly of parts.
%
%   m = quatint.Mass()                        % of no parts
%   m.addPoint(mass, position)
%   m.addSphere(mass, radius, position)
%   m.addEllipsoid(mass, semiAxes, position, orientation)
%   m.addBox(mass, edges, position, orientation)
%   m.addCylinder(mass, radius, length, position, orientation)      % along its z axis
%   m.addCapsule(mass, radius, length, position, orientation)       % a cylinder of this length with half a sphere on each end
%   m.addHemisphere(mass, radius, position, orientation)            % above its flat face, whose centre is at position
%   m.addCone(mass, radius, height, position, orientation)          % along its z axis; the centre of its base is at position
%   m.addMesh(density, corners)               % the solid inside of a closed surface of triangles
%   m.addInertia(mass, inertia, position, orientation)
%   [mass, centre, inertia] = m.massProperties()
%   inertia = m.inertiaAbout(point)
%
%   position is the centre of a part, in the axes of the assembly, whose origin may be anywhere. orientation, (w, x, y,
%   z), leads from the axes of the part to those of the assembly; it may be left out: the same axes. A part with a negative
%   mass is a hole. corners is 3-by-3-by-n, a page for each triangle, a column for each corner, counterclockwise as seen from
%   outside; those of hollows as seen from within them. The inertia that addInertia takes is about the part's own centre of
%   mass; to take a part away, give the negative of its mass and of its inertia.
%
%   massProperties gives the centre of mass, 1-by-3, and the inertia about it, 3-by-3, along the axes of the assembly: what
%   quatint.Body takes. inertiaAbout gives the inertia about another point of the assembly.
%
%   m.numbers are 20 numbers that hold the sum: the mass, and the integrals of x, y, z, xx, yy, zz, xy, xz, yz over it, each to 30
%   bits, and then what is left of each. m + n is the sum of the parts of both; m.numbers may also be assigned.
%
%   See also quatint.Body, quatint.principalAxes

  properties
    numbers = zeros(1, 20)      % the sum of the parts, 1-by-20
  end

  methods
    function addPoint(obj, mass, position)
    % m.addPoint(mass, position)  Add a point.
      if nargin < 3, quatint.detail.tooFew('addPoint(mass, position)'); end
      obj.numbers = quatint_mex('add_point_mass', obj.numbers, mass, position);
    end

    function addSphere(obj, mass, radius, position)
    % m.addSphere(mass, radius, position)  Add a solid sphere.
      if nargin < 4, quatint.detail.tooFew('addSphere(mass, radius, position)'); end
      obj.numbers = quatint_mex('add_sphere_mass', obj.numbers, mass, radius, position);
    end

    function addEllipsoid(obj, mass, semiAxes, position, orientation)
    % m.addEllipsoid(mass, semiAxes, position, orientation)  Add a solid ellipsoid.
      if nargin < 4, quatint.detail.tooFew('addEllipsoid(mass, semiAxes, position, orientation)'); end
      if nargin < 5
        orientation = [];
      end
      obj.numbers = quatint_mex('add_ellipsoid_mass', obj.numbers, mass, semiAxes, position, quatint.detail.fourNumbers(orientation));
    end

    function addBox(obj, mass, edges, position, orientation)
    % m.addBox(mass, edges, position, orientation)  Add a solid box.
      if nargin < 4, quatint.detail.tooFew('addBox(mass, edges, position, orientation)'); end
      if nargin < 5
        orientation = [];
      end
      obj.numbers = quatint_mex('add_box_mass', obj.numbers, mass, edges, position, quatint.detail.fourNumbers(orientation));
    end

    function addCylinder(obj, mass, radius, length, position, orientation)
    % m.addCylinder(mass, radius, length, position, orientation)  Add a solid cylinder along its z axis.
      if nargin < 5, quatint.detail.tooFew('addCylinder(mass, radius, length, position, orientation)'); end
      if nargin < 6
        orientation = [];
      end
      obj.numbers = quatint_mex('add_cylinder_mass', obj.numbers, mass, radius, length, position, quatint.detail.fourNumbers(orientation));
    end

    function addCapsule(obj, mass, radius, length, position, orientation)
    % m.addCapsule(mass, radius, length, position, orientation)  Add a solid capsule along its z axis.
      if nargin < 5, quatint.detail.tooFew('addCapsule(mass, radius, length, position, orientation)'); end
      if nargin < 6
        orientation = [];
      end
      obj.numbers = quatint_mex('add_capsule_mass', obj.numbers, mass, radius, length, position, quatint.detail.fourNumbers(orientation));
    end

    function addHemisphere(obj, mass, radius, position, orientation)
    % m.addHemisphere(mass, radius, position, orientation)  Add half of a solid sphere.
      if nargin < 4, quatint.detail.tooFew('addHemisphere(mass, radius, position, orientation)'); end
      if nargin < 5
        orientation = [];
      end
      obj.numbers = quatint_mex('add_hemisphere_mass', obj.numbers, mass, radius, position, quatint.detail.fourNumbers(orientation));
    end

    function addCone(obj, mass, radius, height, position, orientation)
    % m.addCone(mass, radius, height, position, orientation)  Add a solid cone along its z axis.
      if nargin < 5, quatint.detail.tooFew('addCone(mass, radius, height, position, orientation)'); end
      if nargin < 6
        orientation = [];
      end
      obj.numbers = quatint_mex('add_cone_mass', obj.numbers, mass, radius, height, position, quatint.detail.fourNumbers(orientation));
    end

    function addMesh(obj, density, corners)
    % m.addMesh(density, corners)  Add the solid inside of a closed surface of triangles.
      if nargin < 3, quatint.detail.tooFew('addMesh(density, corners)'); end
      obj.numbers = quatint_mex('add_mesh_mass', obj.numbers, density, corners);
    end

    function addInertia(obj, mass, inertia, position, orientation)
    % m.addInertia(mass, inertia, position, orientation)  Add a part whose inertia about its own centre of mass is known.
      if nargin < 4, quatint.detail.tooFew('addInertia(mass, inertia, position, orientation)'); end
      if nargin < 5
        orientation = [];
      end
      obj.numbers = quatint_mex('add_inertia_mass', obj.numbers, mass, inertia, position, quatint.detail.fourNumbers(orientation));
    end

    function [mass, centre, inertia] = massProperties(obj)
    % [mass, centre, inertia] = m.massProperties()  The mass, the centre of mass, and the inertia about it.
      [mass, centre, inertia] = quatint_mex('mass_properties', obj.numbers);
    end

    function inertia = inertiaAbout(obj, point)
    % inertia = m.inertiaAbout(point)  The inertia about any point, along the axes of the assembly, 3-by-3.
      if nargin < 2, quatint.detail.tooFew('inertiaAbout(point)'); end
      inertia = quatint_mex('inertia_about', obj.numbers, point);
    end

    function sum = plus(a, b)
    % a + b  The sum of the parts of both.
      sum = quatint.Mass();
      sum.numbers = a.numbers + b.numbers;
    end
  end
end
