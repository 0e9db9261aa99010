/// A subscription downstream of others. It reports to them the object that they feed.
class FeedingSubscription: Subscription {
    /// A shared run's demand, or a promise's listeners.
    @exclusivity(unchecked) private var target: AnyObject?

    override final func feeds(_ target: AnyObject) { self.target = target }

    /// A subscription above.
    @inline(__always)
    final func isFed(by upstream: Subscription) {
        if let target { upstream.feeds(target) }
    }
}
