--- Signals (streams of values), pipes, queues and timers: the library SignalKit for LuaJIT.
--
-- Each operator of the library is a method of Signal; sources, and what joins several signals, are functions of this
-- module. Callbacks are functions, called on the main thread. What may be left out is in a table of options at the end:
-- queues, bounds, flags.
-- @module signalkit
local border = require "signalkit.border"
local arguments = require "signalkit.arguments"
local signalkit = require "signalkit.signal"
jit.off(true, true)
local C = border.C

require "signalkit.sources"(signalkit)
for _, name in ipairs { "disposable", "queues" } do
    for key, value in pairs(require("signalkit." .. name)) do signalkit[key] = value end
end
require "signalkit.reader"(signalkit)

--- The version, which is the library's.
signalkit._VERSION = border.constants.version

--- `f(where, problem)` gets the errors that nobody can be told of: those of runs without a function for errors, and what
-- is raised where a run is over. Without one they are written to standard error.
function signalkit.on_unheard(f) border.unheard = f end

--- `f(line)` gets what the library writes to its log, in place of standard error: what `trace` says, strict disposables that
-- were let go of too early, errors that nobody handles. A line that comes from another thread is there in the main queue's
-- turn. Without a function it goes to standard error again.
function signalkit.on_log(f)
    border.on_log = f and arguments.callable("on_log", f)
    C.sgk_set_log_handler(f and border.log or nil, nil, nil)
end

local own = tonumber(C.sgk_live_total())

--- How many objects of the library are alive, without those that this module has for itself.
function signalkit.live_total() return tonumber(C.sgk_live_total()) - own end

return signalkit
