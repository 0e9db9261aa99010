#if !hasFeature(Embedded)
/// A box that does not retain its content.
public final class Weak<T: AnyObject> {
    /// The object, as long as other code retains it.
    public private(set) weak var value: T?

    /// Refers to an object, which other code must retain.
    public init(_ value: T) {
        self.value = value
    }
}
#endif
