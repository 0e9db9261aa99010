--- Ctrl-C, which must not end a native callback by an error.
--
-- The handler of SIGINT in the program `luajit` sets a debug hook. That hook raises an error before the next
-- instruction, also in a function that C calls outside of any pcall. There the error ends the process.
--
-- Therefore this module replaces the handler. The new one sets a hook that raises the error only in functions outside
-- of this package, which are called inside a pcall. In functions of this package the hook calls `delay` instead. All of
-- them have the environment `own`, by which the hook knows them.
--
-- Lua may not run in a signal handler, so the handler and the hook are machine code. LuaJIT maps memory in the same way
-- for its native callbacks.
-- @local
local ffi = require "ffi"
jit.off(true, true)

local own = {}
for name, value in pairs(_G) do own[name] = value end
setfenv(1, own)
local interrupt = { environment = own }

ffi.cdef [[
typedef struct { unsigned long bits[16]; } signalkit_sigset;
typedef struct { void *handler; signalkit_sigset mask; int flags; void *restorer; } signalkit_sigaction;
int signalkit_set_action(int, const signalkit_sigaction *, signalkit_sigaction *) __asm__("sigaction");
void *signalkit_map(void *, size_t, int, int, int, long) __asm__("mmap");
int signalkit_protect(void *, size_t, int) __asm__("mprotect");
void signalkit_lua_sethook(void) __asm__("lua_sethook");
void signalkit_lua_rawgeti(void) __asm__("lua_rawgeti");
void signalkit_lua_call(void) __asm__("lua_call");
typedef struct { void *state, *hook, *set_hook, *raw_get, *call; intptr_t key; char code[96]; } signalkit_handler;
]]
local SIGINT, RESTARTS_ONCE = 2, bit.tobit(0x90000000) -- SA_RESTART and SA_RESETHAND, as in `luajit`
local WRITABLE, EXECUTABLE, PRIVATE_MEMORY, PAGE = 3, 5, 0x22, 4096

-- The handler calls lua_sethook(state, hook, LUA_MASKCOUNT, 1). The hook calls lua_rawgeti(L, LUA_REGISTRYINDEX, key)
-- and lua_call(L, 0, 0). That is a jump, so that an error passes no frame without unwind tables. Both read the fields
-- before `code`.
local HANDLERS, HOOKS = {
    x64 = "\x48\x8b\x3d\xc9\xff\xff\xff" -- mov rdi, [state]
        .. "\x48\x8b\x35\xca\xff\xff\xff" -- mov rsi, [hook]
        .. "\xba\x08\x00\x00\x00" -- mov edx, 8
        .. "\xb9\x01\x00\x00\x00" -- mov ecx, 1
        .. "\xff\x25\xc2\xff\xff\xff", -- jmp [set_hook]
    arm64 = "\x80\xfe\xff\x58" -- ldr x0, state
        .. "\xa1\xfe\xff\x58" -- ldr x1, hook
        .. "\x02\x01\x80\x52" -- mov w2, #8
        .. "\x23\x00\x80\x52" -- mov w3, #1
        .. "\x84\xfe\xff\x58" -- ldr x4, set_hook
        .. "\x80\x00\x1f\xd6", -- br x4
}, {
    x64 = "\x57" -- push rdi
        .. "\xbe\xf0\xd8\xff\xff" -- mov esi, -10000
        .. "\x8b\x15\xce\xff\xff\xff" -- mov edx, [key]
        .. "\xff\x15\xb8\xff\xff\xff" -- call [raw_get]
        .. "\x5f" -- pop rdi
        .. "\x31\xf6" -- xor esi, esi
        .. "\x31\xd2" -- xor edx, edx
        .. "\xff\x25\xb5\xff\xff\xff", -- jmp [call]
    arm64 = "\xe0\x7b\xbf\xa9" -- stp x0, x30, [sp, #-16]!
        .. "\xe1\xe1\x84\x12" -- mov w1, #-10000
        .. "\xc2\xfe\xff\x18" -- ldr w2, key
        .. "\x23\xfe\xff\x58" -- ldr x3, raw_get
        .. "\x60\x00\x3f\xd6" -- blr x3
        .. "\xe0\x7b\xc1\xa8" -- ldp x0, x30, [sp], #16
        .. "\x01\x00\x80\x52" -- mov w1, #0
        .. "\x02\x00\x80\x52" -- mov w2, #0
        .. "\xc3\xfd\xff\x58" -- ldr x3, call
        .. "\x60\x00\x1f\xd6", -- br x3
}

-- Returns whether the address is in the program `luajit`. A handler of another program has a meaning of its own.
local function is_of_luajit(address)
    for line in io.lines "/proc/self/maps" do
        local first, last, file = line:match "^(%x+)%-(%x+) .-([^/]*)$"
        if tonumber(first, 16) <= address and address < tonumber(last, 16) then return file:find "^luajit" ~= nil end
    end
end

-- Switches the hook off.
function interrupt.over() debug.sethook() end

-- Replaces the handler of `luajit`, if there is one. `delay()` is called before each instruction of the package's
-- functions from an interrupt on, until `over`. `raised()` is called before the error is raised.
local function replace(delay, raised)
    local action = ffi.new "signalkit_sigaction"
    ffi.C.signalkit_set_action(SIGINT, nil, action)
    if not is_of_luajit(tonumber(ffi.cast("intptr_t", action.handler))) then return end
    local registry, handler = debug.getregistry(), HANDLERS[jit.arch]
    local memory = ffi.cast("signalkit_handler *",
        ffi.C.signalkit_map(nil, PAGE, WRITABLE, PRIVATE_MEMORY, -1, 0))
    interrupt.state = coroutine.create(replace) -- any thread of the Lua state
    memory.state = ffi.cast("void *", tonumber(("%p"):format(interrupt.state)))
    memory.set_hook = ffi.cast("void *", ffi.C.signalkit_lua_sethook)
    memory.raw_get = ffi.cast("void *", ffi.C.signalkit_lua_rawgeti)
    memory.call = ffi.cast("void *", ffi.C.signalkit_lua_call)
    memory.hook = memory.code + #handler
    memory.key = #registry + 1
    registry[#registry + 1] = function()
        if getfenv(2) == own then return delay() end
        raised()
        interrupt.over()
        error("interrupted!", 2)
    end
    ffi.copy(memory.code, handler .. HOOKS[jit.arch])
    if ffi.C.signalkit_protect(memory, PAGE, EXECUTABLE) ~= 0 then return end
    action.handler, action.flags = memory.code, RESTARTS_ONCE
    ffi.C.signalkit_set_action(SIGINT, action, nil)
end

-- If the program `luajit` is another one, or hides its C functions, its own handler stays.
function interrupt.replace_handler(...) return pcall(replace, ...) end

return interrupt
