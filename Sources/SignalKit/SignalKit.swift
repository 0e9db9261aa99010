/// The library for Swift programs: the core, and the overloads and members that only Swift programs use.
@_exported import SignalKitCore
