--- Signals (streams of values), pipes, queues and timers: the library SignalKit for LuaJIT.
--
-- Each operator of the library is a method of Signal. Sources, and functions that combine several signals, are
-- functions of this module. Callbacks are functions, called on the main thread. Optional arguments are in a table of
-- options at the end: queues, bounds, flags.
-- @module signalkit
local border = require "signalkit.border"
local arguments = require "signalkit.arguments"
local signalkit = require "signalkit.signal"
jit.off(true, true)
setfenv(1, border.environment)
local C = border.C

require "signalkit.sources"(signalkit)
for _, name in ipairs { "disposable", "queues" } do
    for key, value in pairs(require("signalkit." .. name)) do signalkit[key] = value end
end
require "signalkit.reader"(signalkit)

--- The events of `fd` and the changes of `file_changes`: FD_READ, FD_WRITE and FD_HANGUP; FILE_READ, FILE_WRITTEN,
-- FILE_ATTRIBUTES, FILE_CLOSED, FILE_MOVED_FROM, FILE_MOVED_TO, FILE_CREATED, FILE_DELETED, FILE_GONE, FILE_MOVED and
-- FILE_IS_FOLDER. A set of them is their sum; LuaJIT's `bit` library takes it apart.
for name, value in pairs(border.constants) do
    if name:find "^FD_" or name:find "^FILE_" then signalkit[name] = value end
end

--- The version, which is the library's.
signalkit._VERSION = border.constants.version

--- Sets `f(where, problem)` as the receiver of errors that no signal can deliver: from subscriptions without a function
-- for errors, and after the end of a subscription. Without a function they are written to standard error.
function signalkit.on_unheard(f) border.unheard = f end

--- Sets `f(line)` as the receiver of the library's log, instead of standard error: lines of `trace`, strict disposables
-- released without dispose, unhandled errors. The main queue delivers a line from another thread in its order. Without
-- a function, lines are written to standard error again.
function signalkit.on_log(f)
    border.on_log = f and arguments.callable("on_log", f)
    C.sgk_set_log_handler(f and border.log or nil, nil, nil)
end

local own = tonumber(C.sgk_live_total())

--- Returns the number of live objects of the library, without the internal objects of this module.
function signalkit.live_total() return tonumber(C.sgk_live_total()) - own end

return signalkit
