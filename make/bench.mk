# The benchmark: all rows into docs/, or ROWS="W1 W2" on the terminal only. Its own Makefile builds the programs, here
# with the library of this build.

.PHONY: bench bench-programs
IN_BENCHMARKS = +$(MAKE) --no-print-directory -C benchmarks SIGNALKIT_CFLAGS='-I$(CURDIR)/include' SWIFTC='$(SWIFTC)' \
	SIGNALKIT_LIBDIR='$(CURDIR)/$(LIB)' SIGNALKIT_EXAMPLES='$(CURDIR)/examples' SIGNALKIT_SOURCES='$(CURDIR)'

bench-programs: lib
	@$(IN_BENCHMARKS) own

bench:
	@scripts/deps.sh bench
	@$(MAKE) --no-print-directory bench-programs
	-@$(IN_BENCHMARKS) -k peers
	@benchmarks/bench.py $(if $(ROWS),--rows "$(ROWS)") $(if $(ROUNDS),--rounds $(ROUNDS)) \
		$(if $(RUNS),--runs $(RUNS))
