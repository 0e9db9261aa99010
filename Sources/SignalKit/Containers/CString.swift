/// A static text as C sees it: ASCII with a NUL behind. (Swift's own `StaticString` is three words, this is one.)
///
/// `in function: CString = #function` names the function that calls.
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
