# Tests, fuzzers and soak tests.

.PHONY: test trust test-aarch64 test-musl test-portable fuzz soak

test:
	@scripts/deps.sh tests
	@scripts/test.sh

trust:
	@scripts/deps.sh tests
	@LONG=yes scripts/test.sh

test-aarch64:
	@scripts/deps.sh tests
	@scripts/test.sh suite_aarch64 cpp_aarch64 python_aarch64 python_wheel_aarch64 binary_aarch64

test-musl:
	@scripts/deps.sh tests
	@scripts/test.sh suite_musl suite_musl_static binary_musl

test-portable:
	@scripts/deps.sh tests
	@PORTABLE=yes scripts/test.sh system_contract system_thread system_posix swift_tests suite_shared suite_debug_mode \
		suite_address suite_thread out_of_memory no_executable_memory callbacks_after_fork cpp_shared loops \
		main_queue_neglected queues_after_fork queues_at_exit refused_threads children_of_forks ends_of_processes \
		set_user_id

fuzz: CAMPAIGN = fuzz_campaign$(if $(filter yes,$(PLAIN)),_plain)
fuzz:
	@scripts/deps.sh tests
	@FUZZ_SECONDS=$(SECONDS) LIMIT=$$((8 * $(SECONDS) + 3600)) scripts/test.sh $(CAMPAIGN)
	@scripts/reliability.py --campaign build/log/$(CAMPAIGN).log

soak:
	@scripts/deps.sh tests
	@SOAK_SECONDS=$(SECONDS) scripts/test.sh soak_full
	@scripts/reliability.py --soak build/log/soak_full.log
