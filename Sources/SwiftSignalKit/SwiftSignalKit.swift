/// The core under the name of its predecessor: `import SwiftSignalKit`, and `SwiftSignalKit.Timer` where Foundation has
/// a name too.
@_exported import SignalKitCore
