# The benchmark: its results are right; an event costs no more instructions, allocations and bytes than recorded; the
# page matches the recorded results, with a reason for each missed goal.

bench_smoke() { $make bench-programs && benchmarks/bench.py --smoke; }
gates() { $make bench-programs && benchmarks/gates.py; }
bench_page() { benchmarks/bench.py --check; }

core+=(bench_page)
steps+=(bench_smoke gates)
