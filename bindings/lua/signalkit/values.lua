--- Conversion between Lua values and values of the library.
--
-- nil, booleans, numbers and strings are converted. A number without a fraction and with at most 53 bits becomes an
-- int, except -0. For any other object, the value is a reference that retains it.
-- @local
local ffi = require "ffi"
local border = require "signalkit.border"
jit.off(true, true)
setfenv(1, border.environment)
local C, constants = border.C, border.constants

local values = {}
local EXACT = 2 ^ 53
local exact, int64, uint64 = ffi.new("int64_t", EXACT), ffi.typeof "int64_t", ffi.typeof "uint64_t"

-- The functions for objects. The first is called when an object's last value is released. Objects are equal if they are
-- identical.
ffi.cdef "void *calloc(size_t, size_t);"

-- Returns a type of objects. It is never freed, because values keep its address.
function values.object_type(name)
    local made = ffi.cast("sgk_object_type *", ffi.C.calloc(1, ffi.sizeof "sgk_object_type" + #name + 1))
    made.size, made.name = ffi.sizeof "sgk_object_type", ffi.cast("const char *", made + 1)
    ffi.copy(ffi.cast("char *", made + 1), name)
    return made
end

local type_of_objects = values.object_type "Lua"
type_of_objects.release = border.destroy

-- A list that travels as an array of the library's.
local Items = {}
Items.__index = Items

function values.items(list)
    if type(list) ~= "table" then error("expected a list, got " .. tostring(list), 0) end
    return setmetatable({ list = list, count = list.n or #list }, Items)
end

--- Returns the result of `call(places, count)` for a list of borrowed values.
function values.lending(list, count, call)
    local places = ffi.new("sgk_value[?]", math.max(count, 1)) -- null, until they are more
    local fine, made = pcall(function()
        for index = 1, count do values.store(places + (index - 1), list[index]) end
        return call(places, count)
    end)
    for index = 1, count do C.sgk_value_release(places[index - 1]) end
    if fine then return made end
    error(made, 0)
end

local as_double = ffi.new "union { int64_t bits; double number; }" -- nothing is allocated between its two uses

local function int(number) return ffi.new("sgk_value", constants.INT, 0, ffi.cast(int64, number)) end

local function double(number)
    as_double.number = number
    return ffi.new("sgk_value", constants.DOUBLE, 0, as_double.bits)
end

-- A value that is the caller's.
local function own(value)
    local kind = type(value)
    if kind == "number" then
        if value % 1 == 0 and value <= EXACT and value >= -EXACT and (value ~= 0 or 1 / value > 0) then
            return int(value)
        end -- an int has no -0
        return double(value)
    elseif kind == "string" then return C.sgk_string_n(value, #value)
    elseif kind == "boolean" then return ffi.new("sgk_value", constants.BOOL, 0, value and 1 or 0)
    elseif kind == "nil" then return ffi.new "sgk_value"
    elseif kind == "table" then
        if getmetatable(value) == Items then return values.lending(value.list, value.count, C.sgk_array) end
        if getmetatable(value) == values.Signal then
            local signal = value:for_good()
            local made = C.sgk_signal_value(signal)
            C.sgk_release(signal)
            return made
        end
    elseif kind == "cdata" then
        if ffi.istype(int64, value) or (ffi.istype(uint64, value) and value < 2ULL ^ 63) then
            return int(value)
        end
    end
    return C.sgk_object(border.object_pointer(value), type_of_objects)
end

--- For the call of a function that takes it over.
function values.give(value)
    local made = own(value)
    if made.kind >= constants.STRING then made.reserved = constants.GIVEN end
    return made
end

--- Into a place of the library's.
function values.store(place, value, outcome)
    local made = own(value)
    made.reserved = outcome or 0
    ffi.cast("sgk_value *", place)[0] = made
end

--- Like give and store, for an error of a function. If it cannot be a value (a closed signal), the reason replaces it.
function values.give_error(problem)
    local fine, made = pcall(values.give, problem)
    return fine and made or values.give(made)
end

function values.store_error(place, problem, outcome)
    local fine, reason = pcall(values.store, place, problem, outcome)
    if not fine then values.store(place, reason, outcome) end
end

--- Returns a value as it would be after its way through the library.
function values.passed(value)
    local kind = type(value)
    if kind == "table" then kind = getmetatable(value) end
    if kind ~= Items and kind ~= values.Signal and kind ~= "cdata" then return value end
    return values.taken(own(value))
end

-- A finalizer may call functions at each allocation, so each of these has its own places.
local size = ffi.typeof "size_t[1]"
local words = ffi.typeof "uint64_t[2]"

-- An error of the library or of another language: `code`, `text` and `cause`. tostring returns the text.
local Failure = { __tostring = function(self) return self.text end }
Failure.__index = Failure
values.Failure = Failure

-- Returns the Lua value of a borrowed value at a place.
local function decode(place)
    local value = place[0]
    local kind = value.kind
    if kind == constants.INT then
        local number = ffi.cast(int64, value.bits)
        return number <= exact and number >= -exact and tonumber(number) or number
    elseif kind == constants.STRING or kind == constants.BYTES then
        local length = size()
        local data = C.sgk_value_data(value, length)
        return ffi.string(data, length[0])
    elseif kind == constants.DOUBLE then
        as_double.bits = ffi.cast(int64, value.bits)
        return as_double.number
    elseif kind == constants.NULL then return nil
    elseif kind == constants.BOOL then return value.bits ~= 0
    elseif kind == constants.OBJECT then
        local object, ours = border.object(C.sgk_to_object(value, type_of_objects))
        if ours then return object end
        error(setmetatable({ code = constants.ERROR_KIND, text = border.text(C.sgk_last_error()) }, Failure), 0)
    elseif kind == constants.ARRAY then
        local length = size()
        local items = C.sgk_array_items(value, length)
        local list = { n = tonumber(length[0]) }
        for index = 1, list.n do list[index] = decode(items + (index - 1)) end
        return list
    elseif kind == constants.SIGNAL then return values.signal(C.sgk_to_signal(value))
    elseif kind == constants.FAILURE then
        local place = ffi.new("sgk_value[1]", { C.sgk_error_cause(value) })
        local _, cause = pcall(decode, place)
        return setmetatable({
            code = C.sgk_error_code(value), text = border.text(C.sgk_error_text(value)), cause = cause,
        }, Failure)
    end
    return ffi.cast("void *", kind == constants.POINTER and ffi.cast("uintptr_t", value.bits) or 0)
end

values.decode = decode

local pointer_to_value, INT, DOUBLE = ffi.typeof "sgk_value *", constants.INT, constants.DOUBLE

--- Of a kind and 64 bits, as a callback gets them.
function values.of_words(kind, bits)
    if kind == INT then
        local number = tonumber(bits)
        if number < EXACT and number > -EXACT then return number end
    elseif kind == DOUBLE then
        as_double.bits = bits
        return as_double.number
    end
    local place = words(kind, bits) -- alive until the end
    local object = decode(ffi.cast(pointer_to_value, place))
    return object
end

--- Of a value that is the caller's to release.
function values.taken(value)
    local place = ffi.new("sgk_value[1]", { value })
    local fine, object = pcall(decode, place)
    C.sgk_value_release(value)
    if not fine then error(object, 0) end
    return object
end

return values
