/// The class of objects that are created repeatedly. Ordinary Swift looks up a generic class at each creation, which
/// takes several times as long as the creation. Embedded Swift knows the class, and this structure is empty there.
struct Kind<Object: AnyObject> {
    #if hasFeature(Embedded)
    @inline(__always)
    var type: Object.Type { Object.self }
    #else
    let type = Object.self
    #endif
}
