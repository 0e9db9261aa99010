// Fusion of two sensors with sharing and a late subscriber, in virtual time.
import Foundation
import SignalKit

func sensor(every period: Duration, rate: Double, _ clock: Queue) -> Signal<Double, Never> {
    Signal.interval(period, queue: clock)
        .map { tick in 20 + 8 * sin(Double(tick) * rate) }
        .filter { $0 < 27.5 } // an implausible reading is dropped
}

func print(_ name: String, _ reading: Double) { print(name, String(format: "%.2f", reading)) }

let time = VirtualTime()
let inside = sensor(every: .milliseconds(500), rate: 0.3, time.queue)
let outside = sensor(every: .milliseconds(700), rate: 0.2, time.queue)
let fused = combineLatest(inside, outside)
    .map { ($0 + $1) / 2 }
    .scan { before, reading in 0.7 * before + 0.3 * reading }
    .distinctUntilChanged(isEqual: { abs($0 - $1) < 0.05 })
    .share(replay: 1)
let display = fused.start(next: { print("display", $0) })
time.advance(by: 3)
let late = fused.start(next: { print("late", $0) })
time.advance(by: 2)
display.dispose()
late.dispose()
