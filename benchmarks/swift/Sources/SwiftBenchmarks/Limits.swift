// The limit: closures, one calling the next, in two forms.
import Harness

let limits = [
    Case("W1s", "10 closures, work inlined", 5_000_000) { count in
        chain(count) { next in { next($0 &+ 1) } }
    },
    Case("W1s", "10 closures, each calling the user's", 3_000_000) { count in
        let transform: (Int) -> Int = opaque { $0 &+ 1 }
        return chain(count) { next in { next(transform($0)) } }
    },
]

private func chain(_ count: Int, _ stage: (@escaping (Int) -> Void) -> (Int) -> Void) -> Double {
    let total = counter()
    var next: (Int) -> Void = { total.pointee &+= $0 }
    for _ in 0..<10 { next = stage(opaque(next)) }
    let first = opaque(next)
    let measure = time(count) { for number in 0..<count { first(number) } }
    check(total.pointee, sum(count) + 10 * count, "sum")
    return measure
}

// The compiler cannot inline these. (One generic function would wrap the closures.)

@inline(never) @_optimize(none)
private func opaque(_ function: @escaping (Int) -> Void) -> (Int) -> Void { function }

@inline(never) @_optimize(none)
private func opaque(_ function: @escaping (Int) -> Int) -> (Int) -> Int { function }
