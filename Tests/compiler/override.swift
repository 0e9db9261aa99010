// A defect of the compiler in Embedded mode (seen with Swift 6.1 to 6.3, without optimisation): a class that is not
// generic, and overrides methods of a specialised generic class, has a table of methods in which its own are not where
// the calls look for them. The same class with a type parameter that it does not use has a right one. That is why there
// are classes of the form `NextSink<Unused>`.
//
// Prints 30, or crashes. Compiled with -D GENERIC it has to print 30.

class Base<T> {
    func next(_ value: T) -> Int { 1 }
    func end() -> Int { 2 }
}

#if GENERIC
final class Derived<Unused>: Base<Int> {
    override func next(_ value: Int) -> Int { 10 }
    override func end() -> Int { 20 }
}
typealias Used = Derived<Never>
#else
final class Used: Base<Int> {
    override func next(_ value: Int) -> Int { 10 }
    override func end() -> Int { 20 }
}
#endif

@inline(never) func call(_ object: Base<Int>) -> Int { object.next(5) + object.end() }

@main struct Main {
    static func main() { print(call(Used())) }
}
