# make dist             archives and wheels for users without Rust, a source distribution, the source
#                       with all crates, and SHA256SUMS, in target/dist; ten minutes of two cores
# make test-dist        test them: each archive that can run here is unpacked, linked and run, for
#                       aarch64 and Windows with the programs of the pages; wheels are imported
#                       TARGETS="NAME..." with either: only these tables of packaging/targets.toml
# make test-recipes     build, install and use the packages of packaging/: Debian, Conan, conda,
#                       vcpkg, Spack, Yggdrasil, Julia, the source with all crates; this and Julia
#                       take the archives of `make dist`
# make release          all that a release needs, checked; nothing leaves this machine: see
#                       packaging/release.sh
#                       TAG=yes adds the tag

.PHONY: dist test-dist test-recipes release

PACKAGING := target/packaging/bin/python
# none takes a quarter of it; what packaging/limits.py runs has limits of its own
LIMITED := timeout --kill-after=10 3600

dist:
	packaging/setup.sh
	$(PACKAGING) packaging/dist.py $(TARGETS)

test-dist:
	packaging/setup.sh
	$(PACKAGING) packaging/test_dist.py $(TARGETS)

# each script says what it does; those for Debian and Conan build the library anew, without a
# network
test-recipes: $(LOADED)
	packaging/setup.sh
	$(PACKAGING) packaging/version.py
	$(LIMITED) node packaging/test_workflows.mjs
	$(LIMITED) $(PACKAGING) packaging/test_spack.py
	$(LIMITED) packaging/test_source.sh
	$(LIMITED) packaging/test_vcpkg.sh
	$(LIMITED) packaging/test_julia.sh
	$(LIMITED) packaging/test_yggdrasil.sh
	$(LIMITED) packaging/test_debian.sh
	$(LIMITED) packaging/test_conan.sh
	$(LIMITED) $(PACKAGING) packaging/test_conda.py

release:
	packaging/release.sh $(if $(TAG),tag)
