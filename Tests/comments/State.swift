import SignalKit

EXAMPLE
precondition(count.value == 1)
subscription.dispose()
