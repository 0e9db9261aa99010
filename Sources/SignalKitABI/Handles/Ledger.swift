import CSignalKit
import SignalKitShims
import SignalKitSupport

/// With SIGNALKIT_DEBUG=1: objects by address, how many references to each the program holds, and where it got them. (A
/// released address that a new object has got again is taken for the new one.)
final class Ledger: @unchecked Sendable {
    let lock = SmallLock()
    @exclusivity(unchecked) private var entries: [UInt: sgk_holding] = [:]

    func change<R>(_ body: (inout [UInt: sgk_holding]) -> R) -> R { lock.withLock { body(&entries) } }

    func knows(_ object: UInt) -> Bool { change { $0[object] != nil } }

    /// Counts a reference that the program receives to a known or a new object. The first reference stores the call
    /// site.
    func gain(_ object: UInt, _ new: sgk_holding? = nil) {
        var site = sgk_call_site()
        if change({ $0[object]?.references ?? 0 }) == 0 { sgk_support_note_call_site(&site) }
        change {
            guard var holding = $0[object] ?? new else { return }
            if holding.references == 0 { holding.site = site }
            holding.references += 1
            $0[object] = holding
        }
    }

    /// Returns a snapshot of both ledgers and of the subscriptions. The caller frees it. Returns `nil` if memory is
    /// insufficient.
    fileprivate static func all(_ count: inout Int) -> UnsafeMutablePointer<sgk_holding>? {
        let (handles, values) = Registry.ledger.change { handles in
            Ownership.ledger.change { (handles, $0) } // which are copied when the next one is changed
        }
        let runs = Records.copy().filter { $0.isRun }
        count = handles.count + values.count + runs.count
        guard let memory = malloc(max(count, 1) * MemoryLayout<sgk_holding>.stride) else { return nil }
        let all = memory.assumingMemoryBound(to: sgk_holding.self)
        var next = all
        func add(_ holding: sgk_holding) {
            next.initialize(to: holding)
            next += 1
        }
        for holding in handles.values { add(holding) }
        for holding in values.values { add(holding) }
        for run in runs { add(sgk_holding(run)) }
        return all
    }
}

extension sgk_holding {
    /// Something that the program does not hold yet. The name is copied.
    init(_ kind: UInt32, value: UInt32 = 0, name: UnsafePointer<CChar>? = nil, since: Int64 = sgk_shim_nanoseconds()) {
        self.init()
        self.kind = kind
        value_kind = value
        self.since = since
        if let name { sgk_support_name_holding(&self, name) }
    }

    init(_ run: Record) {
        self.init(UInt32(SGK_SUPPORT_RUN), name: run.name.map { UnsafePointer($0.text) }, since: run.start)
        if let start = run.origin { site = unsafeDowncast(start, to: CallSite.self).site }
    }
}

/// The place where the program started a subscription.
final class CallSite {
    let site: sgk_call_site

    init() {
        var site = sgk_call_site()
        sgk_support_note_call_site(&site)
        self.site = site
    }
}

/// Supplies the list for Support/dump.c.
@_cdecl("sgk_support_holdings")
public func sgk_support_holdings(_ count: UnsafeMutablePointer<Int>) -> UnsafeMutablePointer<sgk_holding>? {
    Ledger.all(&count.pointee)
}
