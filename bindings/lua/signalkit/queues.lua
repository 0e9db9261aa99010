--- Queues, timers, pools, and the loop of the main queue. Functions are called on the main thread: a function for
-- another queue is called there after its turn on that queue.
local ffi = require "ffi"
local border = require "signalkit.border"
local arguments = require "signalkit.arguments"
local handle = require "signalkit.handle"
local disposable = require "signalkit.disposable"
jit.off(true, true)
setfenv(1, border.environment)
local C, raw, done, own = border.C, border.raw, border.done, handle.own
local number, integer = arguments.number, arguments.integer

local queues = {}

local function counted(count)
    border.settle()
    return count < 0 and border.refused() or tonumber(count)
end

-- Calls the library with a function that comes home: `call(entry, context, destroy)`.
local function work(name, f, call)
    return handle.registered(border.receiver(name, arguments.callable(name, f)), "call", false, call)
end

-- ---- Queues ----

--- Runs work. A queue that you create and the main queue run one job at a time, in order.
-- @type Queue
local Queue = handle.class "Queue"
queues.Queue, arguments.Queue = Queue, Queue

--- A serial queue, with a thread of the library's pool whenever it has work.
function queues.queue(name) return own(Queue, C.sgk_queue_create(arguments.text("queue", "name", name or "lua"))) end

--- The main queue, whose work is done on the main thread, in run().
function queues.main_queue() return own(Queue, C.sgk_queue_main()) end

--- The process-wide concurrent queue, or a concurrent queue with its own threads.
-- @tparam[opt] string name
-- @tparam[opt] integer threads from 1 to 1024
function queues.concurrent_queue(name, threads)
    if name == nil and threads == nil then return own(Queue, C.sgk_queue_concurrent_default()) end
    return own(Queue, C.sgk_queue_create_concurrent(arguments.text("concurrent_queue", "name", name),
        arguments.integer32("concurrent_queue", "threads", threads)))
end

--- The process-wide concurrent queue of background priority.
function queues.background_queue() return own(Queue, C.sgk_queue_concurrent_background()) end

--- Returns whether the caller runs on the queue.
function Queue:is_current() return C.sgk_queue_is_current(raw(self)) end

--- The time of its clock, in seconds from any fixed point.
function Queue:now() return C.sgk_queue_now(raw(self)) end

for _, name in ipairs { "async", "dispatch" } do
    local call = C["sgk_queue_" .. name]
    Queue[name] = function(self, f)
        local pointer = raw(self)
        done(work(name, f, function(...) return call(pointer, ...) end))
        return self
    end
end

--- Calls the function after some seconds, unless the returned object is disposed before.
-- @treturn Disposable
function Queue:after(seconds, f)
    local pointer = raw(self)
    number("after", "seconds", seconds)
    return own(disposable.Disposable, work("after", f, function(...) return C.sgk_queue_after(pointer, seconds, ...) end))
end

--- A serial queue with a virtual clock, for tests that own the time. Work is done inside of advance, advance_to and run,
-- at its time, in its order.
-- @type VirtualQueue
local VirtualQueue = handle.class("VirtualQueue", Queue)
queues.VirtualQueue = VirtualQueue

--- @tparam[opt] VirtualQueue beside the queue whose clock to use
function queues.virtual_queue(beside)
    return own(VirtualQueue,
        C.sgk_queue_create_virtual(arguments.handle("virtual_queue", "beside", beside, VirtualQueue, true)))
end

--- Moves the time on.
function VirtualQueue:advance(seconds) done(C.sgk_queue_advance(raw(self), number("advance", "seconds", seconds))) end

--- Moves the time on to a point.
function VirtualQueue:advance_to(time) done(C.sgk_queue_advance_to(raw(self), number("advance_to", "time", time))) end

--- Runs until no work is pending or `limit` jobs have run.
-- @treturn integer the number of jobs
function VirtualQueue:run(limit) return counted(C.sgk_queue_run(raw(self), integer("run", "limit", limit or 1000000))) end

--- How much waits, work and timers.
function VirtualQueue:pending() return counted(C.sgk_queue_pending(raw(self))) end

--- The system sleeps: the clock on the wall moves on, and the queue's does not.
function VirtualQueue:suspend(seconds) done(C.sgk_queue_suspend(raw(self), number("suspend", "seconds", seconds))) end

-- ---- Timers ----

--- Calls a function after a delay, once or repeatedly. Releasing the timer stops it.
-- @type Timer
local Timer = handle.class "Timer"
queues.Timer = Timer

--- @tparam number seconds
-- @tparam function f
-- @tparam[opt] table options `is_repeated`, and `queue`: the main one, if there is none
function queues.new_timer(seconds, f, options)
    number("new_timer", "seconds", seconds)
    arguments.known("new_timer", options, "is_repeated queue")
    local queue = arguments.queue("new_timer", options)
    local receiver = border.receiver("new_timer", arguments.callable("new_timer", f))
    local repeated = options and options.is_repeated or false
    return own(Timer, handle.registered(receiver, "call", true, function(entry, context, destroy)
        return C.sgk_timer_create(seconds, repeated, entry, context, destroy, queue)
    end)):keep(receiver)
end

--- Starts or restarts the timer.
function Timer:start()
    done(C.sgk_timer_start(raw(self)))
    return self
end

--- Stops it. It can be started again.
function Timer:invalidate()
    done(C.sgk_timer_invalidate(raw(self)))
    return self
end

--- Ends it by firing it, if it runs.
function Timer:fire_and_invalidate() done(C.sgk_timer_fire_and_invalidate(raw(self))) end

--- Changes the delay and restarts the timer.
function Timer:reset_timeout(seconds)
    done(C.sgk_timer_reset_timeout(raw(self), number("reset_timeout", "seconds", seconds)))
end

--- Returns whether the timer will fire.
function Timer:is_scheduled() return C.sgk_timer_is_scheduled(raw(self)) end

--- Seconds until the next firing.
function Timer:remaining_time() return C.sgk_timer_remaining_time(raw(self)) end

-- ---- Pools ----

--- A fixed number of threads.
-- @type ThreadPool
local ThreadPool = handle.class "ThreadPool"
queues.ThreadPool = ThreadPool

--- @tparam integer threads
-- @tparam[opt=0.5] number priority
function queues.thread_pool(threads, priority)
    return own(ThreadPool, C.sgk_thread_pool_create(arguments.integer32("thread_pool", "threads", threads),
        number("thread_pool", "priority", priority or 0.5)))
end

--- A new serial queue on the pool.
function ThreadPool:next_queue() return own(Queue, C.sgk_thread_pool_next_queue(raw(self))) end

--- The pool as a concurrent queue, which keeps it.
function ThreadPool:queue() return own(Queue, C.sgk_thread_pool_queue(raw(self))) end

--- Lets the tasks that wait go, and ends the threads.
function ThreadPool:shutdown() done(C.sgk_thread_pool_shutdown(raw(self))) end

-- ---- The loop of the main queue ----

ffi.cdef [[
typedef struct { int fd; short events, revents; } signalkit_pollfd;
typedef struct { long seconds, nanoseconds; } signalkit_timespec;
int signalkit_ppoll(signalkit_pollfd *, unsigned long, const signalkit_timespec *, const signalkit_sigset *)
    __asm__("ppoll");
int signalkit_sigmask(int, const signalkit_sigset *, signalkit_sigset *) __asm__("pthread_sigmask");
]]
local BLOCK, SETMASK, READABLE = 0, 2, 1
local interrupt, before = ffi.new "signalkit_sigset", ffi.new "signalkit_sigset"
interrupt.bits[0] = 2 -- SIGINT is number 2, the second bit

-- Waits until one of these is readable, at most for the given seconds (nil: unlimited). LuaJIT handles Ctrl-C only when
-- Lua code continues, so the signal must end the wait: SIGINT is blocked until the wait has begun. One that has arrived
-- before is delayed.
function queues.wait(descriptors, seconds)
    local polled, timeout = ffi.new("signalkit_pollfd[?]", #descriptors), nil
    for index, descriptor in ipairs(descriptors) do
        polled[index - 1].fd, polled[index - 1].events = descriptor, READABLE
    end
    if seconds then
        seconds = math.max(0, math.min(seconds, 1e9))
        timeout = ffi.new("signalkit_timespec", math.floor(seconds), math.floor(seconds % 1 * 1e9))
    end
    ffi.C.signalkit_sigmask(BLOCK, interrupt, before)
    if not border.is_interrupted() then ffi.C.signalkit_ppoll(polled, #descriptors, timeout, before) end
    ffi.C.signalkit_sigmask(SETMASK, before, nil)
end

local running = false

--- Runs the main queue until stop(), on the main thread. Ctrl-C ends it, with an error, as it ends a loop of Lua's own.
function queues.run()
    local descriptor = queues.main_fd()
    running = true
    while running do
        queues.wait { descriptor }
        queues.drain_main()
    end
end

--- Makes run() return.
function queues.stop()
    running = false
    C.sgk_queue_dispatch(border.main, border.shapes.work, nil, nil)
end

--- Returns a descriptor that is readable when the main queue has work. A program's loop watches it and calls
-- drain_main.
-- @treturn integer a file descriptor
function queues.main_fd() return counted(C.sgk_main_fd()) end

--- Does what the main queue has to do by now.
function queues.drain_main() done(C.sgk_main_drain()) end

--- Whether the caller is on the main thread, as all of Lua is.
function queues.is_main() return C.sgk_queue_is_current(border.main) end

return queues
