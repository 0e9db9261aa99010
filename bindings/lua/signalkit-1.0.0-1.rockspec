rockspec_format = "3.0"
package = "signalkit"
version = "1.0.0-1"
source = { url = "." }
description = {
    summary = "Signals: streams of values, by the C library libsignalkit",
    detailed = "All operators of SignalKit, pipes, state, queues and timers, for LuaJIT, by its FFI.",
    license = "MIT",
}
dependencies = { "lua == 5.1" }
external_dependencies = { SIGNALKIT = { library = "libsignalkit.so.1" } }
build = {
    type = "builtin",
    modules = {
        ["signalkit"] = "signalkit/init.lua",
        ["signalkit.arguments"] = "signalkit/arguments.lua",
        ["signalkit.border"] = "signalkit/border.lua",
        ["signalkit.disposable"] = "signalkit/disposable.lua",
        ["signalkit.entries"] = "signalkit/entries.lua",
        ["signalkit.handle"] = "signalkit/handle.lua",
        ["signalkit.interface"] = "signalkit/interface.lua",
        ["signalkit.operators"] = "signalkit/operators.lua",
        ["signalkit.queues"] = "signalkit/queues.lua",
        ["signalkit.reader"] = "signalkit/reader.lua",
        ["signalkit.signal"] = "signalkit/signal.lua",
        ["signalkit.sources"] = "signalkit/sources.lua",
        ["signalkit.values"] = "signalkit/values.lua",
    },
}
