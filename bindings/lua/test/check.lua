-- Functions for checks in the tests.
local signalkit = require "signalkit"

local check = { many = 100000 }

function check.shown(value)
    if type(value) ~= "table" or getmetatable(value) then return tostring(value) end
    local parts = {}
    for index = 1, value.n or #value do parts[index] = check.shown(value[index]) end
    return "{" .. table.concat(parts, " ") .. "}"
end

function check.same(wanted, got)
    wanted, got = check.shown(wanted), check.shown(got)
    if wanted ~= got then error(("expected %s, got %s"):format(wanted, got), 2) end
end

function check.is(wanted, got) if not rawequal(wanted, got) then error("not the same object", 2) end end

function check.raises(wanted, f, ...)
    local fine, problem = pcall(f, ...)
    if fine then error("nothing was raised", 2) end
    if wanted and not tostring(problem):find(wanted, 1, true) then
        error(("expected %q, got %q"):format(wanted, tostring(problem)), 2)
    end
    return problem
end

-- Returns the events of a subscription, as a list that grows.
function check.record(signal)
    local events = {}
    local function add(event) events[#events + 1] = event == nil and "nil" or event end
    events.run = signal:start {
        next = add,
        error = function(problem)
            events.problem = problem
            add { "error", problem }
        end,
        completed = function() add "end" end,
    }
    return events
end

-- Does the main queue's work until something is so.
function check.eventually(done)
    local deadline = os.time() + 60
    while not done() do
        if os.time() > deadline then error("nothing has come of it", 2) end
        signalkit.drain_main()
    end
end

function check.nothing_alive()
    local deadline = os.time() + 60
    jit.flush() -- compiled code retains functions
    repeat
        collectgarbage()
        signalkit.drain_main()
    until signalkit.live_total() == 0 or os.time() > deadline
    if signalkit.live_total() ~= 0 then error(signalkit.live_total() .. " objects are alive", 0) end
end

return check
