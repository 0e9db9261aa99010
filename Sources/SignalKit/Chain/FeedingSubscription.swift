/// A subscription that stands below others, which it tells what they feed.
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
