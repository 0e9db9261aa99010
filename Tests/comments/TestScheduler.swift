import SignalKit
import SignalKitTesting

EXAMPLE
