/// The class of what an object makes again and again. Ordinary Swift looks a generic class up wherever one is made,
/// which takes several times as long as making it; Embedded Swift knows it, and this takes no room there.
struct Kind<Object: AnyObject> {
    #if hasFeature(Embedded)
    @inline(__always)
    var type: Object.Type { Object.self }
    #else
    let type = Object.self
    #endif
}
