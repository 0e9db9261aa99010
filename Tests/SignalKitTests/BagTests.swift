import SignalKitCore
import Testing

@Suite struct BagTests {
    // Covers: SW-128, SW-129, SW-130, SW-131, SW-132, SW-133, SW-134, SW-135, SW-136, SW-137, SW-138, OC-69, OC-70, OC-71, OC-72, OC-73, C-118
    // Covers: MT-40, MT-41, MT-42, MT-43, MT-44
    @Test func keysOrderAndSnapshots() {
        let bag = Bag<String>()
        #expect(bag.isEmpty && bag.first == nil && bag.copyItems() == [] && bag.copyItemsWithIndices().isEmpty)
        let keys: [Bag<String>.Index] = ["a", "b", "c"].map { bag.add($0) }
        #expect(keys == [0, 1, 2])
        #expect(bag.get(1) == "b")
        #expect(bag.take(1) == "b")
        #expect(bag.take(1) == nil && bag.take(99) == nil && bag.take(-1) == nil)
        #expect(bag.get(1) == nil && bag.get(99) == nil)
        #expect(bag.add("d") == 3)
        #expect(bag.copyItems() == ["a", "c", "d"])
        #expect(bag.copyItemsWithIndices().map { $0.0 } == [0, 2, 3])
        #expect(bag.first! == (0, "a"))
        bag.remove(0)
        #expect(bag.first! == (2, "c"))
        var seen: [String] = []
        bag.enumerateItems { item in
            seen.append(item)
            bag.add(item + item)
        }
        #expect(seen == ["c", "d"])
        let copy = bag.copyItems()
        bag.removeAll()
        #expect(bag.isEmpty && bag.first == nil && copy == ["c", "d", "cc", "dd"])
        #expect(bag.add("z") == 6)
        #expect(!bag.isEmpty && bag.first! == (6, "z"))
    }

    // Covers: SW-133, C-118, B-48
    @Test func agreesWithASimpleModel() {
        let bag = Bag<Int?>()
        var model: [(Int, Int?)] = []
        var random = SystemRandomNumberGenerator()
        for step in 0..<4000 {
            if step % 3 != 2 || model.isEmpty {
                let item = step % 7 == 0 ? nil : Optional(step)
                model.append((bag.add(item), item))
            } else {
                let index = Int.random(in: 0..<model.count, using: &random)
                let removed = bag.take(model[index].0)
                #expect(removed == .some(model[index].1))
                model.remove(at: index)
            }
        }
        #expect(bag.copyItems() == model.map { $0.1 })
        #expect(bag.copyItemsWithIndices().map { $0.0 } == model.map { $0.0 })
        for (key, item) in model { #expect(bag.get(key) == .some(item)) }
        for (key, _) in model { bag.remove(key) }
        #expect(bag.isEmpty)
    }

    // Covers: B-48
    @Test func lookupDoesNotWalkTheBag() {
        // With a linear lookup this takes 10^10 steps.
        let bag = Bag<Int>()
        for item in 0..<200_000 { bag.add(item) }
        var sum = 0
        for key in 0..<200_000 { sum += bag.get(key)! }
        for key in stride(from: 199_999, through: 0, by: -1) { bag.remove(key) }
        #expect(sum == 199_999 * 100_000)
        #expect(bag.isEmpty)
    }

    // Covers: SW-133, SW-134, C-118, B-48
    @Test func removedItemsAreFreedAndMayComeBack() {
        let tracker = LifetimeTracker()
        let bag = Bag<LifetimeTracker.Tracked>()
        nonisolated(unsafe) let inDeinit = bag
        for _ in 0..<100 { bag.add(tracker.make(onDeinit: { _ = inDeinit.isEmpty })) }
        for key in 0..<90 { bag.remove(key) }
        #expect(tracker.live == 10)
        bag.removeAll()
        #expect(tracker.live == 0)
    }

    // Covers: SW-139, SW-140, SW-141, SW-142, SW-143, SW-144, SW-145, SW-146, SW-147, C-119
    @Test func sparse() {
        let bag = SparseBag<Int>()
        #expect(bag.isEmpty)
        let keys: [SparseBag<Int>.Index] = (0..<10).map { bag.add($0 * 2) }
        #expect(keys == Array(0..<10))
        #expect(bag.get(3) == 6 && bag.get(10) == nil)
        #expect(bag.take(3) == 6 && bag.take(3) == nil)
        #expect(bag.sorted() == [0, 2, 4, 8, 10, 12, 14, 16, 18])
        let iterator = bag.makeIterator()
        var count = 0
        while iterator.next() != nil { count += 1 }
        #expect(count == 9)
        bag.removeAll()
        #expect(bag.isEmpty && bag.add(1) == 10)
    }

    // Covers: SW-148, SW-149, SW-150, SW-151, SW-152, C-119
    @Test func counter() {
        let bag = CounterBag()
        #expect(bag.isEmpty)
        #expect(bag.add() == 1 && bag.add() == 2)
        bag.remove(1)
        bag.remove(7)
        #expect(!bag.isEmpty)
        bag.remove(2)
        #expect(bag.isEmpty && bag.add() == 3)
    }

    // Covers: SW-153, SW-154, SW-155, C-119
    @Test func weak() {
        let tracker = LifetimeTracker()
        var object: LifetimeTracker.Tracked? = tracker.make()
        let box = Weak(object!)
        #expect(box.value === object)
        object = nil
        #expect(box.value == nil && tracker.live == 0)
    }
}
