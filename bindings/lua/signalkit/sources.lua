--- Pipes, promises, states and shared subscriptions.
local ffi = require "ffi"
local border = require "signalkit.border"
local values = require "signalkit.values"
local arguments = require "signalkit.arguments"
local handle = require "signalkit.handle"
jit.off(true, true)
setfenv(1, border.environment)
local C, raw, done, give, own = border.C, border.raw, border.done, values.give, handle.own
local ENDED = border.constants.ERROR_ENDED

return function(signalkit)
    local Signal = signalkit.Signal

    local function signal(pointer) return own(Signal, pointer) end

    -- Passes a signal that the library retains together with the objects that its functions need.
    local function kept(method, value)
        arguments.handle(method, "signal", value, Signal)
        return ffi.gc(value:for_good(), C.sgk_release)
    end

    -- ---- Pipes ----

    --- A hot source. It sends each value to the subscriptions that are active at that moment. They last while the pipe
    -- exists.
    -- @type Pipe
    local Pipe = handle.class "Pipe"
    signalkit.Pipe = Pipe

    --- @tparam[opt] table options `replay`: whether who starts gets the latest value first
    function signalkit.pipe(options)
        arguments.known("pipe", options, "replay")
        return own(Pipe, options and options.replay and C.sgk_pipe_create_replay() or C.sgk_pipe_create())
    end

    function Pipe:signal() return signal(C.sgk_pipe_signal(raw(self))) end

    --- Sends a value to the current subscribers.
    -- @treturn boolean false: the pipe has ended
    function Pipe:next(value) return done(C.sgk_pipe_next(raw(self), give(value)), ENDED) end

    --- Returns whether a subscription asks for a pause, because a buffer with the policy "pause" is full behind it. A
    -- value that is sent nevertheless exceeds the limit.
    function Pipe:is_paused() return C.sgk_pipe_is_paused(raw(self)) end

    --- Calls the function once on the queue, as soon as no subscription asks for a pause. If none does so now, or if the
    -- pipe has ended, it is enqueued at once.
    -- @tparam function f
    -- @tparam[opt] table options `queue`: the main one, if there is none
    function Pipe:on_resume(f, options)
        arguments.known("on_resume", options, "queue")
        local pointer, place = raw(self), arguments.queue("on_resume", options)
        local receiver = border.receiver("on_resume", arguments.callable("on_resume", f))
        done(handle.registered(receiver, "call", false, function(entry, context, destroy)
            return C.sgk_pipe_on_resume(pointer, entry, context, destroy, place)
        end))
        return self
    end

    --- Ends it. A second time does nothing.
    function Pipe:complete() done(C.sgk_pipe_complete(raw(self))) end

    --- Ends it with an error.
    function Pipe:error(problem) done(C.sgk_pipe_error(raw(self), give(problem))) end

    --- Completes it and releases it.
    function Pipe:close()
        local pointer = border.pointer(self)
        if pointer then C.sgk_pipe_complete(pointer) end
        self:release()
    end

    -- ---- State and promises ----

    --- Holds a value and passes it on: first the one that is there, then each that is set.
    -- @type State
    local State = handle.class "State"
    signalkit.State = State

    --- @param[opt] value nil: there is none yet
    -- @tparam[opt] table options `ignore_repeated`: whether setting a value that equals the one that is there does nothing
    function signalkit.state(value, options)
        arguments.known("state", options, "ignore_repeated")
        local ignoring = options and options.ignore_repeated or false
        if value == nil then return own(State, C.sgk_state_create(ignoring)) end
        return own(State, C.sgk_state_create_value(give(value), ignoring))
    end

    --- The value that is there, or nil.
    function State:value() return values.taken(C.sgk_state_value(raw(self))) end

    --- Sets a value, and delivers it.
    function State:set(value)
        done(C.sgk_state_set(raw(self), give(value)))
        return self
    end

    --- Sets the function's result for the newest value. If the function raises an error, this method raises it, and
    -- nothing changes.
    function State:modify(f)
        local pointer = raw(self)
        border.immediately("modify", arguments.callable("modify", f), "modify", function(entry, context)
            return C.sgk_state_modify(pointer, entry, context)
        end)
        return self
    end

    --- Of the value that is there, then of each one that is set; it never ends.
    function State:signal() return signal(C.sgk_state_signal(raw(self))) end

    --- Holds the latest value of whichever signal it was set to last, and passes it on.
    -- @type Promise
    local Promise = handle.class "Promise"
    signalkit.Promise = Promise

    --- @param[opt] value nil: there is none yet
    -- @tparam[opt] table options `first`: the signal that it sets itself to when it is first listened to
    function signalkit.promise(value, options)
        arguments.known("promise", options, "first")
        local first = options and options.first
        if first ~= nil then
            return own(Promise, C.sgk_promise_create_initialize_on_first_access(kept("promise", first)))
        end
        return own(Promise, value == nil and C.sgk_promise_create() or C.sgk_promise_create_value(give(value)))
    end

    --- Follows a signal from now on.
    function Promise:set(followed)
        done(C.sgk_promise_set(raw(self), kept("set", followed)))
        return self
    end

    --- Of the value that is there, then of each new one; it never ends, and keeps the promise.
    function Promise:signal() return signal(C.sgk_promise_signal(raw(self))) end

    --- Calls the function when the promise goes, on the main thread, some time.
    function Promise:on_deinit(f)
        local receiver = border.receiver("on_deinit", arguments.callable("on_deinit", f))
        done(handle.registered(receiver, "call", false, function(...)
            return C.sgk_promise_on_deinit(raw(self), ...)
        end))
    end

    -- ---- Sharing ----

    --- Shares one subscription of a signal per key among simultaneous subscribers.
    -- @type Multicast
    local Multicast = handle.class "Multicast"
    signalkit.Multicast = Multicast

    function signalkit.multicast() return own(Multicast, C.sgk_multicast_create()) end

    --- The signal that is shared under a key; the given one is started by the first who starts it.
    function Multicast:get(key, shared)
        return signal(C.sgk_multicast_get(raw(self), arguments.text("get", "key", key), kept("get", shared)))
    end

    --- Signals that are shared by name, runs that nobody listens to, and pipes by name.
    -- @type MulticastSignalManager
    local Manager = handle.class "MulticastSignalManager"
    signalkit.MulticastSignalManager = Manager

    function signalkit.multicast_signal_manager() return own(Manager, C.sgk_multicast_signal_manager_create()) end

    --- The signal shared under a key, made by the function if there is none.
    function Manager:multicasted_signal(key, f)
        local name, pointer = "multicasted_signal", raw(self)
        if key ~= nil then arguments.text(name, "key", key) end
        local shared = border.immediately(name, arguments.callable(name, f), "deferred", function(entry, context)
            local made = C.sgk_multicast_signal_manager_multicasted_signal(pointer, key, entry, context)
            return made ~= nil and ffi.gc(made, C.sgk_release) or nil
        end)
        return signal(shared)
    end

    --- Starts the function's signal for its side effects, unless one is active under the key.
    function Manager:start_standalone(key, f)
        local name, pointer = "start_standalone", raw(self)
        arguments.text(name, "key", key)
        done(border.immediately(name, arguments.callable(name, f), "deferred", function(entry, context)
            return C.sgk_multicast_signal_manager_start_standalone_signal_if_not_running(pointer, key, entry, context)
        end))
    end

    --- Returns a signal of the values sent into the pipe of this name from now on.
    function Manager:multicasted_pipe(key)
        arguments.text("multicasted_pipe", "key", key)
        return signal(C.sgk_multicast_signal_manager_multicasted_pipe(raw(self), key))
    end

    --- Sends a value to the current subscribers of the pipe of this name.
    function Manager:next(key, value)
        arguments.text("next", "key", key)
        done(C.sgk_multicast_signal_manager_next(raw(self), key, give(value)))
    end

    --- Runs signals one at a time, in the order in which they were started.
    -- @type Sequencer
    local Sequencer = handle.class "Sequencer"
    signalkit.Sequencer = Sequencer

    function signalkit.sequencer() return own(Sequencer, C.sgk_sequencer_create()) end

    --- Returns a signal that runs the given one in its turn.
    function Sequencer:enqueue(queued) return signal(C.sgk_sequencer_enqueue(raw(self), kept("enqueue", queued))) end

    --- Counts overflow, of any number of subscriptions.
    -- @type OverflowCounter
    local Counter = handle.class "OverflowCounter"
    signalkit.OverflowCounter, arguments.OverflowCounter = Counter, Counter

    function signalkit.overflow_counter() return own(Counter, C.sgk_overflow_counter_create()) end

    --- Returns how many values were dropped.
    function Counter:dropped() return tonumber(C.sgk_overflow_counter_dropped(raw(self))) end

    --- Returns how many values exceeded a limit with the policy 'pause'.
    function Counter:exceeded() return tonumber(C.sgk_overflow_counter_exceeded(raw(self))) end

    --- Returns how often an emitting thread was blocked.
    function Counter:suspended() return tonumber(C.sgk_overflow_counter_suspended(raw(self))) end

    -- ---- Links ----

    --- A link of a chain of observers, which retains the link before it. Errors of functions are logged.
    -- @type EventLink
    local Link = handle.class "EventLink"
    signalkit.EventLink = Link

    local function observe(self, name, f, shape)
        local receiver = border.receiver(name, arguments.callable(name, f))
        local call = C["sgk_event_link_" .. name]
        done(handle.registered(receiver, shape, true, function(entry, context, destroy)
            return call(raw(self), entry, context, destroy, border.main)
        end))
        return self:keep(receiver)
    end

    --- Calls the function with each value.
    function Link:on_next(f) return observe(self, "on_next", f, "next") end

    --- Calls the function with the error when the chain fails.
    function Link:on_error(f) return observe(self, "on_error", f, "error") end

    --- Calls the function when the chain finishes.
    function Link:on_finish(f) return observe(self, "on_finish", f, "completed") end

    for _, name in ipairs { "map", "filter", "compact_map" } do
        Link[name] = function(self, f) return self:signal()[name](self:signal(), f):link():keep(self) end
    end

    --- The same events, without the means to emit any.
    function Link:observer() return own(Link, C.sgk_event_link_observer(raw(self))):keep(self) end

    --- Releases the previous link and the functions.
    function Link:unlink() done(C.sgk_event_link_unlink(raw(self))) end

    function Link:signal() return signal(C.sgk_event_link_signal(raw(self))):keep(self) end

    --- The link that the signal, started at once, feeds.
    function Signal:link() return own(Link, C.sgk_event_link_from_signal(raw(self))):keep(self) end

    --- The beginning of a chain.
    -- @type EventEmitter
    local Emitter = handle.class("EventEmitter", Link)
    signalkit.EventEmitter = Emitter

    --- @param[opt] value what it has emitted, for the first handler
    function signalkit.event_emitter(value)
        if value == nil then return own(Emitter, C.sgk_event_emitter_create()) end
        return own(Emitter, C.sgk_event_emitter_create_value(give(value)))
    end

    --- Emits a value.
    function Emitter:next(value) done(C.sgk_event_emitter_next(raw(self), give(value))) end

    --- Ends the chain with an error.
    function Emitter:error(problem) done(C.sgk_event_emitter_error(raw(self), give(problem))) end

    --- Ends the chain.
    function Emitter:finish() done(C.sgk_event_emitter_finish(raw(self))) end

    --- Owns the last links of chains, and unlinks them when it is cleared, or goes.
    -- @type LinkBag
    local Bag = handle.class "LinkBag"
    signalkit.LinkBag = Bag

    function signalkit.link_bag() return own(Bag, C.sgk_link_bag_create()) end

    --- Adds a link.
    function Bag:add(link)
        done(C.sgk_link_bag_add(raw(self), arguments.handle("add", "link", link, Link)))
        return self:keep(link)
    end

    --- Unlinks all.
    function Bag:clear()
        self.held = nil
        done(C.sgk_link_bag_clear(raw(self)))
    end
end
