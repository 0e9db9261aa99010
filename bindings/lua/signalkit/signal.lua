--- Signals.
-- @classmod Signal
local ffi = require "ffi"
local border = require "signalkit.border"
local values = require "signalkit.values"
local arguments = require "signalkit.arguments"
local handle = require "signalkit.handle"
local disposable = require "signalkit.disposable"
local functions = require "signalkit.fused"
require "signalkit.entries"
jit.off(true, true)
setfenv(1, border.environment)
local C, raw, give, constants = border.C, border.raw, values.give, border.constants
local callable, registered, passed = arguments.callable, handle.registered, values.passed

--- A description of a stream of values: any number of values, then optionally an error or completion. Each start
-- creates a new subscription. Immutable. Functions are called on the main thread. If one raises an error, the
-- subscription fails with it.
local Signal = handle.class "Signal"
values.Signal = Signal

-- The pipeline: a stage in each line, from the end to the sources.
function Signal:__tostring()
    local pointer = border.pointer(self)
    if not pointer then return "Signal (closed)" end
    return (values.taken(C.sgk_signal_describe(pointer, 0)):gsub("\n$", ""))
end

local signalkit = { Signal = Signal }
local make = {}

local function made(pointer) return handle.own(Signal, pointer) end
make.made = made

function values.signal(pointer) return setmetatable({ pointer = ffi.gc(pointer, C.sgk_release) }, Signal) end

local function released(pointer)
    if pointer == nil then border.refused() end
    return ffi.gc(pointer, C.sgk_release)
end

-- The signal with its events on the main thread: there "inline", otherwise in the main queue's turn. Those of fused
-- functions are there.
local function at_home(signal)
    local pointer = raw(signal)
    if signal.fused then return released(C.sgk_retain(pointer)) end
    return released(C.sgk_signal_deliver_on(pointer, border.main))
end

-- Raises an error if the signal is closed.
local function open(signal)
    if signal:closed() then raw(signal) end
    return signal
end

-- Creates a signal with a function: `call(source, entry, context, destroy)` calls the library. A source starts on the
-- main thread.
function make.with_callback(self, name, f, shape, call)
    local receiver = border.receiver(name, callable(name, f))
    local source = self and at_home(self)
    local pointer = registered(receiver, shape, shape ~= "call", function(...) return call(source, ...) end)
    if not self then pointer = C.sgk_signal_run_on(released(pointer), border.main) end
    return made(pointer):keep(self, receiver)
end
local with_callback = make.with_callback

-- Returns a signal that a function derives from this signal at each start.
local function derived(self, f)
    open(self)
    return signalkit.deferred(f):keep(self)
end

-- Creates a signal with a function that cannot report a failure. Each subscription creates the operator again, with a
-- pipe that fails the subscription.
function make.guarded(self, name, f, shape, call)
    with_callback(self, name, f, shape, call):close() -- that the arguments are right
    local source = at_home(self)
    return derived(self, function()
        local pipe = released(C.sgk_pipe_create())
        local receiver = border.receiver(name, f, {
            fail = function(_, problem) C.sgk_pipe_error(pipe, values.give_error(problem)) end,
            let_go = function() C.sgk_release(ffi.gc(pipe, nil)) end,
        })
        local operator = released(registered(receiver, shape, false, function(...) return call(source, ...) end))
        return made(C.sgk_signal_take_until(operator, released(C.sgk_pipe_signal(pipe))))
    end)
end

-- Creates a signal from several signals: `call(array, count)`.
function make.listed(name, signals, call)
    if type(signals) ~= "table" then arguments.wrong(name, "signals", "a list of signals", signals) end
    local count = #signals
    local array = ffi.new("sgk_signal *[?]", math.max(count, 1))
    for index = 1, count do
        array[index - 1] = arguments.handle(name, "signals[" .. index .. "]", signals[index], Signal)
    end
    return made(call(array, count)):keep(unpack(signals))
end

-- A function of several values as one of a list of them.
function make.spread(name, f)
    callable(name, f)
    return function(list) return f(unpack(list, 1, list.n)) end
end

-- The values of which `operator` passes the keys on. That is done at once, on one thread.
function make.by_key(self, key, operator)
    callable("key", key)
    return derived(self, function()
        local value
        local keys = self:map(function(current)
            value = current
            return key(current)
        end)
        return operator(keys):map(function() return value end)
    end)
end

local ignore = ffi.cast("sgk_function", C.sgk_ignore_error)

-- Returns a reference for the library, which retains the objects that its functions need. They are in the context of an
-- operator that does nothing, so that each subscription also retains them after the release of the signal.
function Signal:for_good()
    if not self.held then return C.sgk_retain(raw(self)) end
    local context = border.register(border.receiver("signal", nil, { held = self.held }))
    return C.sgk_signal_before_error(raw(self), ignore, context, border.destroy)
end

-- ---- Fusion ----

-- The functions at the end of a stage: they return the outcome and the value. A value that is dropped has no outcome.
local function emit(_, result) return constants.OUTCOME_REPLACED, result end
local function drop() end

local STATE = { scan = true, take = true, skip_while = true } -- Each subscription makes its own function.
local REPLACES = { map = true, compact_map = true, scan = true }
local LONGEST = 100 -- The library has a limit of 128 for the names of a stage without a state.

-- The last of neighbouring operators. It retains the functions before it.
local Fused = {}
Fused.__index = Fused

local function names_of(fused, otherwise)
    local count = fused and fused.count or 1
    local names = ffi.new("const char *[?]", count)
    names[0] = otherwise
    while fused do
        names[fused.count - 1] = fused.kind -- a key of a table, which retains the string
        fused = fused.before
    end
    return names, count
end

-- Creates the library's stage of a receiver for values. With a function `begin` each subscription has a receiver.
local function stage(source, receiver, fused, kept)
    return released(registered(receiver, "stage", kept, function(entry, context, destroy)
        local names, count = names_of(fused, "start")
        border.keep(context, names)
        local given = ffi.new "sgk_stage"
        given.size, given.context, given.destroy = ffi.sizeof(given), context, destroy
        given.names, given.name_count, given.store = names, count, entry
        if receiver.begin then given.begin, given["end"] = border.shapes.begin, destroy end
        return C.sgk_signal_stage(source, given)
    end))
end

-- Returns the pointer of the stage, or nil if the signal was closed before it was made.
function Fused:stage()
    if self.pointer or self.is_closed then return self.pointer end
    local function receiver()
        return border.receiver(self.kind, functions.composed(self, emit), { keeps = not self.replaces })
    end
    self.receiver = self.has_state and border.receiver(self.kind, nil, { begin = receiver }) or receiver()
    local pointer = stage(self.source, self.receiver, self, true)
    self.pointer = self.has_state and released(C.sgk_signal_run_on(pointer, border.main)) or pointer
    return self.pointer
end

-- Returns a signal of an operator that is a key of FUSED.
local function fusible(self, kind, argument, initial)
    local before = open(self).fused
    if before and before.count == LONGEST then before = nil end
    local fused = setmetatable({
        before = before, kind = kind, argument = argument, initial = initial, held = self.held,
        source = before and before.source or at_home(self), items = before and before.items or self.items,
        count = before and before.count + 1 or 1,
        has_state = STATE[kind] or (before and before.has_state), replaces = REPLACES[kind] or (before and before.replaces),
    }, Fused)
    return setmetatable({ fused = fused, held = { fused } }, Signal)
end

-- ---- Starting ----

--- Starts a subscription. The source runs before this returns, if it emits inside the start.
-- @tparam[opt] function|table handlers receives the values; or { next = f(value), error = f(problem), completed = f(),
--   waitable = whether dispose_and_wait is supported }, each optional. Without `error` an error is logged.
-- @treturn Disposable the subscription; releasing it does not dispose it
function Signal:start(handlers)
    if type(handlers) == "function" then handlers = { next = handlers } end
    handlers = handlers or {}
    if type(handlers) ~= "table" then arguments.wrong("start", "handlers", "a function or a table", handlers) end
    arguments.known("start", handlers, "next error completed waitable")
    for _, name in ipairs { "next", "error", "completed" } do
        if handlers[name] ~= nil then callable("start", handlers[name]) end
    end
    local fused, f = open(self).fused, handlers.next
    local source = fused and fused.source or at_home(self)
    local items = fused and fused.items or self.items
    if fused or f then
        local composed = functions.composed(fused, f and functions.receiving(f) or drop)
        if items then
            local receiver = border.receiver("start", functions.loop(items(), composed))
            source = released(registered(receiver, "emit", false, function(...) return C.sgk_signal_from_loop(...) end))
        else
            source = stage(source, border.receiver("start", composed), fused)
        end
    end
    local run = border.receiver("start", nil, {
        held = self.held, on_completed = handlers.completed,
        on_error = function(problem)
            if handlers.error then return handlers.error(problem) end
            border.report("start", problem)
        end,
    })
    local given = ffi.new "sgk_handlers"
    given.size, given.destroy, given.error = ffi.sizeof(given), border.destroy, border.shapes.failing
    if handlers.completed then given.completed = border.shapes.completing end
    -- No value reaches this stage. Behind it, a failure ends the subscription, and does not count as a disposal.
    local home = released(C.sgk_signal_deliver_on(source, border.main))
    given.context = border.register(run)
    local start = handlers.waitable and C.sgk_signal_start_waitable or C.sgk_signal_start
    return handle.own(disposable.Disposable, start(home, given))
end

-- ---- Operators on single values ----

--- Emits what the function makes of each value.
function Signal:map(f) return fusible(self, "map", callable("map", f)) end

--- Passes the values for which the function returns neither false nor nil.
function Signal:filter(f) return fusible(self, "filter", callable("filter", f)) end

--- Calls the function with each value before it is passed on.
function Signal:before_next(f) return fusible(self, "before_next", callable("before_next", f)) end

--- Emits what the function makes of each value, unless that is nil.
function Signal:compact_map(f) return fusible(self, "compact_map", callable("compact_map", f)) end

--- Passes values while the function returns neither false nor nil. The first other value completes the signal.
function Signal:take_while(f) return fusible(self, "take_while", callable("take_while", f)) end

--- Drops values while the function returns neither false nor nil, and passes the rest.
function Signal:skip_while(f) return fusible(self, "skip_while", callable("skip_while", f)) end

--- Emits what the function makes of each value: one that it returns, all of several, or none.
function Signal:transform(f)
    callable("transform", f)
    return self:concat_map(function(value) return signalkit.of(f(value)) end)
end

-- ---- Folding: the state of a subscription is in Lua ----

--- Emits every accumulated value: what `f(accumulated, value)` makes of the last one, at first `initial`, and each value.
function Signal:scan(initial, f) return fusible(self, "scan", callable("scan", f), initial) end

--- Folds all values into one, and emits it at completion, also when there were no values.
function Signal:reduce(initial, f)
    callable("reduce", f)
    return self:scan(initial, f):start_with(initial):take_last(1)
end

--- Folds by signals: `f(accumulated, value)` returns a signal. Its values are lists of the new accumulated value and,
-- optionally, a value to emit immediately.
function Signal:reduce_generator(initial, f)
    callable("reduce_generator", f)
    local function lists(accumulated, value) return f(accumulated, value):map(values.items) end
    return with_callback(self, "reduce_generator", lists, "reduce_generator", function(source, ...)
        return C.sgk_signal_reduce_generator(source, give(initial), ...)
    end)
end

-- ---- Signals of signals: a value is mapped when it arrives, on the main thread ----

local function signals(self, name, f)
    callable(name, f)
    return self:map(function(value)
        local signal = f(value)
        if signal == nil then return signalkit.empty() end
        if getmetatable(signal) == Signal then return signal end
        error(name .. ": the function is to return a Signal, not " .. tostring(signal), 0)
    end)
end

--- Follows the signal that the function makes of the latest value.
function Signal:switch_map(f) return signals(self, "switch_map", f):switch_to_latest() end

--- Runs the signals that the function makes of the values one after another.
function Signal:concat_map(f) return signals(self, "concat_map", f):concat_all() end

--- Runs the signals that the function creates. Of the signals that arrive during one, it stores only the latest.
function Signal:concat_map_latest(f) return signals(self, "concat_map_latest", f):concat_latest() end

-- Checks the options, so that an error names this method.
local function merging(name, options)
    arguments.known(name, options, "limit waiting overflow error counter")
    arguments.limit(name, "limit", options, true)
    arguments.limit(name, "waiting", options, true, 0)
    return options
end

--- Runs the signals that the function makes at the same time; see merge_all for the options.
function Signal:merge_map(f, options)
    return signals(self, "merge_map", f):merge_all(merging("merge_map", options))
end

--- Runs the signals that the function makes at the same time, and passes their values in the order of the values that
-- they were made of; see merge_all_ordered for the options.
function Signal:map_ordered(f, options)
    return signals(self, "map_ordered", f):merge_all_ordered(merging("map_ordered", options))
end

-- ---- By keys ----

local function identity(value) return value end

local function keyed(self, name, f, options, call)
    callable(name, f)
    arguments.known(name, options, "key limit overflow error counter")
    arguments.limit(name, "limit", options, true)
    local key = options and options.key or identity
    return derived(self, function()
        local current
        local keys = self:map(function(value)
            current = value
            return callable(name, key)(value)
        end)
        return call(keys, function() return current end)
    end)
end

--- Follows, for each key, the signal that the function makes of the latest value of that key; those of different keys run
-- at the same time.
-- @tparam function f of a value
-- @tparam[opt] table options `key`: a function that makes the key of a value; otherwise it is the value itself. `limit`,
--   `overflow`, `error` and `counter` bound how many keys there are.
function Signal:switch_map_per(f, options)
    local name = "switch_map_per"
    return keyed(self, name, f, options, function(keys, current)
        return with_callback(keys, name, function() return f(current()) end, "map_to_signal", function(source, ...)
            return C.sgk_signal_switch_map_per(source, arguments.bound(name, "limit", options), nil, ...)
        end)
    end)
end

--- Sorts the values by keys: with the first value of a key `f(key, values)` gets the key and the signal of the values of
-- it, and makes the signal of the group, whose values are merged into the result.
-- @tparam function f
-- @tparam[opt] table options as those of switch_map_per
function Signal:group_by(f, options)
    local name = "group_by"
    return keyed(self, name, f, options, function(keys, current)
        local function pipeline(key, group) return f(key, group:map(current)) end
        return with_callback(keys, name, pipeline, "pipeline", function(source, ...)
            return C.sgk_signal_group_by(source, arguments.bound(name, "limit", options), nil, ...)
        end)
    end)
end

-- ---- Errors and ends ----

--- Fails with the function's result for the error.
function Signal:map_error(f)
    callable("map_error", f)
    return self:catch(function(problem) return signalkit.fail(f(problem)) end)
end

--- Calls the function once after the subscription was torn down, later on the main thread.
function Signal:after_disposed(f) return with_callback(self, "after_disposed", f, "call", C.sgk_signal_after_disposed) end

-- The function of retry, with a signal instead of a number or a flag.
local function decision(decide, queue)
    return function(...)
        local answer = decide(...)
        if answer == true then return nil end
        if answer == false then return signalkit.empty() end
        if type(answer) == "number" then return signalkit.timer(answer, { queue = queue }) end
        return answer
    end
end

local POLICY = { delay = 1, factor = 2, increment = 0, max_delay = 60, jitter = 0, reset_after = 0 }
local LEAST = { factor = 1 }

--- If the signal fails, starts it again after a delay: by default after 1 second, then after twice as long each time.
-- @tparam[opt] table options `attempts` (the number of attempts, including the first one; 0: no limit),
--   `delay` (seconds before the second attempt: 1; 0: no wait), `factor` (multiplies each further delay: 2), `increment` (lengthens each further delay by these seconds: 0), `max_delay` (the longest delay: 60), `jitter`
--   (0 to 1: the largest random change of a delay, as a part of it), `reset_after` (a failure counts as the first one if
--   the attempt lasted this many seconds; 0: never), `seed`, `reset_on_value` (whether the failure after a value counts
--   as the first one), `decide`, `queue`. `decide(error, failures)` returns true or nil to start again after the delay,
--   false to fail, a number of seconds to wait instead, or a signal. The first value of the signal starts the next
--   attempt, its error is the result, and if it completes without a value, the result fails.
function Signal:retry(options)
    local name, given = "retry", options or {}
    arguments.known(name, options,
        "attempts delay factor increment max_delay jitter reset_after seed reset_on_value decide queue")
    local policy = ffi.new "sgk_retry"
    policy.size = ffi.sizeof(policy)
    policy.attempts = arguments.at_least(name, "attempts", arguments.integer(name, "attempts", given.attempts or 0), 0)
    for field, otherwise in pairs(POLICY) do
        local number = arguments.number(name, field, given[field] == nil and otherwise or given[field])
        policy[field] = arguments.at_least(name, field, number, LEAST[field] or 0)
    end
    if policy.max_delay == 0 then error("retry: max_delay must be more than 0", 0) end
    if policy.jitter > 1 then error("retry: jitter must be from 0 to 1", 0) end
    if policy.delay == 0 then policy.delay = constants.AT_ONCE end
    policy.seed = arguments.integer(name, "seed", given.seed or 0)
    policy.reset_on_value = given.reset_on_value or false
    local queue = arguments.queue(name, options)
    if given.decide == nil then return made(C.sgk_signal_retry(raw(self), policy, queue)):keep(self) end
    local decide = decision(callable(name, given.decide), given.queue)
    return with_callback(self, name, decide, "retry", function(source, entry, context, destroy)
        policy.decide, policy.context, policy.destroy = entry, ffi.cast("void *", context), destroy
        return C.sgk_signal_retry(source, policy, queue)
    end)
end

--- Makes events of lists of a number (0: a value, 1: an error, 2: the end) and a value: the reverse of to_events.
function Signal:from_events()
    local lists = self:map(function(event)
        if type(event) == "table" and not event.n then event = { event[1], event[2], n = 2 } end
        return values.items(event)
    end)
    return made(C.sgk_signal_from_events(raw(lists))):keep(lists)
end

-- ---- Sources ----

--- A signal that is made by the function, for each start, on the main thread.
function signalkit.deferred(f)
    return with_callback(nil, "deferred", f, "deferred", function(_, ...) return C.sgk_signal_deferred(...) end)
end

--- A signal whose function is called for each start, with a Subscriber to emit into, now or later. It may return what
-- stops the source: a Disposable or a function.
function signalkit.create(f)
    return with_callback(nil, "create", f, "generator", function(_, ...) return C.sgk_signal_create(...) end)
end

--- Emits the results of the function while the subscription is active, until a result is nil. All subscriptions share it.
function signalkit.iterate(f)
    local signal = with_callback(nil, "iterate", f, "iterator", function(_, ...)
        return C.sgk_signal_from_iterator(...)
    end)
    signal.items = function() return functions.results(f) end
    return signal
end

-- From here on, Lua has no exact numbers.
local LARGE = 2 ^ 53

--- Emits `count` numbers from `first` on, each greater by 1, inside each start, and completes.
function signalkit.range(first, count)
    first, count = arguments.integer("range", "first", first), arguments.integer("range", "count", count)
    local signal = made(C.sgk_signal_range(first, count))
    local from, number = tonumber(first), tonumber(count)
    if math.abs(from) < LARGE and from + number < LARGE then
        signal.items = function() return functions.range(from, number) end
    end
    return signal
end

--- Emits the values of a list inside each start, and completes. With a field `n` that says how many, nil may be among
-- them.
function signalkit.from(list)
    if type(list) ~= "table" then arguments.wrong("from", "list", "a list", list) end
    local count = list.n or #list
    local signal, copy = made(values.lending(list, count, C.sgk_signal_from_array)), {}
    for index = 1, count do copy[index] = list[index] end
    signal.items = function() return functions.list(copy, count) end
    return signal
end

--- Emits the values inside each start, and completes.
function signalkit.of(...) return signalkit.from { n = select("#", ...), ... } end

--- Creates a resource with `acquire()` for each start, and behaves like the signal `use(resource)`. `release(resource)`
-- is called once, when the subscription is torn down.
function signalkit.using(acquire, use, release)
    callable("using", acquire)
    callable("using", use)
    callable("using", release)
    return signalkit.deferred(function()
        local resource = acquire()
        local fine, signal = pcall(use, resource)
        if fine and getmetatable(signal) == Signal then
            return signal:after_disposed(function() release(resource) end)
        end
        release(resource)
        error(fine and "using: the function is to return a Signal, not " .. tostring(signal) or signal, 0)
    end)
end

--- Runs the signals that `once(accumulated)` returns one after another, until it returns nil. `reduce(accumulated,
-- value)` folds all their values, and the accumulated value is emitted at each value.
function signalkit.accumulating_loop(once, reduce)
    callable("accumulating_loop", once)
    callable("accumulating_loop", reduce)
    return signalkit.deferred(function()
        local accumulated, begun
        local over = signalkit.pipe()
        return signalkit.deferred(function()
            local signal = once(accumulated)
            if signal == nil then
                over:next(true)
                return signalkit.empty()
            end
            return signal:map(function(value)
                if begun then accumulated = reduce(accumulated, value) else begun, accumulated = true, value end
                return accumulated
            end)
        end):repeated():take_until(over:signal()):after_disposed(function() over:release() end)
    end)
end

require "signalkit.operators"(signalkit, Signal, make)

-- Behind a stage with a function, take can be fused. Elsewhere it must be in the library: there it stops a source on
-- another thread in time.
local take = Signal.take
function Signal:take(count)
    if not self.fused or arguments.integer("take", "count", count) < 1 then return take(self, count) end
    return fusible(self, "take", count)
end

-- ---- What a generator emits into ----

local Subscriber = handle.class "Subscriber"
signalkit.Subscriber = Subscriber

function border.subscriber(pointer) return setmetatable({ pointer = ffi.gc(pointer, C.sgk_release) }, Subscriber) end

--- Emits a value. Returns false if the subscription has ended: then stop.
function Subscriber:next(value)
    return border.done(C.sgk_subscriber_next(raw(self), give(value)), constants.ERROR_ENDED)
end

--- Fails the subscription with an error.
function Subscriber:error(problem)
    return border.done(C.sgk_subscriber_error(raw(self), give(problem)), constants.ERROR_ENDED)
end

--- Completes the subscription.
function Subscriber:complete() return border.done(C.sgk_subscriber_complete(raw(self)), constants.ERROR_ENDED) end

--- Returns whether the subscription is active.
function Subscriber:active() return C.sgk_subscriber_is_active(raw(self)) end

--- Calls the function once after the subscription was torn down, later on the main thread.
function Subscriber:on_dispose(f)
    local receiver = border.receiver("on_dispose", callable("on_dispose", f))
    border.done(registered(receiver, "call", false, function(...) return C.sgk_subscriber_on_dispose(raw(self), ...) end))
end

--- Returns whether a stage asks for a pause, because a buffer with the policy "pause" is full, or because the program
-- holds the subscription. A value that is sent nevertheless exceeds the limit.
function Subscriber:is_paused() return C.sgk_subscriber_is_paused(raw(self)) end

--- Calls the function once on the queue, as soon as no stage asks for a pause. If none does so now, or if the
-- subscription has ended, it is enqueued at once.
-- @tparam function f
-- @tparam[opt] table options `queue`: the main one, if there is none
function Subscriber:on_resume(f, options)
    arguments.known("on_resume", options, "queue")
    local pointer, place = raw(self), arguments.queue("on_resume", options)
    local receiver = border.receiver("on_resume", callable("on_resume", f))
    border.done(registered(receiver, "call", false, function(entry, context, destroy)
        return C.sgk_subscriber_on_resume(pointer, entry, context, destroy, place)
    end))
    return self
end

return signalkit
