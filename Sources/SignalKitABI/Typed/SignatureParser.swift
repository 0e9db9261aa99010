import CSignalKit
import SignalKitSupport

/// Parses `"(" [type {"," type}] ")" "->" type ["via libffi"]`. An invalid signature is recorded as an error with its
/// column.
struct SignatureParser {
    private let text: UnsafePointer<CChar>
    private var position = 0
    /// The type that was read last.
    private var last = 0..<0

    private let function: CString

    init(_ text: UnsafePointer<CChar>, in function: CString = #function) {
        self.text = text
        self.function = function
    }

    mutating func signature() -> Signature? {
        guard expect("("), let parameters = parameters(), expect("->"), let result = type() else { return nil }
        if result == SGK_TYPE_ctx { return wrong("not a result type", last) }
        let throughLibffi = !isAtEnd()
        if throughLibffi && !(expect("via") && expect("libffi")) { return nil }
        if !isAtEnd() { return wrong("unexpected", word()) }
        if let signature = Signature.create(parameters, result, throughLibffi: throughLibffi) { return signature }
        return wrong("libffi rejects this signature", last)
    }

    private mutating func parameters() -> [sgk_type]? {
        var types: [sgk_type] = []
        if accept(")") { return types }
        while true {
            guard let type = type() else { return nil }
            if type == SGK_TYPE_void {
                if types.isEmpty && accept(")") { return types }
                return wrong("not a parameter type", last)
            }
            if types.count == Int(SGK_MOST_PARAMETERS) { return wrong("more than 64 parameters", last) }
            types.append(type)
            if accept(")") { return types }
            if !expect(",") { return nil }
        }
    }

    private mutating func type() -> sgk_type? {
        let word = word()
        if word.isEmpty { return wrong("a type is missing", word) }
        let type = sgk_support_type_named(text + word.lowerBound, word.count)
        if type < 0 { return wrong("unknown type", word) }
        position = word.upperBound
        last = word
        return sgk_type(rawValue: UInt32(type))
    }

    // MARK: Characters

    private mutating func isAtEnd() -> Bool {
        skipSpace()
        return text[position] == 0
    }

    private mutating func skipSpace() {
        while text[position] == 32 || text[position] >= 9 && text[position] <= 13 { position += 1 }
    }

    private mutating func accept(_ token: StaticString) -> Bool {
        skipSpace()
        let length = token.utf8CodeUnitCount
        if strncmp(text + position, CString(token).text, length) != 0 { return false }
        position += length
        return true
    }

    private mutating func expect(_ token: StaticString) -> Bool {
        if accept(token) { return true }
        switch token.utf8Start[0] {
        case 40:
            return missing(
                "'(' is missing; write a signature as (types) -> type",
                "write a signature as (types) -> type; '(' is missing before")
        case 44: return missing("',' or ')' is missing", "',' or ')' is missing before")
        case 45: return missing("'->' is missing", "'->' is missing before")
        default: return wrong("unexpected", word()) ?? false
        }
    }

    /// Records that a token is missing at the end of the text, or before the next word.
    private mutating func missing(_ atEnd: CString, _ before: CString) -> Bool {
        let word = word()
        return wrong(word.isEmpty ? atEnd : before, word) ?? false
    }

    /// Returns the next word, or the next single character that does not belong to a word.
    private mutating func word() -> Range<Int> {
        skipSpace()
        var end = position
        while isLetter(text[end]) { end += 1 }
        if end == position && text[end] != 0 { end += 1 }
        return position..<end
    }

    private func isLetter(_ byte: CChar) -> Bool {
        byte >= 97 && byte <= 122 || byte >= 65 && byte <= 90 || byte >= 48 && byte <= 57 || byte == 95
    }

    private func wrong<R>(_ reason: CString, _ word: Range<Int>) -> R? {
        sgk_support_fail_at(
            Int32(SGK_ERROR_ARGUMENT.rawValue), function.text, "text", word.lowerBound + 1, reason.text,
            text + word.lowerBound, word.count)
        return nil
    }
}
