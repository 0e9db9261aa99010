# The benchmark: its results are right; what an event costs in instructions, allocations and bytes has not grown; its
# page is what was recorded, with a reason for each goal that is missed.

bench_smoke() { $make lib && $make -C benchmarks own && benchmarks/bench.py --smoke --no-build; }
gates() { $make lib && $make -C benchmarks own && benchmarks/gates.py; }
bench_page() { benchmarks/bench.py --check; }

core+=(bench_page)
steps+=(bench_smoke gates)
