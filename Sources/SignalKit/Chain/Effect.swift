/// What an event of a hub's leaves to be done outside the section, above all subscribing.
protocol Effect: AnyObject {
    /// Several steps can be performed at once, by several threads or inside each other.
    func perform()
    /// What follows from it, in the section.
    func performed()
}
