import Testing
@testable import SignalKitCore

@Suite struct SlotTests {
    private let first = ActionDisposable {}
    private let second = ActionDisposable {}

    @Test func whatIsStoredReplacesWhatWasThere() {
        var slot = Slot.empty
        #expect(slot.store(first) == nil)
        #expect(slot.store(second) === first)
        #expect(slot.take() === second)
        #expect(slot.take() == nil && slot.store(first) == nil)
    }

    @Test func whatComesTooLateComesBack() {
        var slot = Slot.empty
        #expect(slot.store(first) == nil && slot.close() === first)
        #expect(slot.isClosed && slot.close() == nil && slot.take() == nil)
        #expect(slot.store(second) === second && slot.isClosed)
        #expect(slot.take() == nil)
    }

    /// The subscription of a delayed start contains such a slot.
    @Test func aSlotIsNoLargerThanWhatIsInIt() { #expect(MemoryLayout<Slot>.size == MemoryLayout<any Disposable>.size) }
}
