import Logging
import SignalKit

extension SignalDiagnostics {
    /// Logs the library's messages to `logger`. Wrong uses of the library are warnings, and reports of diagnostic
    /// operators have level `debug`. Unhandled errors are errors, with `error` and the `signal` from `named` as
    /// metadata.
    ///
    /// Call it once, before any signal is started.
    public static func report(to logger: Logger) {
        log = { logger.debug("\($0)") }
        warn = { logger.warning("\($0)") }
        UnhandledErrors.handler = { error, name in
            var metadata: Logger.Metadata = ["error": "\(error)"]
            if let name { metadata["signal"] = "\(name)" }
            logger.error("a subscription failed with an unhandled error", metadata: metadata)
        }
    }
}
