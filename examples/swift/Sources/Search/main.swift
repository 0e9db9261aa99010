// Search as you type, with debounce and switch on the main actor: each line of the input is the text of the field after
// a key.
import SignalKit

let words = ["signal", "signature", "single", "sink", "subscriber", "switch"]

/// The next text cancels it, also while it waits.
func search(_ text: String, on index: Queue) -> Signal<[String], SystemError> {
    deferred { .single(words.filter { $0.hasPrefix(text) }) }.delay(.milliseconds(20), queue: index)
}

let index = Queue(name: "index")
let found = Signal.lines(of: 0, queue: .main)
    .map { text in String(text.reversed().drop { $0 == " " }.reversed()) }
    .filter { $0.count >= 2 }
    .debounce(.milliseconds(50), queue: .main)
    .distinctUntilChanged()
    .mapToSignal { search($0, on: index) }
for try await words in found.values { print("\(words.count) found:", words.joined(separator: " ")) }
