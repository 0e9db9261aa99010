import SignalKitShims

/// A change. It is valid as long as the memory of its name.
struct FoundChange {
    private let change: sgk_shim_change

    init(_ change: sgk_shim_change) { self.change = change }

    var mask: UInt32 { change.mask }
    var cookie: UInt32 { change.cookie }
    var name: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: change.name, count: change.length) }
}

#if !hasFeature(Embedded)
/// A change of a file, or of an entry in a folder.
public struct FileChange: Sendable {
    /// The kinds of changes: the bits of inotify.
    public struct Kinds: OptionSet, Sendable {
        public let rawValue: UInt32

        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Read from.
        public static let read = Kinds(rawValue: 0x1)
        /// Written to, or shortened.
        public static let written = Kinds(rawValue: 0x2)
        /// The owner, the permissions, the times, or the links have changed.
        public static let attributes = Kinds(rawValue: 0x4)
        /// Closed by a process that could write to it.
        public static let closed = Kinds(rawValue: 0x8)
        /// Moved out of the folder, or renamed in it: the old name.
        public static let movedFrom = Kinds(rawValue: 0x40)
        /// Moved into the folder, or renamed in it: the new name.
        public static let movedTo = Kinds(rawValue: 0x80)
        /// Made in the folder.
        public static let created = Kinds(rawValue: 0x100)
        /// Deleted from the folder.
        public static let deleted = Kinds(rawValue: 0x200)
        /// The watched file or folder was deleted.
        public static let gone = Kinds(rawValue: 0x400)
        /// The watched file or folder was moved.
        public static let moved = Kinds(rawValue: 0x800)
        /// Requested with another kind: also watch all folders below the watched one, and new ones.
        public static let recursive = Kinds(rawValue: 0x800_0000)
        /// Added to another kind: the change concerns a folder.
        public static let isFolder = Kinds(rawValue: 0x4000_0000)
    }

    /// The kinds of this change.
    public let kinds: Kinds
    /// The name in the folder, or nil if the watched file or folder itself has changed.
    public let name: String?
    /// Equal for both events of a renaming. Otherwise 0.
    public let cookie: UInt32

    init(_ found: FoundChange) {
        kinds = Kinds(rawValue: found.mask)
        name = found.name.isEmpty ? nil : String(decoding: found.name, as: UTF8.self)
        cookie = found.cookie
    }
}
#endif
