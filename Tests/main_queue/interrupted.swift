// A program with an asynchronous main. Its idle main thread blocks no signal, although the program has blocked it. A
// subscription still receives the signals. After the subscription, the signals end the program as by default.
import Foundation
import SignalKit

var wanted = sigset_t()
sigemptyset(&wanted)
sigaddset(&wanted, SIGINT)
pthread_sigmask(SIG_BLOCK, &wanted, nil)

/// Returns whether the main thread blocks SIGINT.
@Sendable func mainThreadBlocks() -> Bool {
    guard let status = try? String(contentsOfFile: "/proc/self/task/\(getpid())/status", encoding: .utf8),
        let line = status.split(separator: "\n").first(where: { $0.hasPrefix("SigBlk:") }),
        let mask = UInt64(line.dropFirst(7).trimmingCharacters(in: .whitespaces), radix: 16)
    else { fatalError("the mask of the main thread") }
    return mask >> UInt64(SIGINT - 1) & 1 != 0
}
@Sendable func isReceived() -> Bool {
    var now = sigaction()
    sigaction(SIGINT, nil, &now)
    return now.__sigaction_handler.sa_handler != nil
}
/// From the second round on, the main thread is idle before the subscription has begun.
@Sendable func interruptWhenItIsIdle() {
    Thread.detachNewThread {
        while mainThreadBlocks() || !isReceived() { usleep(1000) }
        kill(getpid(), SIGINT)
    }
}

for round in 1...2 {
    interruptWhenItIsIdle()
    var count = 0
    for try await number in Signal.unixSignal(SIGINT, queue: Queue(name: "signals")).values {
        count += 1
        if number != SIGINT { fatalError("signal \(number)") }
        if count == 3 { break }
        interruptWhenItIsIdle()
    }
    if isReceived() { fatalError("round \(round): the handler stays") }
}
print("6 signals")
