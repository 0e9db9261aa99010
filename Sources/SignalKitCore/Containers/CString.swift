/// A static text for C: ASCII that ends with a NUL. (`StaticString` has three words, this has one.)
///
/// `in function: CString = #function` is the name of the calling function.
@usableFromInline
struct CString: @unchecked Sendable {
    @usableFromInline let text: UnsafePointer<CChar>

    @inlinable
    init(text: UnsafePointer<CChar>) { self.text = text }
}

extension CString: ExpressibleByStringLiteral {
    @inlinable @inline(__always)
    init(stringLiteral text: StaticString) { self.init(text) }

    @inlinable @inline(__always)
    init(_ text: StaticString) { self.text = UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self) }
}
