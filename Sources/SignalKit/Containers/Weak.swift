#if !hasFeature(Embedded)
/// A box that does not retain its content.
public final class Weak<T: AnyObject> {
    /// The object, as long as somebody else keeps it.
    public private(set) weak var value: T?

    /// With an object, which somebody else keeps.
    public init(_ value: T) {
        self.value = value
    }
}
#endif
