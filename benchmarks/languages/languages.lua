-- A map and a filter in Lua, as described in ../python/languages.py.
local signalkit = require "signalkit"
local case, warm, count = arg[1], tonumber(arg[2]), tonumber(arg[3])

local function plus_one(n) return n + 1 end
local function is_even(n) return n % 2 == 0 end

local sum
local function add(n) sum = sum + n end

local cases = {}
function cases.range(count) signalkit.range(0, count):map(plus_one):filter(is_even):start(add) end
function cases.pipe(count)
    local pipe = signalkit.pipe()
    pipe:signal():map(plus_one):filter(is_even):start(add)
    for n = 0, count - 1 do pipe:next(n) end
    pipe:close()
end

-- Stages are closures, each of which calls the next one.
local function map(f, next) return function(value) next(f(value)) end end
local function filter(f, next) return function(value) if f(value) then next(value) end end end
function cases.peer(count)
    local first = map(plus_one, filter(is_even, add))
    for n = 0, count - 1 do first(n) end
end

-- A function of C calls a function for each value, which counts the calls.
local ffi = require "ffi"
ffi.cdef "void *lfind(const void *, const void *, size_t *, size_t, int (*)(const void *, const void *));"
function cases.call(count)
    local function counts()
        sum = sum + 1
        return 1
    end
    jit.off(counts)
    local compare = ffi.cast("int (*)(const void *, const void *)", counts)
    ffi.C.lfind(nil, nil, ffi.new("size_t[1]", count), 0, compare)
    compare:free()
end

local function run(count)
    sum = 0
    cases[case](count)
end
if warm > 0 then run(warm) end
local start = os.clock()
run(count)
print(("%.3f %d"):format((os.clock() - start) * 1e9 / count, sum))
