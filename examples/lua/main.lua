-- The scenes that every language of `examples` plays (docs/languages.md).
--
--     luajit examples/lua/main.lua               all scenes but the two about the end of the program
--     luajit examples/lua/main.lua leaving       the program ends while a run is alive
--     luajit examples/lua/main.lua interrupted   Ctrl-C ends it while it waits
local here = arg[0]:match "^(.*/)" or ""
package.path = ("%s../../bindings/lua/?.lua;%s../../bindings/lua/?/init.lua;%s"):format(here, here, package.path)
local signalkit = require "signalkit"
io.stdout:setvbuf "line"

local function show(name, signal)
    return signal:start {
        next = function(value) print(name .. ": " .. value) end,
        error = function(problem) print(name .. ": " .. problem) end,
        completed = function() print(name .. ": end") end,
    }
end

local function halves()
    local pipe = signalkit.pipe()
    show("half", pipe:signal():filter(function(n) return n % 2 == 0 end):map(function(n) return n / 2 end))
    for n = 1, 6 do pipe:next(n) end
    pipe:complete()
end

local function text() show("text", signalkit.of("grün"):map(function(word) return word .. "!" end)) end

local function stopped()
    local pipe = signalkit.pipe()
    local subscription = show("stopped", pipe:signal())
    pipe:next(1)
    subscription:dispose()
    pipe:next(2)
end

local function own_thread()
    local function place() return signalkit.is_main() and "own thread" or "another thread" end
    signalkit.of(1, 2, 3):run_on(signalkit.queue "elsewhere"):start {
        next = function(n) print(place() .. ": " .. n) end,
        completed = function()
            print(place() .. ": end")
            signalkit.stop()
        end,
    }
    signalkit.run()
end

local function failed() show("failed", signalkit.of(1):concat_with(signalkit.fail "unplugged")) end

local function thrown()
    show("thrown", signalkit.of(1, 2, 3, 4):map(function(n)
        if n == 3 then error("three is too many", 0) end
        return n * 10
    end))
end

local function misuse()
    local _, problem = pcall(function() show("misuse", signalkit.of(1):take(-1)) end)
    print("misuse: " .. problem)
end

local function closed_twice()
    local pipe = signalkit.pipe()
    local signal = pipe:signal()
    local subscription = show("closed twice", signal)
    pipe:next(1)
    pipe:complete()
    pipe:complete()
    for _ = 1, 2 do subscription:dispose() end
    for _ = 1, 2 do subscription:close() end
    pipe:next(2) -- after the end: dropped
    show("used after close", signal)
end

-- A function yields a coroutine, which cannot pass through the library. Its subscription fails.
local function left()
    local pipe = signalkit.pipe()
    pipe:signal():start {
        next = function(value)
            print("left: " .. value)
            coroutine.yield(value)
        end,
        error = function() print "left: and out" end,
    }
    local others = pipe:signal():filter(function(n) return n == 2 end)
        :start(function(n) print("left: " .. n .. " for the others") end)
    coroutine.wrap(function() pipe:next(1) end)()
    pipe:next(2)
    others:dispose()
end

-- Two timers combined, throttled; what fails at first is tried again.
local function timers()
    local attempts, number = 0, 0
    local pairs_ = signalkit.deferred(function()
        attempts = attempts + 1
        print("timers: attempt " .. attempts)
        if attempts == 1 then return signalkit.fail "not yet" end
        return signalkit.combine_latest { signalkit.interval(0.001), signalkit.interval(0.002) }
    end):retry { delay = 0.001, max_delay = 0.01 }:throttle(0.003)
    show("timers", pairs_:map(function()
        number = number + 1
        return number
    end):take(3):after_completed(signalkit.stop))
    signalkit.run()
end

local function memory()
    collectgarbage()
    collectgarbage()
    for line in io.lines "/proc/self/status" do
        local kibibytes = line:match "VmRSS:%s+(%d+)"
        if kibibytes then return tonumber(kibibytes) end
    end
end

-- Memory is flat when it has grown by less than a kilobyte for each of the 10,000, after as many before.
local function subscriptions()
    local source = signalkit.pipe()
    local numbers = source:signal():map(function(n) return n + 1 end):take(2)
    local function make_and_drop()
        for _ = 1, 10000 do
            local subscription = numbers:start(print)
            subscription:dispose()
            subscription:close()
        end
    end
    make_and_drop()
    local before, alive = memory(), signalkit.live_total()
    make_and_drop()
    local grown = memory() - before
    print(("subscriptions: 10000 made, %d left"):format(signalkit.live_total() - alive))
    print("subscriptions: memory " .. (grown < 10000 and "flat" or grown .. " KiB more"))
end

local function own_subscription()
    local pipe, subscription = signalkit.pipe(), nil
    subscription = pipe:signal():take(3):start {
        next = function(value)
            print("own subscription: " .. value)
            subscription:dispose()
        end,
        completed = function() print "own subscription: end" end,
    }
    pipe:next(1)
    pipe:next(2)
    print "own subscription: over"
end

-- The program ends with a timer running that calls it all the time.
local function leaving()
    kept = signalkit.interval(0.0001, { queue = signalkit.queue "ticks" }):start(signalkit.stop)
    signalkit.run()
    print "leaving: with a live subscription"
end

-- Waits for good: who plays this sends SIGINT when the line is there, and says how it ended. (LuaJIT makes an error of
-- it, and would end with status 1.)
local function interrupted()
    local ticks = 0
    signalkit.interval(0.001):start(function()
        ticks = ticks + 1
        if ticks == 2 then print "interrupted: waiting" end
    end)
    local _, problem = pcall(signalkit.run)
    os.exit(problem:find "interrupted!$" and 130 or 1, true)
end

-- What the collector lets go of, and other threads do, takes its time.
local function alive()
    local deadline = os.time() + 60
    jit.flush() -- compiled code retains functions
    repeat
        collectgarbage()
        signalkit.drain_main()
    until signalkit.live_total() == 0 or os.time() > deadline
    print("alive: " .. signalkit.live_total())
end

if arg[1] == "leaving" then
    leaving()
elseif arg[1] == "interrupted" then
    interrupted()
else
    for _, scene in ipairs {
        halves, text, stopped, own_thread, failed, thrown, misuse, closed_twice, left, timers, subscriptions, own_subscription,
        alive,
    } do scene() end
end
