-- Watches this machine: the load of its processors, as /proc/stat has it, four times a second, and a warning when they stay
-- busy. Ctrl-C ends it before its time.
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

local load = signalkit.interval(0.25):start_with(-1):map(times):pairwise():map(function(both)
    local before, now = both[1], both[2]
    return math.floor(100 - 100 * (now.idle - before.idle) / math.max(now.total - before.total, 1) + 0.5)
end):share()

load:start(function(percent) print(("cpu %3d %% %s"):format(percent, ("#"):rep(percent / 2))) end)
load:scan(0, function(looks, percent) return percent > 90 and looks + 1 or 0 end)
    :filter(function(looks) return looks == 8 end)
    :start(function() print "busy for two seconds" end)
signalkit.timer(tonumber(arg[1]) or 10):start(signalkit.stop)

local fine, problem = pcall(signalkit.run)
if not fine and not tostring(problem):find "interrupted!$" then error(problem, 0) end
