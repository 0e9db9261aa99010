--- The functions that the library calls.
--
-- A Lua state has one thread, the main thread. Therefore a function is called in one of two ways:
--
-- * By a stage that delivers on the main queue first, through one native callback for all functions with the same
--   signature.
-- * If the library may call on any thread (when it releases a context or an object, work of queues): by a native
--   callback of the library, whose calls arrive as events on the main queue.
--
-- Nothing in a function unwinds into the library: an error fails the subscription.
-- @local
local ffi = require "ffi"
local constants = require "signalkit.interface"
local interrupt = require "signalkit.interrupt"
jit.off(true, true) -- any call of the library's may call back, which compiled code must not
setfenv(1, interrupt.environment)

local found, C = pcall(ffi.load, os.getenv "SIGNALKIT_LIBRARY" or "libsignalkit.so.1")
if not found then error("signalkit: install the library, or set SIGNALKIT_LIBRARY to its path: " .. C, 0) end
local border = { C = C, constants = constants, environment = interrupt.environment }

-- ---- What the library knows by a number ----

local strong, weak, uses, last = {}, setmetatable({}, { __mode = "v" }), {}, 0
local beside = {} -- what the library reads while it has a context
local numbers = {} -- of objects

local function find(number) return strong[number] or weak[number] end

local function pointer(number) return ffi.cast("void *", number) end

local function number(address) return tonumber(ffi.cast("intptr_t", address)) end

-- Returns the context of a receiver, which is valid until the library releases it. A Lua object retains a `kept`
-- receiver. Functions often retain the signal that they belong to, and a table that retains them would retain both
-- permanently.
function border.register(receiver, kept)
    last = last + 1
    if kept then weak[last] = receiver else strong[last] = receiver end
    return pointer(last)
end

-- Keeps memory that the library reads until it releases the context.
function border.keep(context, memory) beside[number(context)] = memory end

function border.forget(context)
    local which = number(context)
    local receiver = find(which)
    strong[which], weak[which], beside[which] = nil, nil, nil
    if receiver and receiver.let_go then receiver:let_go() end
end

-- Returns the number of an object for a new value, and counts one more release.
function border.object_pointer(object)
    local which = numbers[object]
    if not which then
        last = last + 1
        which = last
        numbers[object], strong[which], uses[which] = which, object, 0
    end
    uses[which] = uses[which] + 1
    return pointer(which)
end

-- The object, and whether there is one.
function border.object(address)
    local which = number(address)
    return strong[which], uses[which] ~= nil
end

local function let_go(which)
    if not uses[which] then return border.forget(pointer(which)) end
    uses[which] = uses[which] - 1
    if uses[which] == 0 then
        numbers[strong[which]], strong[which], uses[which] = nil, nil, nil
    end
end

-- ---- Calls of functions ----

local DEEPEST = 150 -- calls inside of each other: the stack of C is smaller than Lua's
local depth, deepest = 0, DEEPEST
local left, owed -- an interrupt, and the depth of the call of the library that raises it

-- An interrupt arrived in a function of this package. It is raised by the next function of the program, by the next
-- call of one, or by the end of a call of the library.
local function delay()
    if deepest > 0 then left, owed, deepest = "interrupted!", depth, 0 end
end

local function arrived() deepest, left = DEEPEST, nil end
interrupt.replace_handler(delay, function() if deepest == 0 then arrived() end end)

-- Returns whether an interrupt is delayed. Then nothing may wait.
function border.is_interrupted() return deepest == 0 end

-- Ctrl-C, as luajit tells of it: the call of the library that led to the function raises it again.
local function note(problem)
    if type(problem) == "string" and problem:find "interrupted!$" then left, owed = problem, depth end
    return problem
end
border.note = note

local function finish(fine, ...)
    depth = depth - 1
    if fine then return true, ... end
    local problem = ...
    if problem == nil then problem = "signalkit: a function raised nil" end -- which is no error in the library
    return false, note(problem)
end

-- Of a call that is not made.
local function refusal()
    if depth >= DEEPEST then return "signalkit: too many calls inside of each other" end
    interrupt.over()
    deepest = DEEPEST
    return left
end

-- Calls a function. Returns whether it succeeded, and its results or its error.
local function attempt(f, ...)
    if depth >= deepest then return false, refusal() end
    depth = depth + 1
    return finish(pcall(f, ...))
end
border.attempt = attempt

-- Raises the error that a function exited with and that concerns more than its subscription. Call it after each call
-- that may have called functions.
function border.settle()
    if left and depth <= owed then
        local problem = left
        if deepest == 0 then interrupt.over() end
        arrived()
        error(problem, 0)
    end
end

-- Reports an error that no signal can deliver, unless a call of the library will raise it.
function border.report(name, problem)
    if left and problem == left then return end
    local told = border.unheard and attempt(border.unheard, name, problem)
    if told then return end
    local fine, text = attempt(tostring, problem)
    io.stderr:write("signalkit: ", name, ": ", fine and text or type(problem), "\n")
end

-- A function that the library may call.
local Receiver = {}
Receiver.__index = Receiver

function Receiver:fail(problem) border.report(self.name, problem) end

function border.receiver(name, f, more)
    local made = setmetatable(more or {}, Receiver)
    made.name, made.f = name, f
    return made
end

-- ---- Calls of the library ----

local PREFIXES = { "to_object: ", "signal_", "disposable_", "queue_create_", "queue_", "" }

-- Returns a text of the library with the name of the function alone: "take: count: must be 0 or more".
function border.text(c)
    local text = ffi.string(c)
    for _, prefix in ipairs(PREFIXES) do text = text:gsub("^sgk_" .. prefix, "") end
    return text
end

function border.refused() error(border.text(C.sgk_last_error()), 0) end

-- Returns whether the call succeeded; false if the status is this answer.
function border.done(status, answer)
    border.settle()
    if status >= 0 then return true end
    if status == answer then return false end
    border.refused()
end

-- The pointers of closed objects. A copy of an object's table shares its pointer, so it is closed with the object.
local closed = setmetatable({}, { __mode = "k" })

-- The pointer of an object of the library's, or nil if the object is closed.
function border.pointer(object)
    local pointer = object.pointer or (object.fused and object.fused:stage())
    if pointer ~= nil and not closed[pointer] then return pointer end
end

function border.raw(object)
    return border.pointer(object) or error((object.kind or "signalkit") .. ": used after it was closed", 3)
end

-- Releases the reference of an object that is not closed.
function border.release(pointer)
    closed[pointer] = true
    C.sgk_release(ffi.gc(pointer, nil))
end

-- ---- Events from other threads ----

local function signature(text) return ffi.gc(C.sgk_signature_create(text), C.sgk_release) end

local main = ffi.gc(C.sgk_queue_main(), C.sgk_release)
border.main = main
if not C.sgk_queue_is_current(main) then error("signalkit: to be loaded on the main thread", 0) end

local null = ffi.new "sgk_value"
local function coming(text) return ffi.gc(C.sgk_callback_create(signature(text), null, nil, nil, nil), C.sgk_release) end
local calling, leaving, logging = coming "(i64) -> void", coming "(ptr) -> void", coming "(ctx, cstr) -> void"

-- The first two take a context. One calls the receiver's function later, the other forgets the receiver after all of
-- its calls. The third takes a line of the log.
border.call = C.sgk_callback_function(calling)
border.destroy = C.sgk_callback_function(leaving)
border.log = C.sgk_callback_function(logging)

-- A native callback.
function border.native(type, f) return ffi.cast("sgk_function", ffi.cast(type, f)) end

local function logged(line)
    if not border.on_log then return io.stderr:write(line, "\n") end -- no more, since it was written
    local fine, problem = attempt(border.on_log, line)
    if not fine then border.report("on_log", problem) end
end

local home_words = ffi.new "uint64_t[2]"
local home_value = ffi.cast("sgk_value *", home_words)
local forget_after_calls = ffi.cast("void (*)(int64_t)", border.call)

-- A finalizer may call this function inside any allocation. Therefore it has its own memory for the value. The library
-- never calls it inside itself.
--
-- Inside a call, further events of `calling` are queued, but events of `leaving` overtake them. Therefore an event of
-- `leaving` only sends the negative number through `calling`.
local function come_home(_, word, bits)
    home_words[0], home_words[1] = word, bits
    local which, kind = tonumber(ffi.cast("int64_t", home_value.bits)), home_value.kind
    if kind == constants.POINTER then return forget_after_calls(-which) end
    if which < 0 then return let_go(-which) end
    if kind == constants.STRING then return logged(ffi.string(C.sgk_value_data(home_value[0], nil))) end
    local receiver = find(which)
    if not receiver then return end
    local fine, problem = attempt(receiver.f)
    if not fine then receiver:fail(problem) end
end

local function events(callback) return ffi.gc(C.sgk_callback_signal(callback), C.sgk_release) end

do
    local sources = { events(calling), events(leaving), events(logging) }
    local merged = ffi.gc(C.sgk_merge(ffi.new("sgk_signal *[3]", sources), 3), C.sgk_release)
    local home = ffi.gc(C.sgk_signal_deliver_on(merged, main), C.sgk_release)
    local entry = border.native("void (*)(void *, uint64_t, uint64_t)", come_home)
    local run = ffi.gc(C.sgk_signal_start_next(home, entry, nil, nil), C.sgk_release)
    border.kept = { sources, calling, leaving, logging, run } -- a run keeps none of the callbacks
end

-- ---- Shapes ----

border.shapes = {} -- made in entries.lua: the native callback of each

function border.find(context)
    local which = tonumber(context)
    return strong[which] or weak[which]
end

-- Calls the library with a function that is called before `call(entry, context)` returns, and raises the error of that
-- function.
function border.immediately(name, f, shape, call)
    local problem
    local receiver = border.receiver(name, f, {
        immediate = true, fail = function(_, what) problem = problem or { what } end,
    })
    local context = border.register(receiver)
    local answer = call(border.shapes[shape], context)
    border.forget(context)
    border.settle()
    if problem then error(problem[1], 0) end
    return answer
end

return border
