-- The soak of the Lua module (see run.py): interrupts, full collections and threads of the library at once. A function
-- of a signal raises the interrupt.
local here = arg[0]:match "^(.*/)" or ""
package.path = ("%s../../../bindings/lua/?.lua;%s../../../bindings/lua/?/init.lua;%s"):format(here, here, package.path)
local S = require "signalkit"
io.stdout:setvbuf "line"

local function expect(wanted, got)
    if wanted ~= got then error(("%s instead of %s"):format(tostring(got), tostring(wanted)), 0) end
end

-- An object that only the collector frees, and that holds a signal.
local function cycle(value)
    local holder = { value }
    holder[2] = S.never():map(function() return holder end)
    return #holder
end

local interrupted = false
local function raise_interrupt(n)
    if not interrupted then return n end
    interrupted = false
    error("interrupted", 0)
end

local function fails_at_seven(n)
    if n == 7 then error("boom", 0) end
    return { n }
end

local function instead(problem) return problem == "boom" and S.of "caught" or S.fail(problem) end

local function emit(subscriber)
    for n = 0, 4 do subscriber:next { n } end
    subscriber:complete()
end

local function a_round(queue, pipe)
    local numbers = S.of(0, 1, 2, 3, 4, 5, 6, 7, 8)
    local odd = numbers:map(function(n) return raise_interrupt(n + 1) end):filter(function(n) return n % 2 == 1 end)
    expect(25, odd:reduce(0, function(sum, n) return sum + n end):get(60))
    expect("caught", numbers:map(fails_at_seven):catch(instead):take_last(1):get(60))
    expect(5, #S.create(emit):concat_map(function(value) return S.of(value) end):collect(60))
    expect(2, S.timer(0.0001, { queue = queue }):map(cycle):get(60))
    local seen = 0
    local subscription = pipe:signal():take(3):map(function(n) return { n } end)
        :start(function(t) seen = seen + t[1] end)
    pipe:next(1)
    subscription:dispose()
    expect(1, seen)
    S.never():start(function() return seen end) -- nobody disposes it
    collectgarbage "step"
end

local queue, pipe, rounds, ticks = S.queue(), S.pipe(), 0, 0
local SIGINT = 2
local interrupts = S.unix_signal(SIGINT):start(function() interrupted = true end)
local interval = S.interval(0.0005, { queue = queue }):map(function(n) return { n } end)
    :start(function() ticks = ticks + 1 end)

local function interrupted_work()
    print "ready"
    while true do
        a_round(queue, pipe)
        rounds = rounds + 1
        if rounds % 16 == 0 then collectgarbage() end
    end
end

repeat
    local _, problem = pcall(interrupted_work)
    if problem ~= "interrupted" then error(problem, 0) end
    print "interrupted"
until io.read() == "end"
assert(ticks > 0)
interrupts:dispose()
interval:dispose()
queue, pipe, interrupts, interval = nil, nil, nil, nil
jit.flush() -- compiled code retains functions
local deadline = os.time() + 60
repeat
    collectgarbage()
    S.drain_main()
until S.live_total() == 0 or os.time() > deadline
print("rounds " .. rounds)
print("alive " .. S.live_total())
