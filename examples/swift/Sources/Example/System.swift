#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The memory in KiB; 0 if the system does not report it.
func memory() -> Int {
    guard let status = fopen("/proc/self/status", "r") else { return 0 }
    defer { fclose(status) }
    while let line = readLine(of: status) {
        if line.hasPrefix("VmRSS:") { return Int(line.filter(\.isNumber)) ?? 0 }
    }
    return 0
}

private func readLine(of file: UnsafeMutablePointer<FILE>) -> String? {
    var buffer = [CChar](repeating: 0, count: 256)
    return fgets(&buffer, 256, file).map { String(cString: $0) }
}

/// Prints a line and flushes it, so that a pipe receives it immediately.
func show(atOnce line: String) {
    print(line)
    fflush(nil)
}
