import CSignalKit
import SignalKitShims
import SignalKitSupport

// MARK: Descriptions of signals

@_cdecl("sgk_signal_describe") @implementation
public func sgk_signal_describe(_ signal: OpaquePointer!, _ format: sgk_debug_format) -> sgk_value {
    guard let handle = borrow(signal, as: SignalHandle.self, "signal") else { return sgk_null() }
    guard let format = TextFormat(rawValue: format.rawValue) else {
        record(SGK_ERROR_ARGUMENT, "format", "must be a sgk_debug_format")
        return sgk_null()
    }
    let bytes = handle.signal.described(as: format)
    return bytes.withUnsafeBytes { sgk_string_n($0.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count) }
}

// MARK: Active subscriptions

@_cdecl("sgk_debug_watch") @implementation
public func sgk_debug_watch(_ on: Bool) { Sight.watch(on) }

@_cdecl("sgk_debug_graph") @implementation
public func sgk_debug_graph(
    _ format: sgk_debug_format, _ write: sgk_write_fn!, _ context: UnsafeMutableRawPointer!
) -> sgk_status {
    guard let write = required(write, "write") else { return lastStatus() }
    guard let format = TextFormat(rawValue: format.rawValue) else {
        return failed(SGK_ERROR_ARGUMENT, "format", "must be a sgk_debug_format")
    }
    let bytes = Graph().written(as: format) { writer in
        writer.write(",\"live\":{")
        for kind in 0..<UInt32(SGK_SHIM_LIVE_KINDS) {
            if kind > 0 { writer.write(",") }
            writer.write(quoted: sgk_live_text(sgk_live(rawValue: kind)))
            writer.write(":")
            writer.write(sgk_support_counted(kind))
        }
        writer.write("}")
    }
    bytes.withUnsafeBytes { write(context, $0.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count) }
    return SGK_OK
}

/// A text in quotation marks, as in JSON; for the inspector.
@_cdecl("sgk_support_write_quoted")
public func sgk_support_write_quoted(
    _ text: UnsafePointer<CChar>, _ write: sgk_write_fn, _ context: UnsafeMutableRawPointer
) {
    var writer = TextWriter()
    writer.write(quoted: text)
    writer.bytes.withUnsafeBytes { write(context, $0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count) }
}

// MARK: What happens

/// The receivers of trace events.
enum Tracing {
    static let handler = HandlerSlot<sgk_trace_fn>()

    static func set(_ handler: sgk_trace_fn?, _ context: UnsafeMutableRawPointer?, _ destroy: sgk_destroy_fn?) {
        isTold
        Tracing.handler.set(handler, context, destroy)
        Sight.trace { Tracing.handler.isSet }
    }

    private static let isTold: Void = {
        Sight.teller = { happening, record, time, from in
            guard let handler = Tracing.handler.current else { return }
            Tracing.tell(handler, happening, record, time, from)
        }
    }()

    private static func tell(
        _ handler: Handler<sgk_trace_fn>, _ happening: Happening, _ record: Record, _ time: Int64, _ from: Int32
    ) {
        var event = sgk_trace_event()
        event.size = MemoryLayout<sgk_trace_event>.size
        event.kind = UInt32(happening.rawValue)
        event.file = record.name?.file.map { UnsafePointer($0) }
        event.line = record.name?.line ?? 0
        event.name = record.name.map { UnsafePointer($0.text) }
        event.run = record.number
        event.parent = record.parent
        event.from_thread = Int64(from)
        event.thread = Int64(sgk_shim_own_number())
        event.time = Double(time) * 1e-9
        event.context = record.context
        event.operation = record.title.text
        withExtendedLifetime(record) { handler.function(handler.context, &event) }
    }
}

@_cdecl("sgk_set_trace_handler") @implementation
public func sgk_set_trace_handler(
    _ handler: sgk_trace_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) {
    Tracing.set(handler, context, destroy)
}

@_cdecl("sgk_trace_set_context") @implementation
public func sgk_trace_set_context(_ value: UInt64) -> UInt64 { Record.setContext(value) }

@_cdecl("sgk_trace_context") @implementation
public func sgk_trace_context() -> UInt64 { Record.ownContext }
