-- Whole programs: how they end.
local check = require "check"

return function(here)
    local tests = {}

    -- Runs a program that has the module as S, and returns its exit status (124: it did not end) and its output.
    local function run(program, seconds)
        local name = os.tmpname()
        local file = assert(io.open(name, "w"))
        file:write(("package.path = %q\nlocal S = require 'signalkit'\n"):format(package.path), program)
        file:close()
        local pipe = io.popen("timeout " .. (seconds or 60) .. " luajit " .. name .. " 2>&1; echo status $?")
        local output = pipe:read "*a"
        pipe:close()
        os.remove(name)
        return tonumber(output:match "status (%d+)\n$"), (output:gsub("status %d+\n$", ""))
    end

    local function ends(status, output, program)
        local got, printed = run(program)
        check.same(output .. "status " .. status, printed .. "status " .. got)
    end

    function tests.with_runs_alive()
        ends(0, "", [[kept = S.interval(0.0001, { queue = S.queue() }):map(tostring):start()
            other = S.interval(0.0001):start()
            S.timer(0.01):start(S.stop) S.run()]])
    end

    function tests.by_exit_in_a_function()
        ends(7, "", "S.of(1):start(function() os.exit(7) end)")
        ends(7, "", "S.interval(0.001, { queue = S.queue() }):start(function() os.exit(7, true) end) S.run()")
    end

    function tests.with_work_that_waits()
        ends(0, "", "S.queue():after(0.01, print) S.new_timer(9, print):start() kept = S.of({}):get()")
    end

    function tests.after_close_of_everything_by_the_collector()
        ends(0, "ok\n", [[
            local pipe = S.pipe()
            run = pipe:signal():map(function(n) return { n, pipe } end):start(function(t) kept = t end)
            pipe:next(1)
            error_value = S.fail({ run }):start { error = function(e) caught = e end }
            print "ok"]])
    end

    function tests.without_the_library()
        local pipe = io.popen(("LUA_PATH=%q SIGNALKIT_LIBRARY=/nowhere luajit -e 'require \"signalkit\"' 2>&1"):format(package.path))
        local printed = pipe:read "*a"
        pipe:close()
        assert(printed:find("signalkit: install the library, or set SIGNALKIT_LIBRARY to its path: /nowhere", 1, true), printed)
    end

    function tests.by_an_error_of_the_main_program()
        local status = run "S.interval(0.001):start(function() end) error 'out'"
        check.same(1, status)
    end

    -- A program that an interrupt ends. It prints the error, and calls the module again.
    local function interrupted(body)
        return ([[
            local fine, problem = pcall(function()
                interrupter = io.popen "sleep %.4f; kill -INT $PPID"
                %s
            end)
            if run then run:close() end
            print(fine, tostring(problem):match "interrupted!$")
            io.write(S.of(0):map(function(n) return n + 1 end):get(), "\t")
            require "check".nothing_alive()
            print(S.live_total())]]):format(math.random() / 100, body)
    end

    -- An interrupt arrives in the program's code, in the module's, or in the library's.
    function tests.an_interrupt_is_an_error_at_any_moment()
        local endless = {
            "jit.off() while true do end",
            "S.iterate(function() return 1 end):map(function(n) return n end):filter(function() return false end):start()",
            "S.iterate(function() return 1 end):skip(0):map(function(n) return n end):start()",
            "S.iterate(os.clock):skip(0):map(math.abs):start()",
            "S.range(1, 2 ^ 52):map(math.abs):start()",
            "local pipe = S.pipe() pipe:signal():get()",
            "run = S.interval(0.00001):start(function() end) S.run()",
            "local pipe = S.pipe() pipe:signal():start { next = print, error = function() end } "
                .. "while true do pipe:error(0) pipe = S.pipe() end",
            -- The call inside the endless one raises the interrupt, too.
            "local pipe = S.pipe() pipe:signal():filter(function() return false end):start { error = function() end } "
                .. "S.iterate(function() return 1 end):skip(0):start(function() pipe:next(1) end)",
            "while true do S.of(1, 2):switch_map(function(n) return S.of(n) end):reduce(0, math.max):collect() end",
        }
        for _, body in ipairs(endless) do
            for _ = 1, 3 do
                -- LuaJIT loses an interrupt at the end of a finalizer: then the program does not end.
                local program, tries, status, printed = interrupted(body), 0
                repeat
                    tries, status, printed = tries + 1, run(program, 20)
                until status ~= 124 or tries == 3
                local wanted = body .. " false\tinterrupted!\n1\t0\nstatus 0"
                check.same(wanted, ("%s %sstatus %d"):format(body, printed, status))
            end
        end
    end

    function tests.that_are_compiled_call_as_well()
        ends(0, "300000\n", [[
            local pipe, sum = S.pipe(), 0
            pipe:signal():map(function(n) return n + 1 end):start(function(n) sum = sum + n end)
            for i = 1, 100000 do pipe:next(2) end
            print(sum)]])
    end

    -- The program of the README, as it is printed there.
    function tests.of_the_readme()
        local file = assert(io.open(here .. "../README.md"))
        local text = file:read "*a"
        file:close()
        local count = 0
        for program in text:gmatch "```lua\n(.-)```" do
            count = count + 1
            local wanted = {}
            for line in program:gmatch "%-%-> ([^\n]*)" do wanted[#wanted + 1] = line .. "\n" end
            ends(0, table.concat(wanted), program)
        end
        assert(count > 0)
    end

    return tests
end
