import SignalKitShims

/// A text buffer of bytes. (Strings of Swift need Unicode tables that are larger than this library.)
struct TextWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ text: CString) {
        let length = Int(sgk_shim_text_length(text.text))
        UnsafeRawBufferPointer(start: text.text, count: length).withMemoryRebound(to: UInt8.self) {
            bytes.append(contentsOf: $0)
        }
    }

    mutating func write(_ number: Int64) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        write(unsigned: number.magnitude)
    }

    mutating func write(unsigned number: UInt64) {
        var left = number
        var digits: [UInt8] = []
        repeat {
            digits.append(UInt8(ascii: "0") + UInt8(left % 10))
            left /= 10
        } while left > 0
        bytes.append(contentsOf: digits.reversed())
    }

    /// A count among others, if there is anything to count.
    mutating func write(anyOf count: Int64, _ what: CString) {
        if count <= 0 { return }
        write(", ")
        write(count)
        write(what)
    }

    /// Writes nanoseconds as seconds with six decimal places.
    mutating func write(seconds nanoseconds: Int64) {
        let time = max(nanoseconds, 0)
        write(time / 1_000_000_000)
        bytes.append(UInt8(ascii: "."))
        var place: Int64 = 100_000_000
        while place >= 1000 {
            bytes.append(UInt8(ascii: "0") + UInt8(time / place % 10))
            place /= 10
        }
    }

    /// Writes seconds as short as possible, rounded to a millionth.
    mutating func write(short seconds: Double) {
        guard seconds < 9e9 else { return write("infinity") }
        write(seconds: Int64(seconds * 1e9 + 500))
        while bytes.last == UInt8(ascii: "0") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: ".") { bytes.removeLast() }
    }

    /// Writes the name from a `#function`, up to the parenthesis. In the library for C it is in C style.
    mutating func write(operation: CString) {
        #if SIGNALKIT_LIBRARY
        var start = operation.text
        start += Int(sgk_shim_prefix_length(start, "sgk_"))
        start += Int(sgk_shim_prefix_length(start, "signal_"))
        #else
        let start = operation.text
        #endif
        var place = start
        while place.pointee != 0 && place.pointee != CChar(40) /* ( */ {
            let letter = UInt8(bitPattern: place.pointee)
            #if SIGNALKIT_LIBRARY
            if letter >= UInt8(ascii: "A") && letter <= UInt8(ascii: "Z") {
                bytes.append(UInt8(ascii: "_"))
                bytes.append(letter + 32)
                place += 1
                continue
            }
            #endif
            bytes.append(letter)
            place += 1
        }
    }

    mutating func write(byte: UInt8) { bytes.append(byte) }

    /// Writes a text of the program in quotation marks, as in JSON.
    mutating func write(quoted text: UnsafePointer<CChar>?) {
        guard let text else { return write("null") }
        write("\"")
        write(unquoted: text)
        write("\"")
    }

    /// Writes the text between the quotation marks. Invalid UTF-8 is replaced.
    mutating func write(unquoted text: UnsafePointer<CChar>) {
        var place = UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self)
        while place.pointee != 0 {
            let length = TextWriter.length(ofScalarAt: place)
            if length == 0 {
                bytes.append(contentsOf: [0xef, 0xbf, 0xbd] as [UInt8]) // U+FFFD
                place += 1
                continue
            }
            if length == 1 {
                write(escaped: place.pointee)
            } else {
                bytes.append(contentsOf: UnsafeBufferPointer(start: place, count: length))
            }
            place += length
        }
    }

    private mutating func write(escaped byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(byte)
        case 0..<32, 127:
            write("\\u00")
            for digit in [byte / 16, byte % 16] {
                bytes.append(digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
            }
        default: bytes.append(byte)
        }
    }

    /// Returns the number of bytes of a scalar, or 0 for an invalid one. (The text ends with a NUL, which no scalar
    /// contains.)
    private static func length(ofScalarAt text: UnsafePointer<UInt8>) -> Int {
        let first = text[0]
        if first < 0x80 { return 1 }
        let length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
        if first < 0xc2 || first > 0xf4 { return 0 }
        for index in 1..<length where text[index] & 0xc0 != 0x80 { return 0 }
        switch (first, text[1]) { // too long, surrogates, beyond the last
        case (0xe0, ..<0xa0), (0xed, 0xa0...), (0xf0, ..<0x90), (0xf4, 0x90...): return 0
        default: return length
        }
    }
}
