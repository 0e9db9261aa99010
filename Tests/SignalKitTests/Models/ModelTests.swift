import Testing

/// Models of the lock-free algorithms, in every interleaving of their atomic operations, which are sequentially
/// consistent. (The model of `Serial` is with its other tests.)
@Suite struct ModelTests {
    @Test(
        arguments: [
            [[.put(1), .put(2)], [.put(3), .put(4)]],
            [[.join(1), .put(1), .part(1), .put(2)], [.put(3), .put(4)]],
            [[.join(1), .put(1), .part(1), .put(2)], [.join(2), .put(3), .part(2), .put(4)]],
            [[.join(1), .put(1)], [.put(2)], [.join(2), .put(3)]],
            [[.put(1)], [.join(1), .part(1)], [.put(2), .put(3)]],
            [[.join(1), .fail(1), .put(2)], [.put(3), .put(4)]],
            [[.join(1), .put(1), .part(1)], [.join(2), .fail(2), .join(3), .put(3)]],
            [[.join(1), .part(1), .put(1)], [.fail(2)], [.put(3)]],
            [[.join(1), .fail(1)], [.join(2), .fail(2)], [.put(3)]],
        ] as [[[ListenersModel.Act]]]) func aListIsReadWhileNobodyChangesItAndNothingIsLeftBehind(
            plan: [[ListenersModel.Act]]
        )
    {
        #expect(ListenersModel(plan).explore() > 50)
    }

    @Test func whoLeavesIsLookedForInTheListOnlyIfItIsThere() {
        #expect(
            ListenersModel([[.join(1), .fail(1)], [.put(2)], [.part(1)]], without: .takingIsNoted).countFaults() > 0)
    }

    @Test(arguments: [ListenersModel.Omission.lookAtLock, .lookAtSection, .waitingIsNoted, .offerIsSeen])
    func nothingOfThatCanBeLeftOut(omitted: ListenersModel.Omission) {
        #expect(ListenersModel([[.put(1), .put(2)], [.join(1), .put(3)]], without: omitted).countFaults() > 0)
    }

    @Test(
        arguments: [
            [[.emit(letsGoInside: true)], [.emit(letsGoInside: true)]],
            [[.emit(letsGoInside: true)], [.dispose]],
            [[.emit(letsGoInside: false)], [.dispose], [.dispose]],
            [[.emit(letsGoInside: true)], [.emit(letsGoInside: false)], [.dispose]],
            [[.emitAndKeep, .emit(letsGoInside: true)], [.emitAndKeep, .emit(letsGoInside: true)]],
            [[.emit(letsGoInside: true)], [.emit(letsGoInside: true)], [.emit(letsGoInside: false)]],
        ] as [[[GateModel.Act]]]) func theLastCallLetsTheGateGo(plan: [[GateModel.Act]])
    {
        #expect(GateModel(plan).explore() > 20)
    }

    @Test func aCallWouldTouchWhatIsGoneIfNothingWasHandedOver() {
        #expect(GateModel([[.emit(letsGoInside: true)], [.dispose]], handsOver: false).countFaults() > 0)
    }

    @Test(
        arguments: [
            [[.generate(letsGoInside: false), .generate(letsGoInside: true), .returnGenerated], [.dispose]],
            [[.generate(letsGoInside: true), .returnGenerated], [.emit(letsGoInside: true)], [.dispose]],
            [
                [.generate(letsGoInside: true), .returnGenerated, .emit(letsGoInside: true)],
                [.emit(letsGoInside: false)],
            ],
            [[.generate(letsGoInside: false), .returnGenerated, .emit(letsGoInside: true)], [.dispose], [.dispose]],
        ] as [[[GateModel.Act]]]) func whatAGeneratorPutsNeedsNoCounting(plan: [[GateModel.Act]])
    {
        #expect(GateModel(plan).explore() > 20)
    }

    @Test func aGeneratorWouldCallWhatIsGoneIfTheStagesBelowWereNotHeld() {
        #expect(
            GateModel(
                [[.generate(letsGoInside: false), .returnGenerated, .emit(letsGoInside: true)], [.dispose]],
                holdsSink: false
            ).countFaults() > 0)
    }

    @Test(arguments: [
        [[1, 2], [3, 4]],
        [[1], [2], [3]],
        [[-1, 2], [-3, 4]],
        [[1, 2, 3], [-4]],
        [[-1, -2], [-3]],
    ]) func aLineIsOnePlaceAndItsWorkIsDone(plan: [[Int]]) {
        #expect(JobQueueModel(plan).explore() > 50)
    }

    @Test(arguments: [JobQueueModel.Omission.lookWhenLeaving, .comingUpAfterTurn])
    func nothingOfAJobQueueCanBeLeftOut(omitted: JobQueueModel.Omission) {
        #expect(JobQueueModel([[1, 2], [3, 4]], without: omitted).countFaults() > 0)
    }

    @Test(arguments: [
        [[1, 2], [3]],
        [[1], [2], [3]],
        [[1, 2, 3]],
    ]) func nobodyRestsAlthoughThereIsWork(plan: [[Int]]) {
        #expect(PoolModel(plan).explore() > 50)
    }

    /// A job waits for the next one, that for the next: with fewer threads than jobs.
    @Test(arguments: [1, 2]) func threadsThatAreBlockedGetCompany(limit: Int) {
        #expect(PoolModel([[1, 2, 3]], needs: [1: 2, 2: 3], limit: limit, most: 3).explore() > 50)
        #expect(PoolModel([[1, 2], [3]], needs: [1: 2, 3: 2], limit: limit, most: 3).explore() > 50)
    }

    @Test(arguments: [PoolModel.Omission.lookBeforeRest, .callForMore])
    func nothingOfAPoolCanBeLeftOut(omitted: PoolModel.Omission) {
        #expect(PoolModel([[1, 2], [3]], needs: [1: 3], without: omitted).countFaults() > 0)
    }

    @Test func blockedThreadsAreToBeWatched() {
        #expect(PoolModel([[1, 2, 3]], needs: [1: 2, 2: 3], limit: 2, most: 3, without: .watching).countFaults() > 0)
    }

    @Test(
        arguments: [
            [[.value(1), .job(2), .value(3), .end(4)]],
            [[.value(1), .value(2)], [.job(3), .end(4)]],
            [[.value(1)], [.value(2)], [.job(3)]],
            [[.job(1, putting: 2)], [.value(3), .job(4)]],
            [[.job(1, putting: 2)], [.job(3, putting: 4)]],
            [[.value(1), .value(2)], [.job(3)], [.dispose]],
            [[.value(1), .value(2)], [.sync(3), .value(4)]],
            [[.value(1)], [.value(2), .sync(3), .value(4)]],
            [[.sync(1), .value(2)], [.job(3), .sync(4)]],
        ] as [[[DeliveryModel.Act]]]) func whatIsPutIntoAQueueKeepsItsOrder(plan: [[DeliveryModel.Act]])
    {
        #expect(DeliveryModel(plan).explore() > 100)
        #expect(DeliveryModel(plan, isConcurrent: true).explore() > 100)
    }

    @Test func aPlaceThatTakesOnlyOneMakesNoDifference() {
        #expect(DeliveryModel([[.value(1), .end(2)], [.job(3)]], capacity: 1).explore() > 100)
    }

    @Test func workThatRunsOnTheThreadThatWaitsNeedsAnIdleQueue() {
        #expect(DeliveryModel([[.value(1)], [.value(2), .sync(3)]], without: .lookWhetherIdle).countFaults() > 0)
    }

    @Test(arguments: [DeliveryModel.Omission.counting, .countingAfterwards, .comparing])
    func theOrderIsLostWithoutThat(omitted: DeliveryModel.Omission) {
        #expect(DeliveryModel([[.value(1)], [.job(2), .value(3)]], without: omitted).countFaults() > 0)
    }

    @Test(
        arguments: [
            [[.value(1), .end(2)], [.pause, .resume]],
            [[.value(1), .value(2)], [.pause, .resume]],
            [[.value(1)], [.value(2)], [.pause, .resume]],
            [[.value(1)], [.pause, .resume, .pause, .resume]],
            [[.job(1, putting: 2)], [.pause, .resume]],
            [[.value(1), .dispose], [.pause, .resume]],
            [[.pause, .value(1), .resume, .value(2)]],
        ] as [[[DeliveryModel.Act]]]) func aPausedDeliveryContinues(plan: [[DeliveryModel.Act]])
    {
        #expect(DeliveryModel(plan).explore() > 10)
        #expect(DeliveryModel(plan, capacity: 1, isConcurrent: true).explore() > 10)
    }

    @Test(arguments: [
        DeliveryModel.Omission.keepingTheTurn, .goingOn, .goingOnOnce, .countingTheRest, .lookingInTheBatch,
    ]) func aPausedDeliveryFailsWithoutThat(omitted: DeliveryModel.Omission) {
        let values: [DeliveryModel.Act] =
            omitted == .countingTheRest ? [.value(1), .value(2), .end(3)] : [.value(1), .value(2)]
        let plan: [[DeliveryModel.Act]] =
            omitted == .goingOnOnce
            ? [[.value(1)], [.pause, .resume, .pause, .resume]] : [values, [.pause, .resume]]
        let model = DeliveryModel(plan, isConcurrent: omitted == .goingOnOnce, without: omitted)
        #expect(model.countFaults() > 0)
    }

    /// Works of up to three queues that emit into deliveries on each other's, threads without a queue, and jobs that wait for such a thread.
    static let rooms: [(jobs: [[RoomModel.Act]], others: [[RoomModel.Act]])] = [
        ([[.emit(to: 1), .emit(to: 1)], [.emit(to: 0), .emit(to: 0)]], []),
        ([[.emit(to: 1), .emit(to: 1)], [.emit(to: 2), .emit(to: 2)], [.emit(to: 0), .emit(to: 0)]], []),
        ([[.emit(to: 0), .emit(to: 0)]], [[.emit(to: 0), .emit(to: 0)], [.emit(to: 0), .emit(to: 0)]]),
        ([[.waitFor(1)]], [[.emit(to: 0), .emit(to: 0), .emit(to: 0)]]),
        ([[.waitFor(1)]], [[.emit(to: 0), .emit(to: 0)], [.emit(to: 0), .emit(to: 0)]]),
        ([[.emit(to: 1), .waitFor(2)], [.emit(to: 0)]], [[.emit(to: 0), .emit(to: 1)]]),
    ]

    @Test(arguments: rooms.indices) func whoWaitsForRoomGetsItOrWouldWaitForItself(index: Int) {
        #expect(RoomModel(Self.rooms[index].jobs, others: Self.rooms[index].others).explore() > 10)
    }

    /// Without the check, threads wait in a cycle: that is the defect, and no wake-up is lost.
    @Test func withoutTheLookTheyWaitInCircles() {
        for (jobs, others) in Self.rooms {
            for omitted in [RoomModel.Omission.look, .lookAtOthers] {
                RoomModel(jobs, others: others, without: omitted).explore { #expect($0.hasPrefix("a circle")) }
            }
        }
        #expect(RoomModel(Self.rooms[3].jobs, others: Self.rooms[3].others, without: .look).countFaults() > 0)
        #expect(RoomModel(Self.rooms[1].jobs, without: .lookAtOthers).countFaults() > 0)
    }

    /// Jobs of all threads of a pool that emit into deliveries on its queues.
    static let pools: [[[RoomModel.Act]]] = [
        [[.emit(to: 1), .emit(to: 1)]],
        [[.emit(to: 1), .emit(to: 1)], [.emit(to: 0), .emit(to: 0)]],
        [[.emit(to: 2), .emit(to: 2)], [.emit(to: 2), .emit(to: 2)]],
        [[.emit(to: 2), .emit(to: 1), .emit(to: 1)], [.emit(to: 2), .emit(to: 0)]],
        [[.emit(to: 3), .emit(to: 3)], [.emit(to: 2), .emit(to: 2)], [.emit(to: 3)]],
        [[.emit(to: 4), .emit(to: 4)], [.emit(to: 4)], [.emit(to: 4)], [.emit(to: 4)]],
    ]

    @Test(arguments: pools) func notAllThreadsOfAPoolWaitForIt(jobs: [[RoomModel.Act]]) {
        #expect(RoomModel(jobs, isPool: true).explore() > 10)
    }

    /// Four blocked threads of a pool are the same defect: each waits for a full delivery, and no thread is left to
    /// take from it.
    @Test(arguments: pools) func withoutTheLookAllThreadsOfAPoolWaitForIt(jobs: [[RoomModel.Act]]) {
        for omitted in [RoomModel.Omission.look, .lookAtPool] {
            RoomModel(jobs, isPool: true, without: omitted).explore { #expect($0.hasPrefix("a circle")) }
        }
        #expect(RoomModel(jobs, isPool: true, without: .look).countFaults() > 0)
    }

    @Test func theLookAtTheWaitsOfOthersDoesNotFindThatAllThreadsOfAPoolWait() {
        for index in [2, 5] {
            #expect(RoomModel(Self.pools[index], isPool: true, without: .lookAtPool).countFaults() > 0)
        }
    }

    @Test(arguments: [RoomModel.Omission.passingOver, .telling]) func aWakeUpIsLostWithoutThat(
        omitted: RoomModel.Omission
    ) {
        var lost = 0
        for (jobs, others) in Self.rooms {
            RoomModel(jobs, others: others, without: omitted).explore {
                if $0.hasPrefix("a wake-up is lost") { lost += 1 }
            }
        }
        #expect(lost > 0)
    }

    /// Jobs of pools that wait for each other's jobs, directly or through a third pool.
    static let waits: [(plans: [[WaitModel.Act]], sizes: [Int])] = [
        ([[.sync(1, [.sync(0, [])])], []], [1, 1]),
        ([[.sync(1, [.sync(0, [])])], []], [1, 2]),
        ([[.sync(1, [.sync(0, [])])], []], [2, 1]),
        ([[.sync(1, [])], [.sync(0, [])]], [1, 1]),
        ([[.sync(1, [])], [.sync(0, [.sync(1, [])])]], [1, 2]),
        ([[.sync(1, [.sync(2, [.sync(0, [])])])], [], []], [1, 1, 1]),
        ([[.sync(1, [.sync(0, [])])], [.sync(0, [])]], [1, 2]),
        ([[.put(1, [.sync(0, [])]), .sync(1, [])], []], [1, 1]),
    ]

    @Test(arguments: waits.indices) func theLastThreadOfACircleDoesNotWait(index: Int) {
        #expect(WaitModel(Self.waits[index].plans, in: Self.waits[index].sizes).explore() > 10)
    }

    /// No circle is possible in these.
    @Test(
        arguments: [
            ([[.sync(1, [])], [.sync(2, [])], []], [1, 1, 1]),
            ([[.sync(1, [.put(1, [.sync(0, [])])])], []], [1, 1]),
            ([[.sync(1, [.put(2, [.sync(1, [])])])], [], []], [1, 1, 1]),
        ] as [([[WaitModel.Act]], [Int])]) func aWaitThatEndsIsNotRejected(plans: [[WaitModel.Act]], sizes: [Int])
    {
        #expect(WaitModel(plans, in: sizes, mayReject: false).explore() > 10)
    }

    @Test func nothingOfAWaitCanBeLeftOut() {
        func faults(_ index: Int, _ omitted: WaitModel.Omission) -> Int {
            WaitModel(Self.waits[index].plans, in: Self.waits[index].sizes, without: omitted).countFaults()
        }
        #expect(faults(1, .dependingOnClaimer) > 0)
        #expect(faults(0, .registering) > 0)
        let passing: [[WaitModel.Act]] = [[.sync(1, [.put(1, [.sync(0, [])])])], []]
        #expect(WaitModel(passing, in: [1, 1], mayReject: false, without: .endingFirst).countFaults() > 0)
    }

    @Test(
        arguments: [
            ([[.start], [.serve], [.serve], [.consume]], 3, 1),
            ([[.start], [.serve], [.serve], [.consume]], 5, 2),
            ([[.start], [.serve], [.consume], [.hold]], 3, 1),
            ([[.start], [.serve], [.consume], [.hold]], 6, 4),
            ([[.start], [.serve], [.consume], [.dispose]], 4, 2),
            ([[.start], [.serve], [.consume], [.hold], [.dispose]], 3, 1),
            ([[.start], [.serve], [.consume], [.hold], [.hold], [.dispose]], 2, 1),
        ] as [([[PauseModel.Act]], Int, Int)])
    func aLoopStopsAtEachPauseAndLosesNoWakeUp(plan: [[PauseModel.Act]], count: Int, limit: Int) {
        #expect(PauseModel(count, limit: limit, plan).explore() > 100)
    }

    @Test(
        arguments: [
            (.count, [.hold]), (.parksWithPause, [.hold]), (.winner, [.hold]), (.pauseUnderLock, [.hold]),
            (.dropsParked, [.dispose]), (.dropsParkedOnly, [.dispose]),
        ] as [(PauseModel.Omission, [PauseModel.Act])])
    func everyRuleOfAPauseIsNeeded(omitted: PauseModel.Omission, other: [PauseModel.Act]) {
        let plan: [[PauseModel.Act]] = [[.start], [.serve], [.serve], [.consume], other]
        #expect(PauseModel(3, limit: 1, plan, without: omitted).countFaults() > 0)
    }

    @Test(
        arguments: [
            ([[.hold, .hold], [.come(0, ends: false)], [.come(1, ends: true)]], 2),
            ([[.hold], [.hold], [.come(0, ends: false), .come(1, ends: false)]], 2),
            ([[.hold, .hold], [.hold], [.come(0, ends: true)], [.come(1, ends: false)]], 2),
        ] as [([[HubPauseModel.Act]], Int)])
    func aHubPausesAllItsSources(plan: [[HubPauseModel.Act]], sources: Int) {
        #expect(HubPauseModel(plan, sources: sources).explore() > 100)
    }

    @Test(arguments: [.count, .pausingNewSources, .copyingSources] as [HubPauseModel.Omission])
    func everyRuleOfAHubsPauseIsNeeded(omitted: HubPauseModel.Omission) {
        let plan: [[HubPauseModel.Act]] = [[.hold], [.hold], [.come(0, ends: false), .come(1, ends: false)]]
        #expect(HubPauseModel(plan, sources: 2, without: omitted).countFaults() > 0)
    }

    @Test(
        arguments: [
            ([[.send(0)], [.resume(0)]], 1),
            ([[.send(0)], [.send(1)], [.resume(0)], [.resume(1)]], 2),
            ([[.send(0), .send(0)], [.send(1)], [.resume(0), .resume(0)], [.resume(1)]], 2),
            ([[.send(0)], [.send(1)], [.leave(0)], [.resume(1)]], 2),
            ([[.send(0)], [.leave(0)], [.send(1)], [.leave(1)]], 2),
            ([[.send(0)], [.resume(0)], [.end]], 1),
            ([[.send(0)], [.send(1)], [.resume(0)], [.leave(1)], [.end]], 2),
        ] as [([[PipePauseModel.Act]], Int)])
    func whoWaitsForAPipeIsCalledOnce(plan: [[PipePauseModel.Act]], listeners: Int) {
        #expect(PipePauseModel(plan, listeners: listeners).explore() > 10)
    }

    @Test(
        arguments: [
            (.waitingUnderLock, .resume(0)), (.takingUnderLock, .resume(0)), (.staying, .resume(0)),
            (.returning, .leave(0)), (.lookingForEnd, .leave(0)), (.tellingOfEnd, .end),
        ] as [(PipePauseModel.Omission, PipePauseModel.Act)])
    func everyRuleOfAPipesPauseIsNeeded(omitted: PipePauseModel.Omission, other: PipePauseModel.Act) {
        let plan: [[PipePauseModel.Act]] = [[.send(0)], [.send(1)], [other], [.resume(1)]]
        #expect(PipePauseModel(plan, listeners: 2, without: omitted).countFaults() > 0)
    }

    @Test(
        arguments: [
            [[.pause], [.wait]], [[.pause, .pause], [.pause], [.wait, .wait]], [[.pause], [.pause], [.wait], [.wait]],
            [[.pause, .pause], [.wait], [.wait], [.end]], [[.hold], [.pause], [.wait], [.wait], [.end]],
        ] as [[[GatePauseModel.Act]]])
    func whoWaitsForAGateIsCalledOnce(plan: [[GatePauseModel.Act]]) {
        #expect(GatePauseModel(plan).explore() > 5)
    }

    @Test(
        arguments: [.lookingUnderLock, .takingAfterwards, .lookingAgain, .tellingOfEnd] as [GatePauseModel.Omission])
    func everyRuleOfAGatesPauseIsNeeded(omitted: GatePauseModel.Omission) {
        let plan: [[GatePauseModel.Act]] =
            omitted == .tellingOfEnd ? [[.hold], [.wait], [.end]] : [[.pause, .pause], [.pause], [.wait]]
        #expect(GatePauseModel(plan, without: omitted).countFaults() > 0)
    }

    @Test(
        arguments: [
            [[.hold, .hold], [.hold, .hold]], [[.hold], [.hold], [.hold]], [[.hold, .hold], [.hold], [.hold], [.end]],
            [[.hold], [.hold], [.hold], [.hold]],
        ] as [[[RunHoldModel.Act]]])
    func holdsOfASubscriptionPauseItOnce(plan: [[RunHoldModel.Act]]) {
        #expect(RunHoldModel(plan).explore() > 100)
    }

    @Test(
        arguments: [
            .count, .pausingUnderLock, .oneResumer, .lookingAgain, .refusing, .takingOut,
        ] as [RunHoldModel.Omission])
    func everyRuleOfHoldsIsNeeded(omitted: RunHoldModel.Omission) {
        let plan: [[RunHoldModel.Act]] = [[.hold], [.hold], [.hold]]
        #expect(RunHoldModel(plan, without: omitted).countFaults() > 0)
    }

    @Test(
        arguments: [
            ([[.come(0)], [.hold(0)], [.hold(1)]], 2, 1),
            ([[.come(0), .come(1)], [.hold(0), .hold(0)], [.hold(1)]], 2, 2),
            ([[.come(0)], [.leave(0)], [.hold(0)], [.hold(1)]], 2, 1),
            ([[.come(0), .come(1)], [.leave(0)], [.hold(0)], [.leave(1)]], 2, 2),
        ] as [([[SharedPauseModel.Act]], Int, Int)])
    func theSlowestListenerPausesASharedSource(plan: [[SharedPauseModel.Act]], listeners: Int, sources: Int) {
        #expect(SharedPauseModel(plan, listeners: listeners, sources: sources).explore() > 50)
    }

    @Test(
        arguments: [
            (.count, .hold(0)), (.pausingUnderLock, .hold(0)), (.pausingNewSource, .hold(0)),
            (.copyingSource, .hold(0)), (.returning, .leave(0)), (.lookingForEnd, .dispose(0)),
            (.forgettingOldSource, .hold(0)), (.oneResumer, .hold(0)), (.lookingAgain, .hold(0)),
        ] as [(SharedPauseModel.Omission, SharedPauseModel.Act)])
    func everyRuleOfASharedPauseIsNeeded(omitted: SharedPauseModel.Omission, other: SharedPauseModel.Act) {
        let plan: [[SharedPauseModel.Act]] = [[.come(0), .come(1)], [other], [.leave(0)], [.hold(1)]]
        #expect(SharedPauseModel(plan, listeners: 2, sources: 2, without: omitted).countFaults() > 0)
    }

    private typealias Way = PauseOrderModel.Way

    /// Threads that pause shared sources while these become a loop, or change their order.
    @Test(
        arguments: [
            ([[.pause(0)], [.join(Way(from: 0, to: 0))], [.pause(0)]], 1, []),
            ([[.pause(0)], [.pause(1)], [.join(Way(from: 1, to: 0))]], 2, [Way(from: 0, to: 1)]),
            ([[.pause(0)], [.pause(1)], [.join(Way(from: 1, to: 0))], [.join(Way(from: 0, to: 1))]], 2, []),
            (
                [[.pause(1)], [.leave(Way(from: 0, to: 1)), .join(Way(from: 1, to: 0))], [.pause(0)]], 2,
                [Way(from: 0, to: 1)]
            ),
            (
                [[.pause(1)], [.leave(Way(from: 0, to: 1)), .join(Way(from: 2, to: 0))], [.pause(0)], [.pause(2)]], 3,
                [Way(from: 0, to: 1), Way(from: 1, to: 2)]
            ),
        ] as [([[PauseOrderModel.Act]], Int, [PauseOrderModel.Way])])
    func pausesThatMeetDoNotWaitForEachOther(
        plan: [[PauseOrderModel.Act]], sources: Int, ways: [PauseOrderModel.Way]
    ) {
        #expect(PauseOrderModel(plan, sources: sources, ways: ways).explore() > 20)
    }

    @Test(arguments: [.findingLoops, .givingUp, .leavingUnderLock] as [PauseOrderModel.Omission])
    func everyRuleOfTheOrderOfPausesIsNeeded(omitted: PauseOrderModel.Omission) {
        let plan: [[PauseOrderModel.Act]] = [
            [.pause(1)], [.leave(Way(from: 0, to: 1)), .join(Way(from: 2, to: 0))], [.pause(0)],
        ]
        let ways = [Way(from: 0, to: 1), Way(from: 1, to: 2)]
        let loop: [[PauseOrderModel.Act]] = [[.join(Way(from: 1, to: 0))], [.pause(1)]]
        let model =
            omitted == .findingLoops
            ? PauseOrderModel(loop, sources: 2, ways: [Way(from: 0, to: 1)], without: omitted)
            : PauseOrderModel(plan, sources: 3, ways: ways, without: omitted)
        #expect(model.countFaults() > 0)
    }
}
