/// A subscription downstream of others. It reports to them the object that they feed.
class FeedingSubscription: Subscription {
    /// The demand of a shared subscription, or the listeners of a promise.
    @exclusivity(unchecked) final private var target: AnyObject?

    override final func feeds(_ target: AnyObject) { self.target = target }

    /// Registers an upstream subscription.
    @inline(__always)
    final func isFed(by upstream: Subscription) {
        if let target { upstream.feeds(target) }
    }
}

extension Slot {
    /// The disposable, if the owner of the slot knows that it is a subscription.
    var subscription: Subscription? {
        guard case let .holding(held) = self else { return nil }
        return unsafeDowncast(held, to: Subscription.self)
    }
}
