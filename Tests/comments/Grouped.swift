import SignalKit

typealias Reading = (station: String, degrees: Double)

func average(_ readings: [Reading]) -> Double { readings.reduce(0) { $0 + $1.degrees } / Double(readings.count) }

func averages(_ readings: Signal<Reading, NoError>) -> Signal<(String, Double), NoError> {
    EXAMPLE
}
nonisolated(unsafe) var log: [String] = []
let pipe = ValuePipe<Reading>()
_ = averages(pipe.signal()).start(next: { log.append("\($0.0) \($0.1)") })
for minute in 0..<60 {
    pipe.putNext(("hill", Double(minute)))
    if minute < 59 { pipe.putNext(("coast", 15)) }
}
precondition(log == ["hill 29.5"])
