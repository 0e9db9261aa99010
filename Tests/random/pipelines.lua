-- The pipelines of pipelines.py, run by the Lua package.
local here = arg[0]:match "^(.*/)" or "./"
package.path = ("%s../../bindings/lua/?.lua;%s../../bindings/lua/?/init.lua;%s"):format(here, here, package.path)
local S = require "signalkit"

local SECOND = 1e6 -- of microseconds

local function joined(v, w) return v * 100 + w end

local PLAIN = {
    map = function(s, n) return s:map(function(v) return v * 10 + n end) end,
    filter = function(s, n) return s:filter(function(v) return v % n ~= 0 end) end,
    take = function(s, n) return s:take(n) end,
    skip = function(s, n) return s:skip(n) end,
    take_last = function(s, n) return s:take_last(n) end,
    scan = function(s) return s:scan(0, function(a, b) return a + b end) end,
    distinct = function(s) return s:distinct_until_changed() end,
    take_while = function(s, n) return s:take_while(function(v) return v < n end) end,
    skip_while = function(s, n) return s:skip_while(function(v) return v < n end) end,
    start_with = function(s, n) return s:start_with(n) end,
    end_with = function(s, n) return s:end_with(n) end,
    default = function(s, n) return s:default_if_empty(n) end,
    first = function(s) return s:take(1) end,
    ignore = function(s) return s:ignore_values() end,
    ["repeat"] = function(s, n) return s:repeated(n) end,
    catch_value = function(s, n) return s:catch_and_return(n) end,
}
local TIMED = { delay_start = true, debounce = true, throttle = true, take_for = true, sample = true }
local JOINING = {
    merge = function(a, b) return S.merge { a, b } end,
    ["then"] = function(a, b) return a:concat_with(b) end,
    catch = function(a, b) return a:catch(function() return b end) end,
    combine = function(a, b) return S.combine_latest({ a, b }, joined) end,
    zip = function(a, b) return S.zip({ a, b }, joined) end,
    with_latest = function(a, b) return a:with_latest_from(b, joined) end,
    race = function(a, b) return S.race { a, b } end,
    take_until = function(a, b) return a:take_until(b) end,
    skip_until = function(a, b) return a:skip_until(b) end,
    switch_if_empty = function(a, b) return a:switch_if_empty(b) end,
    switch = function(a, b) return a:switch_map(function() return b end) end,
    queue = function(a, b) return a:concat_map(function() return b end) end,
    merged = function(a, b) return a:merge_map(function() return b end) end,
    exhaust = function(a, b) return a:exhaust_map(function() return b end) end,
}

local function now(queue) return math.floor(queue:now() * SECOND + 0.5) end

local function emit(subscriber, kind, value)
    if kind == "=" then return subscriber:next(value) end
    if kind == "|" then return subscriber:complete() end
    subscriber:error(7)
end

local function cold(queue, times, events)
    return S.create(function(subscriber)
        table.insert(times.started, now(queue))
        local timers = {}
        for time, kind, value in events:gmatch "(%d+)([=|!])(%d*)" do
            timers[#timers + 1] = queue:after(time / SECOND, function() emit(subscriber, kind, tonumber(value)) end)
        end
        return function()
            table.insert(times.disposed, now(queue))
            for _, timer in ipairs(timers) do timer:dispose() end
        end
    end)
end

local function pipeline(words, queue, log)
    local stack = {}
    local function pop() return table.remove(stack) end
    for word in words:gmatch "%S+" do
        local name, argument, events = word:match "^([%a_]+):?(%d*):?(.*)$"
        local number, made = tonumber(argument), nil
        if name == "cold" then
            log[number] = { started = {}, disposed = {} }
            made = cold(queue, log[number], events)
        elseif JOINING[name] then
            local upper = pop()
            made = JOINING[name](pop(), upper)
        elseif TIMED[name] then
            local source = pop()
            made = source[name](source, number / SECOND, { queue = queue })
        elseif name == "delay" then made = pop():delay(number / SECOND, { queue = queue, limit = 1000 })
        else made = PLAIN[name](pop(), number)
        end
        stack[#stack + 1] = made
    end
    return stack[#stack]
end

local function run(line)
    local over, words = line:match "^(%d+) (.*)$"
    local queue, log, seen, running = S.virtual_queue(), {}, {}, nil
    local function add(text, ...) seen[#seen + 1] = text:format(now(queue), ...) end
    local signal = pipeline(words, queue, log)
    queue:dispatch(function()
        running = signal:start {
            next = function(value) add("%d=%.0f", value) end,
            error = function() add "%d!7" end,
            completed = function() add "%d|" end,
        }
    end)
    queue:after(over / SECOND, function() running:dispose() end)
    queue:advance_to(60)
    for number = 0, table.maxn(log) do
        local times = log[number]
        if times.started[1] then
            seen[#seen + 1] = number .. "+" .. table.concat(times.started, ",")
            seen[#seen + 1] = number .. "-" .. table.concat(times.disposed, ",")
        end
    end
    return table.concat(seen, " ")
end

for line in io.lines() do print(run(line)) end
local deadline = os.time() + 300
jit.flush() -- compiled code retains functions
repeat
    collectgarbage()
    S.drain_main()
until S.live_total() == 0 or os.time() > deadline
print("alive " .. S.live_total())
