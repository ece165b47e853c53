# rotations.py: orientations of quatint and rotations of scipy.
# docs/python.md lists the functions of rotations.
import numpy as np
import quatint
from scipy.spatial.transform import Rotation

start = Rotation.from_euler("ZXZ", [10, 20, 30], degrees=True)
body = quatint.Body([1, 2, 3], start, [1, 1, 1])  # a Rotation wherever an orientation is asked for
body.advance(1e-3, 2000)
print("turned by", round(np.degrees((body.rotation * start.inv()).magnitude()), 6), "degrees")
print("the same in quatint:", round(np.degrees(quatint.orientation_angle(body.orientation, start)), 6))

e = quatint.Ensemble(1000, orientations=Rotation.random(1000, random_state=1), angular_velocities=[0, 0, 0.1])
e.step(1.0)
axes = e.rotation.apply([1, 0, 0])
print("the same axes:", np.allclose(axes, quatint.rotate(e.orientations, [1, 0, 0]), rtol=0, atol=1e-14))

# It prints:
# turned by 178.605543 degrees
# the same in quatint: 178.605543
# the same axes: True
