--- Checks before a call, so that the message names operator, argument and value.
-- @local
local ffi = require "ffi"
local border = require "signalkit.border"
local values = require "signalkit.values"
jit.off(true, true)
setfenv(1, border.environment)

local arguments = {}
local OVERFLOW = { suspend = 1, drop_oldest = 2, drop_newest = 3, keep_latest = 4, error = 5, pause = 256 }
arguments.EDGES = { leading = 1, trailing = 2, both = 3 }

local function wrong(method, name, wanted, value)
    error(("%s: %s: expected %s, got %s"):format(method, name, wanted,
        type(value) == "string" and ("%q"):format(value) or tostring(value)), 0)
end
arguments.wrong = wrong

function arguments.integer(method, name, value)
    if type(value) ~= "number" or value % 1 ~= 0 or math.abs(value) > 2 ^ 53 then
        wrong(method, name, "an integer", value)
    end
    return value
end

function arguments.integer32(method, name, value)
    if math.abs(arguments.integer(method, name, value)) >= 2 ^ 31 then
        wrong(method, name, "an integer of 32 bits", value)
    end
    return value
end

-- What is reported only, and cannot be requested.
local REPORTED = { FD_HANGUP = true, FILE_IS_FOLDER = true }

--- Returns a set of flags: the sum of at least one of the constants with this prefix.
function arguments.flags(method, name, value, prefix)
    local all, words = 0, {}
    for word, flag in pairs(border.constants) do
        if word:sub(1, #prefix) == prefix and not REPORTED[word] then
            all, words[#words + 1] = all + flag, word
        end
    end
    local set = arguments.integer(method, name, value)
    if set >= 1 and set <= all and require("bit").band(set, all) == set then return set end
    table.sort(words)
    error(("%s: %s must consist of %s"):format(method, name, table.concat(words, ", ")), 0)
end

function arguments.number(method, name, value)
    return type(value) == "number" and value or wrong(method, name, "a number", value)
end

function arguments.text(method, name, value)
    return type(value) == "string" and value or wrong(method, name, "a string", value)
end

function arguments.callable(method, value)
    local meta = type(value) ~= "function" and getmetatable(value)
    if type(value) == "function" or (type(meta) == "table" and meta.__call) then return value end
    wrong(method, "f", "a function", value)
end

--- The pointer of an object of a class; `optional` is whether there may be none.
function arguments.handle(method, name, value, class, optional)
    if optional and value == nil then return nil end
    local kind = type(value) == "table" and getmetatable(value)
    while kind and kind ~= class do kind = kind.parent end
    if not kind then wrong(method, name, "a " .. class.kind, value) end
    return border.raw(value)
end

-- ---- Of a table of options ----

--- Checks that the options, if there are any, are a table with only these names.
function arguments.known(method, options, names)
    if options == nil then return end
    if type(options) ~= "table" then wrong(method, "options", "a table", options) end
    for name in pairs(options) do
        if not (" " .. names .. " "):find(" " .. tostring(name) .. " ", 1, true) then
            wrong(method, "options", "some of " .. names:gsub(" ", ", "), name)
        end
    end
end

local function given(options, name) return options and options[name] end

-- Returns a number that is not too small. The library has negative numbers with a meaning, which Lua does not have.
function arguments.at_least(method, name, value, least, otherwise)
    if value >= least then return value end
    error(("%s: %s must be %d or more%s"):format(method, name, least, otherwise or ""), 0)
end

function arguments.limit(method, name, options, unbounded, least)
    local value = given(options, name)
    if unbounded and value == nil then return border.constants.UNBOUNDED end
    value = arguments.integer(method, name, value)
    return arguments.at_least(method, name, value, least or 1, unbounded and ", or nil")
end

function arguments.repetitions(method, name, value)
    return arguments.limit(method, name, { [name] = value }, true, 0)
end

--- Returns the seconds of a wait, or nil.
function arguments.timeout(method, value)
    return value ~= nil and arguments.at_least(method, "timeout", arguments.number(method, "timeout", value), 0) or nil
end

function arguments.enum(method, name, options, names, default)
    local value = given(options, name)
    if value == nil then value = default end
    if names[value] then return names[value] end
    local words = {}
    for word in pairs(names) do words[#words + 1] = word end
    table.sort(words)
    wrong(method, name, "one of " .. table.concat(words, ", "), value)
end

-- A policy, or "pause" with another one in a table.
local function overflow_of(method, options)
    local value = given(options, "overflow")
    if type(value) ~= "table" then return arguments.enum(method, "overflow", options, OVERFLOW, "error") end
    local first, second = value[1], value[2]
    if second == "pause" then first, second = second, first end
    if first ~= "pause" or second == "pause" or not OVERFLOW[second] or #value ~= 2 then
        wrong(method, "overflow", 'a string, or "pause" and another one in a table', value)
    end
    return OVERFLOW.pause + OVERFLOW[second]
end

--- Returns a sgk_bound with the limit of this name, or the library's default. Of what waits for a turn, there may be
-- none. No check may fail after it in the same call, because the call takes over its error.
function arguments.bound(method, name, options)
    local limit = 0
    if given(options, name) ~= nil then
        limit = arguments.limit(method, name, options, true, name == "waiting" and 0 or 1)
        if limit == 0 then limit = border.constants.UNBUFFERED end
    end
    local overflow = overflow_of(method, options)
    local counter = arguments.handle(method, "counter", given(options, "counter"), arguments.OverflowCounter, true)
    local problem = given(options, "error")
    if problem == nil then problem = method .. ": there is no room for more" end
    return ffi.new("sgk_bound", ffi.sizeof("sgk_bound"), limit, overflow, 0, counter, (values.give(problem)))
end

--- The queue of the options; otherwise none, or the main one.
function arguments.queue(method, options, none)
    local queue = given(options, "queue")
    if queue == nil then return not none and border.main or nil end
    return arguments.handle(method, "queue", queue, arguments.Queue)
end

return arguments
