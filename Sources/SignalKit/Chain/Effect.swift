/// Work of a hub's event that must run outside the section, usually subscribing.
protocol Effect: AnyObject {
    /// Several steps can be performed at once, by several threads or inside each other.
    func perform()
    /// Handles the result, in the section.
    func performed()
}
