--- Runs a signal and keeps its values until they are asked for.
-- @classmod Reader
local ffi = require "ffi"
local border = require "signalkit.border"
local values = require "signalkit.values"
local arguments = require "signalkit.arguments"
local handle = require "signalkit.handle"
local queues = require "signalkit.queues"
jit.off(true, true)
setfenv(1, border.environment)
local C, raw, constants = border.C, border.raw, border.constants

local Reader = handle.class "Reader"
local LOOKED = 1e-9 -- waiting is refused where it must not be, looking is not

-- Returns "value" and the value; "completed"; "failed" and the error; or nil after the timeout.
local function next_event(self, timeout)
    local clock = timeout and C.sgk_queue_now(border.main) + timeout
    local place = ffi.new "sgk_value[1]"
    while true do
        local status = C.sgk_reader_next(raw(self), LOOKED, place)
        if status == 0 then return "value", values.taken(place[0]) end -- before an interrupt, which would lose it
        local problem = status == constants.ERROR_FAILED and { values.taken(place[0]) }
        border.settle()
        if problem then return "failed", problem[1] end
        if status == constants.ERROR_COMPLETED or status == constants.ERROR_ENDED then return "completed" end
        if status ~= constants.ERROR_TIMEOUT then border.refused() end
        local left = clock and clock - C.sgk_queue_now(border.main)
        if left and left <= 0 then return nil end
        queues.wait({ C.sgk_reader_fd(raw(self)), queues.main_fd() }, left)
        queues.drain_main()
    end
end

--- Waits for the next value. The wait runs the main queue. Raises the error of the signal.
-- @tparam[opt] number timeout seconds, after which "timeout" is raised
-- @treturn boolean false: the signal has completed, or the reader is closed
-- @return the value
function Reader:next(timeout)
    local event, value = next_event(self, arguments.timeout("next", timeout))
    if event == "failed" then error(value, 0) end
    if event == nil then error("timeout", 0) end
    return event == "value", value
end

--- Goes through the values: for value in reader:each() do … end. A nil ends that.
function Reader:each()
    raw(self)
    return function()
        local _, value = self:next()
        return value
    end
end

--- Disposes the subscription, drops the pending values and releases the reader.
function Reader:close()
    local pointer = border.pointer(self)
    if pointer then C.sgk_reader_close(pointer) end
    self:release()
end

return function(signalkit)
    local Signal = signalkit.Signal
    signalkit.Reader = Reader

    --- Starts a subscription whose values are read on request.
    -- With "suspend", a full buffer blocks the emitting thread. It does not block this thread, so a source that emits
    -- inside the start exceeds the limit. An endless one needs "pause".
    -- @tparam[opt] table options `limit` (1024), the capacity of the buffer; `overflow` ("suspend"), the policy if it
    -- is full;
    --   `error` and `counter`
    -- @treturn Reader
    function Signal:read(options)
        arguments.known("read", options, "limit overflow error counter")
        local given = setmetatable({}, { __index = options or {} })
        given.limit, given.overflow = given.limit or 1024, given.overflow or "suspend"
        local source = self:for_good_once()
        return handle.own(Reader, C.sgk_reader_create(source, arguments.bound("read", "limit", given))):keep(self)
    end

    -- Returns a reference for one call.
    function Signal:for_good_once() return ffi.gc(self:for_good(), C.sgk_release) end

    local function once(method, signal, timeout)
        timeout = arguments.timeout(method, timeout)
        -- With a timeout, a source that releases its subscriber does not end the wait.
        local silence = timeout and signalkit.pipe()
        if silence then signal = signal:take_until(silence:signal()) end
        local reader = signal:read { limit = 1, overflow = "drop_newest" }
        local fine, event, value = pcall(next_event, reader, timeout)
        reader:close()
        if silence then silence:close() end
        if not fine then error(event, 0) end
        if event == nil then error("timeout", 0) end
        if event == "failed" then error(value, 0) end
        return event, value
    end

    --- The first value, for which it waits; what the signal fails with is raised. Without a value it is nil.
    -- @tparam[opt] number timeout seconds, after which "timeout" is raised
    function Signal:get(timeout)
        local _, value = once("get", self:take(1), timeout)
        return value
    end

    --- All values, for whose end it waits.
    -- @treturn table a list, with their number in `n`
    function Signal:collect(timeout)
        local _, list = once("collect", self:to_array(), timeout)
        return list
    end
end
