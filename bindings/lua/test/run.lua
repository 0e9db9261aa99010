-- luajit bindings/lua/test/run.lua [stress]: all tests, or those in one process with a collector that never rests. Nothing
-- of the library is alive after any of them.
io.stdout:setvbuf "line"
local here = arg[0]:match "^(.*/)" or "./"
package.path = ("%s../?.lua;%s../?/init.lua;%s?.lua;%s"):format(here, here, here, package.path)
local signalkit = require "signalkit"
local check = require "check"
local groups = { "operators", "border", "objects", "programs" }
if arg[1] == "stress" then
    groups[#groups] = nil
    check.many = 1000 -- each allocation collects
    collectgarbage("setpause", 1)
    collectgarbage("setstepmul", 100000)
end

local failures, count = 0, 0
for _, name in ipairs(groups) do
    local tests = require("test_" .. name)(here)
    local names = {}
    for test in pairs(tests) do names[#names + 1] = test end
    table.sort(names)
    for _, test in ipairs(names) do
        count = count + 1
        local fine, problem = xpcall(tests[test], function(what)
            return type(what) == "string" and debug.traceback(what, 2) or check.shown(what)
        end)
        if fine then fine, problem = pcall(check.nothing_alive) end
        if not fine then
            failures = failures + 1
            print(("%s: %s: %s"):format(name, test, problem))
        end
    end
end
print(("lua: %d tests, %d failures"):format(count, failures))
os.exit(failures == 0 and 0 or 1)
