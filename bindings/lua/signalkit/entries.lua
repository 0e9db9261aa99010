--- The native callbacks: one for each signature, which finds the program's function by its context.
--
-- LuaJIT's callbacks take no structs. A value has 16 bytes, and x86-64 and ARM64 pass it like two integers: its kind
-- is the lower half of the first. (A 32-bit number needs no memory in Lua, a 64-bit number does.) No callback returns
-- a value: operators that need this consist of other operators, in signal.lua.
-- @local
local ffi = require "ffi"
local border = require "signalkit.border"
local values = require "signalkit.values"
jit.off(true, true)
setfenv(1, border.environment)
local C, find, attempt, note, of_words = border.C, border.find, border.attempt, border.note, values.of_words
local constants = border.constants
local FAILED, REFUSED = constants.OUTCOME_FAILED, constants.ERROR_ARGUMENT

local shapes = border.shapes
local VALUE = ", int32_t, int64_t"

-- How an answer is returned: the type, the conversion of the answer, and the substitute after an error.
local nothing = { "void", function() end, function(receiver, problem) receiver:fail(problem) end }
local flag = {
    "bool", function(_, answer) return answer and true or false end,
    function(receiver, problem)
        receiver:fail(problem)
        return false
    end,
}
local signal = {
    "void *", function(receiver, answer)
        if answer == nil then return nil end
        if getmetatable(answer) ~= values.Signal then
            error(receiver.name .. ": the function is to return a Signal, not " .. tostring(answer), 0)
        end
        return answer:for_good()
    end,
    function(receiver, problem)
        if receiver.immediate then return receiver:fail(problem) end
        return C.sgk_signal_fail(values.give_error(problem))
    end,
}

-- How arguments are given: their types, and a call of the function with them. An object of another language is an error.
local none = { "", function(f) return f() end }
local one = { VALUE, function(f, word, bits) return f(of_words(word, bits)) end }
local two = { VALUE .. VALUE, function(f, word, bits, word2, bits2)
    local first = of_words(word, bits)
    return f(first, of_words(word2, bits2))
end }
local with_signal = { VALUE .. ", void *", function(f, word, bits, handle)
    local value = of_words(word, bits)
    return f(value, values.signal(C.sgk_retain(ffi.cast("sgk_signal *", handle))))
end }
-- If an error is unreadable, the reason replaces it.
local function error_of_words(word, bits)
    local _, problem = pcall(of_words, word, bits)
    return problem
end
local an_error = { VALUE, function(f, word, bits) return f(error_of_words(word, bits)) end }
local with_integer = { VALUE .. ", int64_t", function(f, word, bits, number)
    return f(error_of_words(word, bits), tonumber(number))
end }

local function entry(result, arguments, which)
    local finish, fail, call = result[2], result[3], arguments[2]
    which = which or "f"
    return border.native(result[1] .. " (*)(intptr_t" .. arguments[1] .. ")", function(context, ...)
        local receiver = find(context)
        if not receiver then return fail { fail = function() end } end
        local fine, answer = attempt(call, receiver[which], ...)
        if fine then fine, answer = pcall(finish, receiver, answer) end
        if fine then return answer end
        return fail(receiver, note(answer))
    end)
end

shapes.next, shapes.error = entry(nothing, one), entry(nothing, an_error)
shapes.completed, shapes.work = entry(nothing, none), entry(nothing, none)
shapes.action = shapes.completed
shapes.failing, shapes.completing = entry(nothing, an_error, "on_error"), entry(nothing, none, "on_completed")
shapes.filter, shapes.equal = entry(flag, one), entry(flag, two)
shapes.map_to_signal, shapes.reduce_generator = entry(signal, one), entry(signal, two)
shapes.pipeline, shapes.retry = entry(signal, with_signal), entry(signal, with_integer)
shapes.deferred, shapes.catch = entry(signal, none), entry(signal, an_error)

-- ---- With an answer that is stored ----

local GONE = "signalkit: a function that is gone"
local LAST, UNCHANGED, DROPPED = constants.OUTCOME_LAST, constants.OUTCOME_UNCHANGED, constants.OUTCOME_DROPPED

-- Neighbouring functions. They return an outcome and a value, or nothing if the value is dropped. A receiver that
-- `keeps` values never replaces one: then the library's own value is passed, which may be an array.
shapes.stage = border.native("void (*)(intptr_t" .. VALUE .. ", sgk_value *)", function(context, word, bits, out)
    local receiver = find(context)
    if not receiver then return values.store_error(out, GONE, FAILED) end
    local fine, outcome, value = attempt(one[2], receiver.f, word, bits)
    if not fine then return values.store_error(out, outcome, FAILED) end
    if outcome == nil then
        out.reserved = DROPPED
    elseif receiver.keeps and outcome ~= LAST then
        out.reserved = outcome == 0 and UNCHANGED or outcome
    elseif receiver.keeps then
        out[0] = C.sgk_value_retain(ffi.new("sgk_value", word, 0, bits))
        out.reserved = LAST
    else
        fine, value = pcall(values.store, out, value, outcome)
        if not fine then values.store_error(out, value, FAILED) end
    end
end)

-- Returns the context of a subscription of a stage with a state.
shapes.begin = border.native("void *(*)(intptr_t)", function(context)
    local receiver = find(context)
    return receiver and border.register(receiver.begin())
end)

-- Stores the new value, in a call that raises what the function raises.
shapes.modify = border.native("int (*)(intptr_t" .. VALUE .. ", void *)", function(context, word, bits, out)
    local receiver = find(context)
    local fine, answer = attempt(one[2], receiver.f, word, bits)
    if fine then fine, answer = pcall(values.store, out, answer) end
    if fine then return 0 end
    receiver:fail(answer)
    return REFUSED
end)

-- No value, not even nil, is the end.
shapes.iterator = border.native("bool (*)(intptr_t, void *)", function(context, out)
    local receiver = find(context)
    if not receiver then return false end
    local results
    local fine, problem = attempt(function() results = { n = 0, receiver.f() } end)
    if fine and results[1] == nil then return false end
    if fine then fine, problem = pcall(values.store, out, results[1]) end
    if not fine then values.store_error(out, problem, FAILED) end
    return fine
end)

-- Emits items in Lua. Returns whether there may be more.
shapes.emit = border.native("bool (*)(intptr_t, sgk_loop *, sgk_value *)", function(context, loop, out)
    local receiver = find(context)
    if not receiver then return false end
    local fine, more = attempt(receiver.f, loop.state, loop.stops, loop.ends)
    if fine then return more end
    values.store_error(out, more, FAILED)
    return false
end)

-- Returns a generator's result: a Disposable, a function, or nothing.
shapes.generator = border.native("void *(*)(intptr_t, void *)", function(context, handle)
    local receiver = find(context)
    if not receiver then return nil end
    local subscriber = border.subscriber(C.sgk_retain(ffi.cast("sgk_subscriber *", handle)))
    local fine, answer = attempt(receiver.f, subscriber)
    if fine then fine, answer = pcall(border.disposable_given, receiver.name, answer) end
    if fine then return answer end
    C.sgk_subscriber_error(subscriber.pointer, values.give_error(note(answer)))
    return nil
end)

return shapes
