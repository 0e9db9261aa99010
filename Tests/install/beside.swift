// A Swift program (with the ordinary runtime) that has the library in its process: neither may disturb the other.
import Foundation

final class Thing: CustomStringConvertible {
    let number: Int
    nonisolated(unsafe) static var live = 0
    init(_ number: Int) { self.number = number; Thing.live += 1 }
    deinit { Thing.live -= 1 }
    var description: String { "thing \(number)" }
}

guard let library = dlopen(CommandLine.arguments[1], RTLD_NOW | RTLD_GLOBAL) else {
    fatalError(String(cString: dlerror()))
}
func function<F>(_ name: String, as type: F.Type) -> F { unsafeBitCast(dlsym(library, name)!, to: type) }
let version = function("sgk_version", as: (@convention(c) () -> UnsafePointer<CChar>).self)
let single = function("sgk_signal_never", as: (@convention(c) () -> OpaquePointer).self)
let release = function("sgk_release", as: (@convention(c) (OpaquePointer) -> Void).self)
let live = function("sgk_live_total", as: (@convention(c) () -> Int64).self)

for number in 0..<1000 {
    let signal = single()
    let things = [Thing(number), Thing(number + 1)]
    precondition("\(things)" == "[thing \(number), thing \(number + 1)]")
    release(signal)
}
let done = DispatchSemaphore(value: 0)
DispatchQueue.global().async { done.signal() }
done.wait()
precondition(Thing.live == 0 && live() == 0)
print("beside \(String(cString: version()))")
