# The benchmark: its results are right; what an event costs in instructions and allocations has not grown.

bench_smoke() { $make lib && $make -C benchmarks own && benchmarks/bench.py --smoke --no-build; }
gates() { $make lib && $make -C benchmarks own && benchmarks/gates.py; }

steps+=(bench_smoke gates)
