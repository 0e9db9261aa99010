--- Neighbouring functions. A value that passes from C to Lua and back costs more than most functions. Therefore they
-- are one stage of the library, with the names of their operators. A subscription also calls its function for values in
-- the same call from C. If all values come from Lua, the whole subscription is one call.
--
-- LuaJIT compiles this module. It calls nothing of the library's, except by `values.passed`, which is not compiled.
-- @local
local values = require "signalkit.values"
local constants = require "signalkit.interface"
local own = require("signalkit.interrupt").environment
setfenv(1, own)
local band, type = bit.band, type
local LAST, COMPLETED = constants.OUTCOME_LAST, constants.OUTCOME_COMPLETED

local SIMPLE = { number = true, string = true, boolean = true, ["nil"] = true }

local function passed(value)
    if SIMPLE[type(value)] then return value end
    return values.passed(value)
end

-- By operator: its function for values. It calls the next one with a value as it arrives there, and with the result that
-- it was made of, which the library gets.
local FUSED = {
    map = function(pass, f)
        return function(value)
            local result = f(value)
            return pass(passed(result), result)
        end
    end,
    filter = function(pass, f)
        return function(value, result) if f(value) then return pass(value, result) end end
    end,
    before_next = function(pass, f)
        return function(value, result)
            f(value)
            return pass(value, result)
        end
    end,
    compact_map = function(pass, f)
        return function(value)
            local result = f(value)
            if result ~= nil then return pass(passed(result), result) end
        end
    end,
    scan = function(pass, f, initial)
        local accumulated = initial
        return function(value)
            accumulated = f(accumulated, value)
            return pass(passed(accumulated), accumulated)
        end
    end,
    take = function(pass, count)
        local left = count
        return function(value, result)
            left = left - 1 -- a value inside of this call waits for its end
            local outcome, made = pass(value, result)
            if left > 0 or outcome == COMPLETED then return outcome, made end
            return outcome and LAST or COMPLETED, made
        end
    end,
    take_while = function(pass, f)
        return function(value, result)
            if f(value) then return pass(value, result) end
            return COMPLETED
        end
    end,
    skip_while = function(pass, f)
        local skips = true
        return function(value, result)
            skips = skips and f(value)
            if not skips then return pass(value, result) end
        end
    end,
}

local fused = {}

-- The last function of a subscription.
function fused.receiving(f)
    return function(value) f(value) end
end

-- Returns the functions of an operator and of those before it as one. `pass` is the next one.
function fused.composed(last, pass)
    while last do
        pass = FUSED[last.kind](pass, last.argument, last.initial)
        last = last.before
    end
    return pass
end

local BATCH = 1000 -- Between them Ctrl-C is heard, which compiled code does not hear.

-- Calls `f` with each item until a pause or the end, and returns whether there may be more. `next` returns true and an
-- item, or false.
local function looping(next, f, passed, band, batch, completed, last)
    return function(state, stops, ends)
        for _ = 1, batch do
            if band(state[0], stops) ~= 0 then return true end
            local is_there, item = next()
            if not is_there then return false end
            if band(state[0], ends) ~= 0 then return true end
            item = passed(item)
            local outcome = f(item, item)
            if outcome == completed or outcome == last then return false end
        end
        return true
    end
end
local code = string.dump(looping)

-- Returns the function of a loop over items. LuaJIT compiles a loop for the functions that it calls. So each start has
-- its own copy of the code: a shared one would get a branch for each of all functions.
function fused.loop(next, f)
    return setfenv(loadstring(code), own)(next, f, passed, band, BATCH, COMPLETED, LAST)
end

-- ---- The items of a source ----

function fused.range(first, count)
    local last, number = first + count - 1, first - 1
    return function()
        if number >= last then return false end
        number = number + 1
        return true, number
    end
end

function fused.list(list, count)
    local index = 0
    return function()
        if index >= count then return false end
        index = index + 1
        return true, list[index]
    end
end

function fused.results(f)
    return function()
        local item = f()
        if item == nil then return false end
        return true, item
    end
end

return fused
