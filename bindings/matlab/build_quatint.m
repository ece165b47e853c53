function build_quatint(prefix)
% BUILD_QUATINT  Build the MEX file of the package quatint, with MATLAB's mex or Octave's mkoctfile.
%
%   build_quatint           link the library in ../../target/release (after `make`), else the one that pkg-config finds
%   build_quatint(PREFIX)   link the library that `make install PREFIX=...` installed
%
%   The MEX file, quatint_mex, is written to the folder of this file. To use the package, `addpath` that folder. The MEX
%   file stores the path of the library; if you move the library, build it again.

  here = fileparts(mfilename('fullpath'));
  if nargin > 0
    folders = {fullfile(prefix, 'include'), fullfile(prefix, 'lib')};
  else
    folders = {fullfile(here, '..', '..', 'include'), fullfile(here, '..', '..', 'target', 'release')};
    if ~has_library(folders{2})
      folders = {ask_pkg_config('includedir'), ask_pkg_config('libdir')};
    end
  end
  if isempty(folders{2}) || ~has_library(folders{2})
    error('quatint:NoLibrary', ['libquatint is not in %s, and pkg-config does not find it: run `make`, or give the prefix ' ...
          'where it is installed, build_quatint(''/usr/local'')'], fullfile(here, '..', '..', 'target', 'release'));
  end
  include = ['-I' folders{1}];
  link = {['-L' folders{2}], '-lquatint'};
  rpath = ['-Wl,-rpath,' absolute(folders{2})];
  sources = dir(fullfile(here, 'src', '*.c'));
  sources = fullfile(here, 'src', {sources.name});

  if exist('OCTAVE_VERSION', 'builtin')
    % the objects are temporary files, not in the folder of the user
    objects = cellfun(@(source) [tempname() '.o'], sources, 'UniformOutput', false);
    cleanup = onCleanup(@() cellfun(@delete_file, objects));
    for k = 1:numel(sources)
      run_mkoctfile('-c', '-O3', include, '-o', objects{k}, sources{k});
    end
    run_mkoctfile('--mex', objects{:}, link{:}, rpath, '-lpthread', '-o', fullfile(here, 'quatint_mex.mex'));
  elseif ispc
    mex(include, link{:}, '-outdir', here, '-output', 'quatint_mex', sources{:});
  else
    mex('CFLAGS=$CFLAGS -std=c99 -O3', include, link{:}, ['LDFLAGS=$LDFLAGS ' rpath], '-outdir', here, ...
        '-output', 'quatint_mex', sources{:});
  end
end

function found = has_library(folder)
  found = ~isempty(dir(fullfile(folder, 'libquatint.*'))) || ~isempty(dir(fullfile(folder, 'quatint.lib')));
end

function folder = ask_pkg_config(variable)
  [status, text] = system(['pkg-config --variable=' variable ' quatint']);
  folder = '';
  if status == 0
    folder = strtrim(text);
  end
end

function folder = absolute(folder)
  here = cd(folder);
  back = onCleanup(@() cd(here));
  folder = pwd();
end

function run_mkoctfile(varargin)
  [text, status] = mkoctfile(varargin{:});
  if status ~= 0
    error('quatint:Build', 'mkoctfile failed:\n%s', text);
  end
end

function delete_file(name)
  if exist(name, 'file')
    delete(name);
  end
end
