import SignalKit

let source = Signal<Int, NoError>.single(1)
EXAMPLE
precondition(time.now == 86_400 && time.pendingCount == 0)
