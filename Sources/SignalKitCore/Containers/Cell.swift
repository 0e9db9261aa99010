/// An optional value in separate memory.
///
/// Code that is not specialized looks up the type of an optional at each use, which takes longer than most operations
/// on it. This needs only the type of the value.
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

    /// Stores a value and returns the previous one in its argument. If there was none, the argument is unchanged.
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

    /// Removes and returns the value.
    mutating func take() -> T? { hasValue ? move() : nil }

    /// Removes and returns the value. There must be one.
    @inline(__always)
    mutating func move() -> T {
        hasValue = false
        return memory!.move()
    }

    /// A copy.
    var copy: T? { hasValue ? memory!.pointee : nil }
}
