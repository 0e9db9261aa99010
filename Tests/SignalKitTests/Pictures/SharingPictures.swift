import SignalKitCore
import Testing

/// Several subscribers, each with a line that starts at its subscription.
@Suite struct SharingPictures {
    @Test func runs() {
        picture(
            "share(replay:keep:)", "share(replay: 1)", ["-a-b-c-|"],
            ["^": "-a-b-c-|", "----^": "----bc-|", "---------^": "---------(c|)"]
        ) {
            $0[0] |> share(replay: 1)
        }
        picture(
            "share(replay:keep:)", "share(replay: 1, keep: .whileUsed)", ["-a-b-|"],
            ["^--!": "-a", "----^": "-----a-b-|"]
        ) {
            $0[0] |> share(replay: 1, keep: .whileUsed)
        }
        picture(
            "share(replay:keep:)", "share(replay: 1, keep: .for(3, queue))", ["-a-b-c-d-|"],
            ["^-!": "-a", "----^!": "----b", "---------^": "----------a-b-c-d-|"]
        ) {
            let queue = $0.queue
            return $0[0] |> share(replay: 1, keep: .for(3, queue))
        }
        picture(
            "share(replay:keep:)", "share(replay: 2, keep: .forever)", ["-a-b-c-|"],
            ["^-!": "-a", "---------^": "---------(bc|)"]
        ) {
            $0[0] |> share(replay: 2, keep: .forever)
        }
        picture(
            "multicast(_:)", "multicast", ["-a-b-c-|"],
            ["^": "-a-b-c-|", "----^": "-----c-|", "---------^": "---------|"]
        ) {
            $0[0] |> multicast
        }
    }

    @Test func sources() {
        picture("State", "state.signal()", ["-a-b-"], ["^": "xa-b-", "--^": "--ab-"]) {
            let state = State("x")
            $0.feed(0) { state.set($0) }
            return state.signal() |> castError(String.self)
        }
        picture("ValuePromise", "promise.get()", ["-a-a-b-"], ["^": "-a---b-", "--^": "--a--b-"]) {
            let promise = ValuePromise<String>(ignoreRepeated: true)
            $0.feed(0) { promise.set($0) }
            return promise.get() |> castError(String.self)
        }
        picture("Promise", "promise.get()", ["-1---2---", "-x-y-|"], ["^": "--x-y-x-y", "---^": "---xy-x-y"]) {
            let promise = Promise<String>(), second = $0.safe(1)
            $0.feed(0) { _ in promise.set(second) }
            return promise.get() |> castError(String.self)
        }
        picture("ValuePipe", "pipe.signal()", ["-a-b-c-"], ["^": "-a-b-c-", "--^": "---b-c-"]) {
            let pipe = ValuePipe<String>()
            $0.feed(0) { pipe.putNext($0) }
            return pipe.signal() |> castError(String.self)
        }
        picture(
            "FalliblePipe", "pipe.signal()", ["-a-b-x-"], ["^": "-a-b-#", "--^": "---b-#", "-------^": "-------#"]
        ) {
            let pipe = FalliblePipe<String, String>()
            $0.feed(0) { $0 == "x" ? pipe.putError("no") : pipe.putNext($0) }
            return pipe.signal()
        }
    }
}
