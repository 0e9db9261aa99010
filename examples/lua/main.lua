-- The scenes that every language of `examples` plays (docs/languages.md).
package.path = arg[0]:match "^(.*/)" .. "?.lua;" .. package.path
local signalkit = require "signalkit"

local function shown(name)
    return {
        next = function(value) print(name .. ": " .. value) end,
        error = function(message) print(name .. ": " .. message) end,
        completed = function() print(name .. ": end") end,
    }
end

local function halves()
    local pipe = signalkit.pipe()
    pipe:signal():filter(function(n) return n % 2 == 0 end):map(function(n) return n / 2 end):start(shown "half")
    for n = 1, 6 do pipe:next(n) end
    pipe:complete()
end

local function text() signalkit.of("grün"):map(function(word) return word .. "!" end):start(shown "text") end

local function stopped()
    local pipe = signalkit.pipe()
    local run = pipe:signal():start(shown "stopped")
    pipe:next(1)
    run:dispose()
    pipe:next(2)
end

local function own_thread()
    local function place() return signalkit.is_main() and "own thread" or "another thread" end
    signalkit.of(1, 2, 3):run_on(signalkit.queue "elsewhere"):start {
        next = function(n) print(place() .. ": " .. n) end,
        completed = function()
            print(place() .. ": end")
            signalkit.stop()
        end,
    }
    signalkit.run()
end

local function failed() signalkit.of(1):followed_by(signalkit.fail "unplugged"):start(shown "failed") end

local function thrown()
    signalkit.of(1, 2, 3, 4):map(function(n)
        if n == 3 then error("three is too many", 0) end
        return n * 10
    end):start(shown "thrown")
end

local function misuse()
    local _, message = pcall(function() signalkit.of(1):take(-1):start(shown "misuse") end)
    print("misuse: " .. message)
end

halves()
text()
stopped()
own_thread()
failed()
thrown()
misuse()
local alive = signalkit.close()
print("alive: " .. alive)
assert(alive == 0)
