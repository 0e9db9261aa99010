import Harness

runBenchmarks(limits + signals + operators)
