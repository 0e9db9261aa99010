--- A subscription, an action, or a container of disposables. `dispose` and `close` dispose it once. `release` and the
-- collector do not.
-- @classmod Disposable
local ffi = require "ffi"
local border = require "signalkit.border"
local values = require "signalkit.values"
local arguments = require "signalkit.arguments"
local handle = require "signalkit.handle"
jit.off(true, true)
setfenv(1, border.environment)
local C, raw = border.C, border.raw

local Disposable = handle.class "Disposable"
local disposable = { Disposable = Disposable }

-- Returns whether a subscription is running, has ended, or was disposed by the program or an operator (`take`).
function Disposable:__tostring()
    local pointer = border.pointer(self)
    return "Disposable (" .. (pointer and ffi.string(C.sgk_disposable_state(pointer)) or "closed") .. ")"
end

--- Disposes it immediately. It does nothing the second time or after close.
function Disposable:dispose()
    local pointer = border.pointer(self)
    if pointer then border.done(C.sgk_disposable_dispose(pointer)) end
end

--- Disposes it and releases it.
function Disposable:close()
    local pointer = border.pointer(self)
    if pointer then C.sgk_disposable_dispose(pointer) end
    self:release()
end

--- Disposes a subscription that was started with `waitable`, and returns when it does nothing on another thread.
-- @treturn boolean false: called from inside one of its functions
function Disposable:dispose_and_wait()
    return border.done(C.sgk_disposable_dispose_and_wait(raw(self)), border.constants.ERROR_THREAD)
end

--- Pauses the source of a subscription until the result is closed. Holds are counted. Values that wait for a
-- queue or a time go on waiting. A source that cannot be paused keeps emitting.
function Disposable:hold() return handle.own(Disposable, C.sgk_disposable_hold(raw(self))) end

--- Returns a disposable that logs a warning if it is released without disposal.
function Disposable:strict()
    local place = debug.getinfo(2, "Sl")
    return handle.own(Disposable, C.sgk_disposable_strict(raw(self), place.short_src, place.currentline))
end

--- Returns a disposable that runs the function once after its disposal, later on the main thread.
function disposable.action(f)
    local receiver = border.receiver("action", arguments.callable("action", f))
    return handle.own(Disposable, handle.registered(receiver, "call", false, C.sgk_action_disposable_create))
end

-- Converts a generator's result for the library.
function border.disposable_given(name, answer)
    if answer == nil then return nil end
    if type(answer) == "function" then answer = disposable.action(answer) end
    return C.sgk_retain(arguments.handle(name, "answer", answer, Disposable))
end

--- Contains disposables, and disposes them in their order. A member that has ended is removed automatically.
disposable.DisposableBag = handle.class("DisposableBag", Disposable)

function disposable.disposable_bag(...)
    local set = handle.own(disposable.DisposableBag, C.sgk_disposable_bag_create())
    for index = 1, select("#", ...) do set:add((select(index, ...))) end
    return set
end

local function member(name, object, optional)
    return arguments.handle(name, "member", object, Disposable, optional)
end

--- Adds one; if the set was disposed of, that is at once.
function disposable.DisposableBag:add(object)
    border.done(C.sgk_disposable_bag_add(raw(self), member("add", object)))
    return self
end

--- Takes one out, without disposing of it.
function disposable.DisposableBag:remove(object)
    border.done(C.sgk_disposable_bag_remove(raw(self), member("remove", object)))
    return self
end

--- Holds a disposable for each key.
disposable.DisposableDict = handle.class("DisposableDict", Disposable)

function disposable.disposable_dict() return handle.own(disposable.DisposableDict, C.sgk_disposable_dict_create()) end

--- Stores one, then disposes of the one that was there; nil only does that.
function disposable.DisposableDict:set(key, object)
    local pointer = member("set", object, true)
    border.done(C.sgk_disposable_dict_set(raw(self), values.give(key), pointer))
    return self
end

--- Holds at most one disposable.
disposable.DisposableSlot = handle.class("DisposableSlot", Disposable)

function disposable.disposable_slot() return handle.own(disposable.DisposableSlot, C.sgk_disposable_slot_create()) end

--- Stores one (nil: none), then disposes of the one that was there.
function disposable.DisposableSlot:set(object)
    border.done(C.sgk_disposable_slot_set(raw(self), member("set", object, true)))
    return self
end

return disposable
