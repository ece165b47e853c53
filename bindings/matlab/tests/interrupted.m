% Ctrl-C in a torque function, of a step and of a solution, and in a long advance: the session continues, and the bodies
% remain usable. A test feeds this script to an interactive Octave.
body = quatint.Body(eye(3));
body.torque = @(t, q, omega) [0 0 t > 0.34 && kill(getpid(), SIG().INT) + nnz(primes(1e6)) * 0];
body.advance(0.1, 100);
printf('=the clock stands at %g\n', body.time);
body.torque = [];
body.step(0.1);
printf('=and goes on to %g\n', body.time);
many = quatint.Ensemble(1000);
% once this program has used half a second of a processor
used = sprintf('$(cut -d" " -f14 /proc/%d/stat)', getpid());
watch = ['start=' used '; until [ $((' used ' - start)) -ge 50 ]; do sleep 0.02; done'];
system(sprintf('(%s; kill -INT %d) &', watch, getpid()));
many.advance(1e-6, 2e9);
printf('=stopped on the way: %d\n', many.time > 0 && many.time < 2000);
many.step(1);
body.time = 0;
body.torque = @(t, q, omega) [0 0 t > 0.34 && kill(getpid(), SIG().INT) + nnz(primes(1e6)) * 0];
body.solve(10, 1e-8);
printf('=the solution stands within: %d\n', body.time < 0.35);
body.torque = @(t, q, omega) [1 0 0];
body.solve(10, 1e-8);
printf('=and goes on to %g\n', body.time);
printf('=end\n');
