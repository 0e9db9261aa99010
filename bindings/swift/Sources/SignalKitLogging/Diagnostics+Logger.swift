import Logging
import SignalKit

extension SignalDiagnostics {
    /// Sends what the library has to say to `logger`: what is wrong with the program's use of it as warnings, what
    /// diagnostic operators report at the level `debug`, and errors that nobody handles as errors, with `error` and
    /// the `signal` that was `named` as metadata.
    ///
    /// To be called once, before anything is started.
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
