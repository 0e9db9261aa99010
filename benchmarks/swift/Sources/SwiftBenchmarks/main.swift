import Harness

runBenchmarks(limits + signals)
