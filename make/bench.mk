# The benchmark: all rows into docs/, or ROWS="W1 W2" on the terminal only.

.PHONY: bench

bench:
	@scripts/deps.sh bench
	@benchmarks/bench.py $(if $(ROWS),--rows "$(ROWS)") $(if $(ROUNDS),--rounds $(ROUNDS)) \
		$(if $(RUNS),--runs $(RUNS))
