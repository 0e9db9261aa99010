-- Watches this machine: the load of its processors, as /proc/stat has it, once a second; Ctrl-C ends it.
--
--     luajit examples/lua/loadwatch.lua [SECONDS]
local here = arg[0]:match "^(.*/)" or ""
package.path = ("%s../../bindings/lua/?.lua;%s../../bindings/lua/?/init.lua;%s"):format(here, here, package.path)
local signalkit = require "signalkit"
io.stdout:setvbuf "line"

-- The time that all processors have spent, and that of doing nothing.
local function times()
    local file = assert(io.open "/proc/stat")
    local numbers, total = {}, 0
    for number in file:read("*l"):gmatch "%d+" do
        numbers[#numbers + 1] = tonumber(number)
        total = total + number
    end
    file:close()
    return { total = total, idle = numbers[4] + numbers[5] }
end

local load = signalkit.interval(tonumber(arg[1]) or 1):map(times):pairwise():map(function(both)
    local before, now = both[1], both[2]
    return math.floor(100 - 100 * (now.idle - before.idle) / math.max(now.total - before.total, 1) + 0.5)
end)

load:start(function(percent) print(("%3d %% %s"):format(percent, ("#"):rep(percent / 2))) end)
load:scan(0, function(minutes, percent) return percent > 90 and minutes + 1 or 0 end)
    :filter(function(times_) return times_ == 5 end)
    :start(function() print "busy for five times in a row" end)
pcall(signalkit.run)
