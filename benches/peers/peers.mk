# Builds a plugin for each peer library and the program that runs them all, and writes docs/peers-tables.md.
# bench-evaluations: evaluations and times of solutions on ten problems, with a torque in C beside CVODE's, ARKODE's, GSL's
# and odeint's, and with a torque in Python beside scipy's and diffrax's.

PEERS     := target/peers
PEER      := benches/peers
PLUGINS   := $(patsubst %,$(PEERS)/%.so,quatint gsl sundials odeint odeint_many ode bullet bullet_double)
PEER_BUILD = -O3 -march=native $(WIDE) -Wall -Wextra
PEER_NEEDS := $(PEER)/peer.h $(PEER)/equations.h benches/by_hand.h

$(PEERS)/quatint.so:       LIBRARY = $(LINK)
$(PEERS)/gsl.so:           LIBRARY = -lgsl -lgslcblas -lm
$(PEERS)/sundials.so:      LIBRARY = $(patsubst %,-lsundials_%,arkode cvode nvecserial sunnonlinsolfixedpoint generic) -lm
$(PEERS)/ode.so:           LIBRARY = $$(pkg-config --cflags --libs ode) -lm
$(PEERS)/bullet.so:        LIBRARY = $$(pkg-config --cflags --libs bullet)
$(PEERS)/bullet_double.so: LIBRARY = $$(pkg-config --cflags --libs bullet-float64)

# without this, GCC uses half of an AVX-512 register
ifeq ($(shell uname -m),x86_64)
$(PEERS)/odeint_many.so:   WIDE = -mprefer-vector-width=512
endif

$(PEERS)/quatint.so: include/quatint.h $(LOADED)

$(PEERS)/%.so: $(PEER)/%.c $(PEER_NEEDS)
	mkdir -p $(PEERS)
	gcc $(PEER_BUILD) -shared -fPIC $< -o $@ $(LIBRARY)

$(PEERS)/%.so: $(PEER)/%.cpp $(PEER_NEEDS)
	mkdir -p $(PEERS)
	g++ $(PEER_BUILD) -shared -fPIC $< -o $@ $(LIBRARY)

$(PEERS)/bullet_double.so: $(PEER)/bullet.cpp $(PEER)/peer.h
	mkdir -p $(PEERS)
	g++ $(PEER_BUILD) -shared -fPIC $< -o $@ $(LIBRARY)

$(PEERS)/compare: $(PEER)/compare.c $(PEER)/plugin.h $(PEER)/peer.h benches/measure.h
	mkdir -p $(PEERS)
	gcc $(PEER_BUILD) $< -o $@ -lm -ldl

$(PEERS)/evaluations: $(PEER)/evaluations.c $(PEER)/plugin.h $(PEER)/peer.h benches/measure.h benches/by_hand.h
	mkdir -p $(PEERS)
	gcc $(PEER_BUILD) $< -o $@ -lm -ldl

.PHONY: peers-setup
peers-setup:
	$(PEER)/setup.sh

# install the packages first, also under make -j
$(PLUGINS): | peers-setup

bench-peers: $(PEERS)/compare $(PLUGINS) $(RELEASE)/quatint-plot bench-evaluations
	$(PEERS)/compare $(PLUGINS) > $(PEERS)/runs.tsv
	$(RELEASE)/quatint-plot peers $(PEERS)/runs.tsv docs/peers.svg docs/peers-tables.md $(EVALUATIONS)
	@echo "docs/peers-tables.md and docs/peers.svg"

EVALUATIONS := $(PEERS)/evaluations_c.md $(PEERS)/evaluations_python.md
SOLVERS     := $(patsubst %,$(PEERS)/%.so,quatint sundials gsl odeint)

bench-evaluations: $(PEERS)/evaluations $(SOLVERS) $(PEERS)/python/ready
	$(PEERS)/evaluations $(SOLVERS) > $(PEERS)/evaluations_c.md
	$(PEERS)/python/bin/python $(PEER)/evaluations.py > $(PEERS)/evaluations_python.md
	@cat $(EVALUATIONS)

# the solvers of evaluations.py, in an environment of their own
$(PEERS)/python/ready: $(PEER)/requirements.txt
	python3 -m venv $(PEERS)/python
	$(PEERS)/python/bin/pip install --quiet --requirement $<
	touch $@
