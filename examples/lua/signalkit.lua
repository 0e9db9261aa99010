-- SignalKit for LuaJIT, by its FFI.
--
-- A Lua state belongs to one thread, and LuaJIT's callbacks take no structs. So:
-- * every Lua function of a pipeline is called on the main thread: the stage that calls it delivers on the main queue first, which runs in run();
-- * functions have typed callbacks: numbers as f64, or whatever there is as text (signal:as("text")); one callback serves all functions of a shape,
--   and finds the function by a number, its context;
-- * contexts may be let go of on any thread: `destroy` is a native callback of the library itself, whose calls become events on the main queue;
-- * a stage returns a signal of its result, of its failure, or none at all: so what a function raises is the error that ends the run.
local ffi = require "ffi"
jit.off(true, true) -- any of these calls may call back, which compiled code must not

ffi.cdef [[
typedef struct { uint32_t kind, reserved; uint64_t bits; } sgk_value;
typedef void (*sgk_function)(void);
typedef void (*sgk_destroy_fn)(void *);
const char *sgk_last_error(void);
int64_t sgk_live_total(void);
void sgk_release(void *);
sgk_value sgk_make_null(void), sgk_make_bool(bool), sgk_make_int(int64_t), sgk_make_double(double), sgk_string_n(const char *, size_t);
void sgk_value_release(sgk_value);
void *sgk_signature_create(const char *);
void *sgk_callback_create(void *, sgk_value, void *, void *, sgk_destroy_fn);
sgk_function sgk_callback_function(void *);
void *sgk_callback_signal(void *), *sgk_callback_disposable(void *);
void *sgk_signal_single(sgk_value), *sgk_signal_fail(sgk_value), *sgk_merge_signals(void *const *, size_t);
void *sgk_signal_map_to_queue_typed(void *, sgk_function, void *, void *, sgk_destroy_fn);
void *sgk_signal_start_typed(void *, sgk_function, void *, sgk_function, void *, sgk_function, void *, void *, sgk_destroy_fn);
void *sgk_signal_take(void *, int64_t), *sgk_signal_then(void *, void *);
void *sgk_signal_run_on(void *, void *), *sgk_signal_deliver_on(void *, void *);
int sgk_disposable_dispose(void *);
void *sgk_pipe_create(void), *sgk_pipe_signal(void *);
int sgk_pipe_next(void *, sgk_value), sgk_pipe_complete(void *);
void *sgk_queue_create(const char *), *sgk_queue_main(void);
bool sgk_queue_is_current(void *);
int sgk_main_run(void), sgk_main_stop(void), sgk_main_drain(void);
]]
local C = ffi.load "signalkit"

local function owned(handle) return ffi.gc(handle, C.sgk_release) end
local function last_error() return ffi.string(C.sgk_last_error()) end

-- ---- Values ----

-- Calls f with Lua's value as one of the library's, lent for the call.
local function lending(value, f)
    local raw
    if value == nil then raw = C.sgk_make_null()
    elseif type(value) == "boolean" then raw = C.sgk_make_bool(value)
    elseif type(value) == "number" then raw = value % 1 == 0 and math.abs(value) <= 2 ^ 53 and C.sgk_make_int(value) or C.sgk_make_double(value)
    elseif type(value) == "string" then raw = C.sgk_string_n(value, #value)
    else error("a signal cannot carry a " .. type(value), 3) end
    local result = f(raw)
    C.sgk_value_release(raw)
    return result
end

-- ---- Functions ----

local functions, last = {}, 0 -- what the contexts stand for

local function context(f)
    last = last + 1
    functions[last] = f
    return ffi.cast("void *", last)
end

local function number(pointer) return tonumber(ffi.cast("intptr_t", pointer)) end

-- A signal for what f returns, which becomes the library's: of one value, or failed; or NULL, which stands for none.
local function outcome(f, value)
    local fine, result = pcall(f, value)
    if fine and result == nil then return nil end
    if fine then
        local carried, signal = pcall(lending, result, C.sgk_signal_single)
        if carried then return signal end
        result = signal
    end
    return lending(tostring(result), C.sgk_signal_fail)
end

-- The run is over: what is raised here can only be printed.
local function tell(f, ...)
    local fine, message = pcall(f, ...)
    if not fine then io.stderr:write("signalkit: ", tostring(message), "\n") end
end

local function callback(type, f) return ffi.cast("sgk_function", ffi.cast(type, f)) end

local call = { -- by how values come
    f64 = callback("void *(*)(double, void *)", function(value, f) return outcome(functions[number(f)], value) end),
    text = callback("void *(*)(const char *, void *)", function(value, f) return outcome(functions[number(f)], ffi.string(value)) end),
}
local told = {
    error = callback("void (*)(const char *, void *)", function(message, f) tell(functions[number(f)].error, ffi.string(message)) end),
    completed = callback("void (*)(void *)", function(f) tell(functions[number(f)].completed) end),
    forget = callback("void (*)(void *)", function(f) functions[number(f)] = nil end),
}

local signature, main, let_go, destroy, forgetting

local function open()
    if main then return end
    signature = {}
    local texts = {
        f64 = "(f64, ctx) -> ptr", text = "(text, ctx) -> ptr",
        error = "(text, ctx) -> void", completed = "(ctx) -> void", forget = "(ptr) -> void",
    }
    for name, text in pairs(texts) do signature[name] = owned(C.sgk_signature_create(text)) end
    main = owned(C.sgk_queue_main())
    let_go = owned(C.sgk_callback_create(signature.forget, C.sgk_make_null(), nil, nil, nil))
    destroy = ffi.cast("sgk_destroy_fn", C.sgk_callback_function(let_go))
    local gone = owned(C.sgk_signal_deliver_on(owned(C.sgk_callback_signal(let_go)), main))
    forgetting = owned(C.sgk_signal_start_typed(gone, told.forget, signature.forget, nil, nil, nil, nil, nil, nil))
end

-- ---- Signals ----

local Signal, Subscription, Pipe, Queue = {}, {}, {}, {}
Signal.__index, Subscription.__index, Pipe.__index, Queue.__index = Signal, Subscription, Pipe, Queue

-- A signal may be NULL here: every operator passes that on, and the start finds it out.
local function signal(handle, type) return setmetatable({ handle = owned(handle), type = type }, Signal) end

-- The stage that all functions of a pipeline run in.
local function stage(source, f)
    local here = owned(C.sgk_signal_deliver_on(source.handle, main))
    return signal(C.sgk_signal_map_to_queue_typed(here, call[source.type], signature[source.type], context(f), destroy), source.type)
end

function Signal:map(f)
    return stage(self, function(value)
        local result = f(value)
        if result == nil then error("map: the function returned nothing", 0) end
        return result
    end)
end

function Signal:filter(f) return stage(self, function(value) if f(value) then return value end end) end

-- The same signal, whose values functions get as numbers ("f64") or, whatever they are, as text ("text"); and so do those below.
function Signal:as(type)
    assert(call[type], "as: 'f64' or 'text'")
    return setmetatable({ handle = self.handle, type = type }, Signal)
end

function Signal:take(count) return signal(C.sgk_signal_take(self.handle, count), self.type) end
function Signal:followed_by(other) return signal(C.sgk_signal_then(self.handle, other.handle), self.type) end
function Signal:run_on(queue) return signal(C.sgk_signal_run_on(self.handle, queue.handle), self.type) end

-- handlers: { next = f(value), error = f(message), completed = f() }, each may be missing. What `next` raises ends the run, and `error` is told.
function Signal:start(handlers)
    local function nothing() end
    local receive = handlers.next or nothing
    local receiving = stage(self, function(value) receive(value) end)
    local function unhandled(message) io.stderr:write("signalkit: ", message, "\n") end
    local ends = context { error = handlers.error or unhandled, completed = handlers.completed or nothing }
    local run = C.sgk_signal_start_typed(receiving.handle, nil, nil, told.error, signature.error, told.completed, signature.completed, ends, destroy)
    if run == nil then error(last_error(), 0) end
    return setmetatable({ handle = owned(run) }, Subscription)
end

function Subscription:dispose() C.sgk_disposable_dispose(self.handle) end

function Pipe:signal() return signal(C.sgk_pipe_signal(self.handle), self.type) end
function Pipe:next(value) lending(value, function(raw) C.sgk_pipe_next(self.handle, raw) end) end
function Pipe:complete() C.sgk_pipe_complete(self.handle) end

-- ---- The module ----

local signalkit = {}

-- A signal that emits the values inside the start, and completes; as text if the first is a string.
function signalkit.of(...)
    open()
    local count = select("#", ...)
    local singles, handles = {}, ffi.new("void *[?]", count)
    for i = 1, count do
        singles[i] = owned(lending(select(i, ...), C.sgk_signal_single))
        handles[i - 1] = singles[i]
    end
    local merged = signal(C.sgk_merge_signals(handles, count), type(...) == "string" and "text" or "f64")
    singles = nil -- alive until here
    return merged
end

function signalkit.fail(message) open() return signal(lending(message, C.sgk_signal_fail), "f64") end
function signalkit.pipe(type) open() return setmetatable({ handle = owned(C.sgk_pipe_create()), type = type or "f64" }, Pipe) end
function signalkit.queue(name) return setmetatable({ handle = owned(C.sgk_queue_create(name)) }, Queue) end

-- Runs the main queue until stop(). On the main thread only.
function signalkit.run() if C.sgk_main_run() ~= 0 then error(last_error(), 0) end end
function signalkit.stop() C.sgk_main_stop() end

-- Whether the caller is on the thread of Lua: the main thread.
function signalkit.is_main() open() return C.sgk_queue_is_current(main) end

-- Collects what is garbage, waits (a minute at most) until no function is in use, lets go of what the module holds, and returns how many objects are
-- left alive. Other threads let go in their own time, and tell the main queue. The module can be used again afterwards.
function signalkit.close()
    local deadline = os.time() + 60
    local function collect_until(done)
        repeat
            collectgarbage() -- twice: what a finalizer lets go of is garbage afterwards
            collectgarbage()
            C.sgk_main_drain()
        until done() or os.time() > deadline
    end
    collect_until(function() return next(functions) == nil end)
    if next(functions) == nil then
        if forgetting then C.sgk_disposable_dispose(forgetting) end
        signature, main, let_go, destroy, forgetting = nil, nil, nil, nil, nil
        collect_until(function() return C.sgk_live_total() == 0 end)
    end
    return tonumber(C.sgk_live_total())
end

return signalkit
