// The limit: ten closures, one calling the next, in two forms.
import Harness

let limits = [
    Case("W1s", "10 nested closures, work inlined", 5_000_000) { count in
        chain(count) { next in { next($0 &+ 1) } }
    },
    Case("W1s", "10 nested closures, each calling one of the user's", 3_000_000) { count in
        let transform = opaque { (number: Int) in number &+ 1 }
        return chain(count) { next in { next(transform($0)) } }
    },
]

private func chain(_ count: Int, _ stage: (@escaping (Int) -> Void) -> (Int) -> Void) -> Double {
    var total = 0
    var next: (Int) -> Void = { total &+= $0 }
    for _ in 0..<10 { next = stage(opaque(next)) }
    let first = opaque(next)
    let measure = time(count) { for number in 0..<count { first(number) } }
    check(total, sum(count) + 10 * count, "sum")
    return measure
}

/// What the compiler does not know, it cannot inline.
@inline(never) @_optimize(none)
private func opaque<F>(_ function: F) -> F { function }
