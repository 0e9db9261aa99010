#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// In KiB; 0 where the system does not tell it in this way.
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

/// What is printed into a pipe is seen at once.
func show(atOnce line: String) {
    print(line)
    fflush(nil)
}
