--- References to objects of the library. The collector releases one with its Lua object, `close` and `release`
-- immediately.
-- @local
local ffi = require "ffi"
local border = require "signalkit.border"
jit.off(true, true)
setfenv(1, border.environment)
local C = border.C

local handle = {}

local Handle = { kind = "Handle" }
Handle.__index = Handle

--- Ends the object, if it can be ended, and releases it. A Disposable is disposed, a Pipe completed, a Reader closed. A
-- second call does nothing. Any other use afterwards is an error.
function Handle:close() self:release() end

--- Releases the object without ending it: a subscription continues. A second call does nothing. Any other use afterwards
-- is an error.
function Handle:release()
    local fused = self.fused
    if fused and not fused.pointer then
        fused.is_closed = true
        return
    end
    local pointer = border.pointer(self)
    self.pointer = nil -- signals that are made of it need the functions that it holds
    if pointer then border.release(pointer) end
    border.settle()
end

--- Returns whether it was closed or released.
function Handle:closed()
    local fused = self.fused
    if fused and not fused.pointer then return fused.is_closed or false end
    return not border.pointer(self)
end

-- Keeps what its functions need, which the library knows by their numbers alone.
function Handle:keep(...)
    for index = 1, select("#", ...) do
        local thing = select(index, ...)
        if thing and (thing.held or not thing.kind) then
            self.held = self.held or {}
            self.held[#self.held + 1] = thing
        end
    end
    return self
end

local function described(object) return object.kind .. (border.pointer(object) and "" or " (closed)") end

--- A class of objects of the library's.
function handle.class(kind, parent)
    parent = parent or Handle
    local class = setmetatable({ kind = kind, parent = parent, __tostring = described }, { __index = parent })
    class.__index = class
    return class
end

--- The object of a reference that is the caller's, or the reason why there is none.
function handle.own(class, pointer)
    local made = pointer ~= nil and setmetatable({ pointer = ffi.gc(pointer, C.sgk_release) }, class)
    border.settle()
    return made or border.refused()
end

--- Calls the library with a function: `call(entry, context, destroy)`. From the call on the context is its own.
function handle.registered(receiver, shape, kept, call)
    local context = border.register(receiver, kept)
    local entry = shape == "call" and border.call or border.shapes[shape]
    local fine, answer = pcall(call, entry, context, border.destroy)
    if fine then return answer end
    border.forget(context)
    error(answer, 0)
end

return handle
