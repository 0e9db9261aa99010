import SignalKitShims

/// A change, as long as its name lies in the memory that it was read to.
struct FoundChange {
    private let change: sgk_shim_change

    init(_ change: sgk_shim_change) { self.change = change }

    var mask: UInt32 { change.mask }
    var cookie: UInt32 { change.cookie }
    var name: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: change.name, count: change.length) }
}

#if !hasFeature(Embedded)
/// What has happened to a file, or to something in a folder.
public struct FileChange: Sendable {
    /// What happens: the bits of inotify's.
    public struct Kinds: OptionSet, Sendable {
        public let rawValue: UInt32

        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Read from.
        public static let read = Kinds(rawValue: 0x1)
        /// Written to, or made shorter.
        public static let written = Kinds(rawValue: 0x2)
        /// The owner, the permissions, the times, or the links have changed.
        public static let attributes = Kinds(rawValue: 0x4)
        /// Closed by who could write to it.
        public static let closed = Kinds(rawValue: 0x8)
        /// Out of the folder; or within it, under its old name.
        public static let movedFrom = Kinds(rawValue: 0x40)
        /// Into the folder; or within it, under its new name.
        public static let movedTo = Kinds(rawValue: 0x80)
        /// Made in the folder.
        public static let created = Kinds(rawValue: 0x100)
        /// Deleted from the folder.
        public static let deleted = Kinds(rawValue: 0x200)
        /// What is watched was deleted itself.
        public static let gone = Kinds(rawValue: 0x400)
        /// What is watched was moved itself.
        public static let moved = Kinds(rawValue: 0x800)
        /// Beside another: it has happened to a folder.
        public static let isFolder = Kinds(rawValue: 0x4000_0000)
    }

    /// What has happened.
    public let kinds: Kinds
    /// The name in the folder; nil when it has happened to what is watched itself.
    public let name: String?
    /// The same for both halves of a renaming; otherwise 0.
    public let cookie: UInt32

    init(_ found: FoundChange) {
        kinds = Kinds(rawValue: found.mask)
        name = found.name.isEmpty ? nil : String(decoding: found.name, as: UTF8.self)
        cookie = found.cookie
    }
}
#endif
