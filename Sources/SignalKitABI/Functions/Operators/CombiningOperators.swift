import CSignalKit

@_cdecl("sgk_combine_latest") @implementation
public func sgk_combine_latest(_ signals: UnsafePointer<OpaquePointer?>!, _ count: Int, _ queue: OpaquePointer!) -> OpaquePointer! {
    guard let sources = upstreams(signals, count, "sgk_combine_latest") else { return nil }
    var target: Queue?
    if queue != nil {
        guard let handle = borrow(queue, as: QueueHandle.self, "sgk_combine_latest", "queue") else { return nil }
        target = handle.queue
    }
    return SignalHandle(combineLatest(queue: target, sources) |> map { .boxed(ArrayBox($0)) }).passed()
}
