/// Work of a hub's event that must run outside the section, usually subscribing.
protocol Effect: AnyObject {
    /// Several effects can be performed at the same time, by several threads or inside each other.
    func perform()
    /// Handles the result, in the section.
    func performed()
}
