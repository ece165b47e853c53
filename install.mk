# make install         install the libraries, the headers, the Fortran module, the licences, and the
#                      files for pkg-config and CMake
#                      LIBRARIES=static or LIBRARIES=shared: only one of the two libraries
#                      TARGET_OS=linux, macos or windows: the system that the libraries are for, if
#                      not this one
# make uninstall       remove them; set the same variables

PREFIX     ?= /usr/local
LIBDIR     ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
DATADIR    ?= $(PREFIX)/share
INSTALL    ?= install
LIBRARIES  ?= both
ifeq ($(filter both static shared,$(LIBRARIES)),)
$(error LIBRARIES is "$(LIBRARIES)": it must be both, static or shared)
endif

# quatint.hpp is installed with its parts in it
HEADERS = include/quatint.h $(RELEASE)/quatint.hpp
FORTRAN := bindings/fortran/quatint.f90 bindings/fortran/CMakeLists.txt bindings/fortran/fpm.toml
FORTRAN_PARTS := $(wildcard bindings/fortran/src/*.f90)
CMAKE   := cmake/quatint-config.cmake cmake/quatint-config-version.cmake cmake/quatint-targets.cmake
LICENCES := LICENSE-MIT LICENSE-APACHE THIRD-PARTY.md

# The installed files contain relative paths, so that the prefix can be moved. A folder outside the
# prefix is written as an absolute path.
#
# in_prefix     /usr/lib/x is lib/x; a folder outside the prefix is itself, with a colon before it
# way_up        of lib/x: ../..
# movable       whether the prefix can be moved with LIBDIR and this folder
# pc_prefix     the prefix in the file for pkg-config, which is in LIBDIR/pkgconfig
# pc_folder     a folder in that file
# cmake_folder  a folder in the files for CMake, which are in LIBDIR/cmake/quatint
in_prefix    = $(subst :$(PREFIX)/,,:$(1))
way_up       = $(subst $() ,/,$(foreach folder,$(subst /, ,$(call in_prefix,$(LIBDIR))),..))
movable      = $(if $(filter :%,$(call in_prefix,$(LIBDIR)) $(call in_prefix,$(1))),,yes)
pc_prefix    = $(if $(call movable,$(LIBDIR)),$${pcfiledir}/../$(way_up),$(PREFIX))
pc_folder    = $(patsubst :%,%,$(subst :$(PREFIX)/,$${prefix}/,:$(1)))
cmake_folder = $(if $(call movable,$(1)),../../$(way_up)/$(call in_prefix,$(1)),$(1))

.PHONY: install uninstall

# The folders that this library alone has.
own_folders := "$(LIBDIR)/cmake/quatint" "$(DATADIR)/quatint/fortran/src" \
    "$(DATADIR)/quatint/fortran" "$(DATADIR)/quatint" "$(DATADIR)/licenses/quatint"
folders := $(own_folders) "$(LIBDIR)/pkgconfig" "$(INCLUDEDIR)" \
    $(if $(filter windows,$(TARGET_OS)),"$(PREFIX)/bin")

# The list of the folders that an installation made, so that `make uninstall` removes these and no
# others. A package (DESTDIR) needs no list, because the package manager keeps its own.
MADE := $(DATADIR)/quatint/made-folders

# The file with the machine code, and the links to it. Windows has no links: there linkers take an
# import library, that of gcc or that of compilers like Microsoft's.
installed_linux   := $(LIBDIR)/libquatint.so.$(VERSION)
installed_macos   := $(LIBDIR)/$(LOADED_macos)
installed_windows := $(PREFIX)/bin/$(LOADED_windows)
links_linux       := $(LOADED_linux) $(SHARED)
links_macos       := $(SHARED)
import_windows    := libquatint.dll.a quatint.lib

# what the static library needs, as rustc prints it
needs_linux       := -lpthread -ldl
needs_macos       := -liconv
needs_windows     := -lkernel32 -lntdll -luserenv -lws2_32 -ldbghelp

# Without a shared library every program needs what the static one needs. Then pkg-config lists it
# without --static too, because the two lines are one.
join_libs := $(if $(filter static,$(LIBRARIES)),-e '/^Libs:/{N;s/\nLibs.private://}')

install: all
ifeq ($(DESTDIR),)
	INSTALL="$(INSTALL)" cmake/make_folders.sh "$(PREFIX)" "$(MADE)" $(folders)
else
	for folder in $(folders); do $(INSTALL) -d "$(DESTDIR)$$folder" || exit 1; done
endif
ifneq ($(LIBRARIES),static)
	$(INSTALL) -m 755 $(SO) "$(DESTDIR)$(installed_$(TARGET_OS))"
	for link in $(links_$(TARGET_OS)); do \
	    ln -sf $(notdir $(installed_$(TARGET_OS))) "$(DESTDIR)$(LIBDIR)/$$link" || exit 1; \
	done
	for file in $(wildcard $(addprefix $(RELEASE)/,$(import_$(TARGET_OS)))); do \
	    $(INSTALL) -m 644 "$$file" "$(DESTDIR)$(LIBDIR)" || exit 1; \
	done
endif
ifneq ($(LIBRARIES),shared)
	$(INSTALL) -m 644 $(RELEASE)/libquatint.a "$(DESTDIR)$(LIBDIR)"
endif
	cmake/one_header.sh include >$(RELEASE)/quatint.hpp
	$(INSTALL) -m 644 $(HEADERS) "$(DESTDIR)$(INCLUDEDIR)"
	$(INSTALL) -m 644 $(FORTRAN) "$(DESTDIR)$(DATADIR)/quatint/fortran"
	$(INSTALL) -m 644 $(FORTRAN_PARTS) "$(DESTDIR)$(DATADIR)/quatint/fortran/src"
	$(INSTALL) -m 644 $(LICENCES) "$(DESTDIR)$(DATADIR)/licenses/quatint"
	for file in $(CMAKE); do \
	    sed -e 's|"../../../include"|"$(call cmake_folder,$(INCLUDEDIR))"|' \
	        -e 's|"../../../share/|"$(call cmake_folder,$(DATADIR))/|' \
	        "$$file" >"$(DESTDIR)$(LIBDIR)/cmake/quatint/$${file#cmake/}" || exit 1; \
	    chmod 644 "$(DESTDIR)$(LIBDIR)/cmake/quatint/$${file#cmake/}" || exit 1; \
	done
	sed -e 's|@PREFIX@|$(pc_prefix)|' \
	    -e 's|@LIBDIR@|$(call pc_folder,$(LIBDIR))|' \
	    -e 's|@DATADIR@|$(call pc_folder,$(DATADIR))|' \
	    -e 's|@INCLUDEDIR@|$(call pc_folder,$(INCLUDEDIR))|' \
	    -e 's|@VERSION@|$(VERSION)|' \
	    $(join_libs) \
	    -e 's|@SYSTEM_LIBS@|$(needs_$(TARGET_OS))|' \
	    cmake/quatint.pc.in >"$(DESTDIR)$(LIBDIR)/pkgconfig/quatint.pc"
	chmod 644 "$(DESTDIR)$(LIBDIR)/pkgconfig/quatint.pc"

# in LIBDIR
installed_in_lib := $(links_$(TARGET_OS)) $(import_$(TARGET_OS)) libquatint.a pkgconfig/quatint.pc \
    $(addprefix cmake/quatint/,$(notdir $(CMAKE)))

uninstall:
	rm -f "$(DESTDIR)$(installed_$(TARGET_OS))"
	for file in $(installed_in_lib); do rm -f "$(DESTDIR)$(LIBDIR)/$$file"; done
	for file in $(notdir $(HEADERS)); do rm -f "$(DESTDIR)$(INCLUDEDIR)/$$file"; done
	for file in $(notdir $(FORTRAN)); do rm -f "$(DESTDIR)$(DATADIR)/quatint/fortran/$$file"; done
	for file in $(notdir $(FORTRAN_PARTS)); do \
	    rm -f "$(DESTDIR)$(DATADIR)/quatint/fortran/src/$$file"; \
	done
	for file in $(notdir $(LICENCES)); do rm -f "$(DESTDIR)$(DATADIR)/licenses/quatint/$$file"; done
	cmake/remove_folders.sh "$(DESTDIR)" "$(PREFIX)" "$(MADE)" $(own_folders)
