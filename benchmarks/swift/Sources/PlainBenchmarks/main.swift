import Harness

runBenchmarks(signals)
