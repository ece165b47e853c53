# make install         install the libraries, the headers, the Fortran module, the licences, and the files for pkg-config and CMake
#                      LIBRARIES=static or LIBRARIES=shared: only one of the two libraries
#                      TARGET_OS=linux, macos or windows: the system that the libraries are for, if not this one
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

HEADERS := include/quatint.h include/quatint.hpp
FORTRAN := bindings/fortran/quatint.f90 bindings/fortran/CMakeLists.txt bindings/fortran/fpm.toml
CMAKE   := cmake/quatint-config.cmake cmake/quatint-config-version.cmake cmake/quatint-targets.cmake
LICENCES := LICENSE-MIT LICENSE-APACHE THIRD-PARTY.md

# The installed files contain relative paths, so that the prefix can be moved. A folder outside the prefix is written as an
# absolute path. in_prefix turns /usr/lib/x into lib/x, and puts a colon before a folder outside the prefix. way_up of lib/x
# is ../..
in_prefix    = $(subst :$(PREFIX)/,,:$(1))
way_up       = $(subst $() ,/,$(foreach folder,$(subst /, ,$(call in_prefix,$(LIBDIR))),..))
movable      = $(if $(filter :%,$(call in_prefix,$(LIBDIR)) $(call in_prefix,$(1))),,yes)
pc_prefix    = $(if $(call movable,$(LIBDIR)),$${pcfiledir}/../$(way_up),$(PREFIX))
pc_folder    = $(patsubst :%,%,$(subst :$(PREFIX)/,$${prefix}/,:$(1)))
cmake_folder = $(if $(call movable,$(1)),../../$(way_up)/$(call in_prefix,$(1)),$(1))

.PHONY: install uninstall

folders := "$(LIBDIR)/pkgconfig" "$(LIBDIR)/cmake/quatint" "$(INCLUDEDIR)" "$(DATADIR)/quatint/fortran" \
    "$(DATADIR)/licenses/quatint" $(if $(filter windows,$(TARGET_OS)),"$(PREFIX)/bin")
# The folders that an installation made, so that `make uninstall` removes these and no others. Those in the prefix are
# written relative to it, because it may be moved. A package (DESTDIR) needs no such list, because the package manager keeps its own.
MADE    := $(DATADIR)/quatint/made-folders

# The file with the machine code, and the links to it. Windows has no links: there linkers take an import library, that of gcc or
# that of compilers like Microsoft's.
installed_linux   := $(LIBDIR)/libquatint.so.$(VERSION)
installed_macos   := $(LIBDIR)/$(LOADED_macos)
installed_windows := $(PREFIX)/bin/$(SHARED)
links_linux       := $(LOADED_linux) $(SHARED)
links_macos       := $(SHARED)
import_windows    := libquatint.dll.a quatint.lib

# what the static library needs, as rustc prints it
needs_linux       := -lpthread -ldl
needs_macos       := -liconv
needs_windows     := -lkernel32 -lntdll -luserenv -lws2_32 -ldbghelp

# With the static library alone, every program needs the libraries that it needs; so pkg-config lists them without --static.
private_libs := $(if $(filter static,$(LIBRARIES)),-e '/^Libs:/{N;s/\nLibs.private://}')

install: all
	@made=; for folder in $(folders); do \
	    above=$$folder; while [ -z "$(DESTDIR)" ] && [ ! -d "$$above" ]; do \
	        case $$above in \
	            "$(PREFIX)") made="$$made.\n" ;; \
	            "$(PREFIX)"/*) made="$$made./$${above#"$(PREFIX)"/}\n" ;; \
	            *) made="$$made$$above\n" ;; \
	        esac; above=$$(dirname "$$above"); done; \
	    $(INSTALL) -d "$(DESTDIR)$$folder"; done; \
	if [ -z "$(DESTDIR)" ] && [ -n "$$made" ]; then printf '%b' "$$made" >>"$(MADE)"; fi
ifneq ($(LIBRARIES),static)
	$(INSTALL) -m 755 $(SO) "$(DESTDIR)$(installed_$(TARGET_OS))"
	for link in $(links_$(TARGET_OS)); do ln -sf $(notdir $(installed_$(TARGET_OS))) "$(DESTDIR)$(LIBDIR)/$$link"; done
	for file in $(notdir $(wildcard $(addprefix $(RELEASE)/,$(import_$(TARGET_OS))))); do \
	    $(INSTALL) -m 644 "$(RELEASE)/$$file" "$(DESTDIR)$(LIBDIR)"; done
endif
ifneq ($(LIBRARIES),shared)
	$(INSTALL) -m 644 $(RELEASE)/libquatint.a "$(DESTDIR)$(LIBDIR)"
endif
	$(INSTALL) -m 644 $(HEADERS) "$(DESTDIR)$(INCLUDEDIR)"
	$(INSTALL) -m 644 $(FORTRAN) "$(DESTDIR)$(DATADIR)/quatint/fortran"
	$(INSTALL) -m 644 $(LICENCES) "$(DESTDIR)$(DATADIR)/licenses/quatint"
	$(INSTALL) -m 644 $(CMAKE) "$(DESTDIR)$(LIBDIR)/cmake/quatint"
	for file in $(CMAKE); do \
	    sed -e 's|"../../../include"|"$(call cmake_folder,$(INCLUDEDIR))"|' -e 's|"../../../share/|"$(call cmake_folder,$(DATADIR))/|' \
	        "$$file" >"$(DESTDIR)$(LIBDIR)/cmake/quatint/$${file#cmake/}" || exit 1; \
	done
	sed -e 's|@PREFIX@|$(pc_prefix)|' -e 's|@LIBDIR@|$(call pc_folder,$(LIBDIR))|' -e 's|@DATADIR@|$(call pc_folder,$(DATADIR))|' \
	    -e 's|@INCLUDEDIR@|$(call pc_folder,$(INCLUDEDIR))|' -e 's|@VERSION@|$(VERSION)|' $(private_libs) \
	    -e 's|@SYSTEM_LIBS@|$(needs_$(TARGET_OS))|' cmake/quatint.pc.in \
	    >"$(DESTDIR)$(LIBDIR)/pkgconfig/quatint.pc"
	chmod 644 "$(DESTDIR)$(LIBDIR)/pkgconfig/quatint.pc"

uninstall:
	rm -f "$(DESTDIR)$(installed_$(TARGET_OS))"
	for file in $(links_$(TARGET_OS)) $(import_$(TARGET_OS)) libquatint.a pkgconfig/quatint.pc \
	    $(addprefix cmake/quatint/,$(notdir $(CMAKE))); do rm -f "$(DESTDIR)$(LIBDIR)/$$file"; done
	for file in $(notdir $(HEADERS)); do rm -f "$(DESTDIR)$(INCLUDEDIR)/$$file"; done
	for file in $(notdir $(FORTRAN)); do rm -f "$(DESTDIR)$(DATADIR)/quatint/fortran/$$file"; done
	for file in $(notdir $(LICENCES)); do rm -f "$(DESTDIR)$(DATADIR)/licenses/quatint/$$file"; done
	made=$$(sort -r "$(DESTDIR)$(MADE)" 2>/dev/null || true); rm -f "$(DESTDIR)$(MADE)"; \
	for folder in "$(LIBDIR)/cmake/quatint" "$(DATADIR)/quatint/fortran" "$(DATADIR)/quatint" "$(DATADIR)/licenses/quatint"; do \
	    rmdir "$(DESTDIR)$$folder" 2>/dev/null || true; done; \
	echo "$$made" | while IFS= read -r folder; do case $$folder in \
	    '') continue ;; \
	    /*) ;; \
	    *) folder="$(PREFIX)/$${folder#.}" ;; \
	    esac; rmdir "$(DESTDIR)$$folder" 2>/dev/null || true; done
