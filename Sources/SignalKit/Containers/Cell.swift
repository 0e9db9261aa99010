/// A value that may be missing, in memory of its own.
///
/// In code that is not specialised the type of an optional is looked up at each use, which takes longer than most of
/// what is done with it; this needs nothing but the type of the value.
struct Cell<T>: ~Copyable {
    private var memory: UnsafeMutablePointer<T>?
    private(set) var hasValue = false

    init() {}

    deinit {
        if hasValue { memory!.deinitialize(count: 1) }
        memory?.deallocate()
    }

    /// Only when there is one.
    @inline(__always)
    var value: T { memory!.pointee }

    /// Puts a value in; what was there comes out, or the value again if nothing was.
    @inline(__always)
    mutating func exchange(_ value: inout T) {
        if hasValue { swap(&memory!.pointee, &value) } else { begin(with: value) }
    }

    @inline(__always)
    mutating func set(_ value: T) {
        if hasValue { memory!.pointee = value } else { begin(with: value) }
    }

    @inline(never)
    private mutating func begin(with value: T) {
        if memory == nil { memory = .allocate(capacity: 1) }
        memory!.initialize(to: value)
        hasValue = true
    }

    /// It is missing from now on.
    @inline(__always)
    mutating func clear() {
        if hasValue { _ = move() }
    }

    /// What was there; it is missing from now on.
    mutating func take() -> T? { hasValue ? move() : nil }

    /// The same, only when there is one.
    @inline(__always)
    mutating func move() -> T {
        hasValue = false
        return memory!.move()
    }

    /// A copy.
    var copy: T? { hasValue ? memory!.pointee : nil }
}
