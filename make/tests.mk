# Tests, fuzzers and soak tests. Tests/ctest declares the tests, CTest runs them.

.PHONY: test test-all test-nightly trust setup-all test-aarch64 test-musl test-portable fuzz soak

# tests DIRECTORY,CONFIGURE,CTEST: builds the test programs, then runs tests. If the build fails, CTest fails, too.
# With ONLY it builds the programs that may have such tests. Each step builds the libraries that it needs. One test more
# than there are processors runs, because many wait for a timer, a server or another process.
PLAIN_MAKE := env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS
define tests
	@mkdir -p build && $(PLAIN_MAKE) cmake -S Tests/ctest -B $(1) $(2) >$(1).log || { cat $(1).log; exit 1; }
	@targets="$(if $(ONLY),$$(Tests/ctest/needed.sh '$(ONLY)'),all)"; [ -z "$$targets" ] || \
		$(PLAIN_MAKE) cmake --build $(1) --parallel $$(nproc) --target $$targets -- --keep-going || true
	@$(PLAIN_MAKE) ctest --test-dir $(1) --parallel $$(($$(nproc) + 1)) --output-on-failure --no-tests=error --progress \
		--output-junit junit.xml --test-output-size-passed 1000000 $(3)
endef
# ONLY selects the tests whose names contain it.
ONLY ?=
MISSING ?=
SELECT = $(if $(ONLY),-C by-name -FS '^libraries$$' -R '$(ONLY)',$(1))

setup-all:
	@scripts/deps.sh test-all || [ "$(MISSING)" = skip ]

test:
	@scripts/deps.sh test
	$(call tests,build/tests,,$(call SELECT,-L '^core$$'))

test-all: setup-all
	$(call tests,build/tests,,$(call SELECT,-LE '^nightly$$'))

test-nightly: setup-all
	$(call tests,build/tests,,$(call SELECT,-L '^nightly$$'))

trust: setup-all
	$(call tests,build/tests,,)

test-aarch64: setup-all
	$(call tests,build/tests,,-R 'aarch64')

test-musl: setup-all
	$(call tests,build/tests,,-R 'musl')

test-portable: setup-all
	$(call tests,build/tests-portable,-DPORTABLE=yes,-R '^(c_|cpp_|swift[.]|step[.]($(PORTABLE_STEPS))$$)')
PORTABLE_STEPS = $(subst $(space),|,$(strip system_contract system_thread system_posix suite_debug_mode suite_thread \
	out_of_memory no_executable_memory callbacks_after_fork loops main_queue_neglected queues_after_fork queues_at_exit \
	refused_threads children_of_forks ends_of_processes set_user_id swift_main_thread))

fuzz: CAMPAIGN = fuzz_campaign$(if $(filter yes,$(PLAIN)),_plain)
fuzz:
	@scripts/deps.sh test
	@FUZZ_SECONDS=$(SECONDS) scripts/step.sh $(CAMPAIGN)
	@scripts/reliability.py --campaign build/log/$(CAMPAIGN).log

soak:
	@scripts/deps.sh test
	@SOAK_SECONDS=$(SECONDS) scripts/step.sh soak_full
	@scripts/reliability.py --soak build/log/soak_full.log
