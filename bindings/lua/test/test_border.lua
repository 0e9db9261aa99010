-- How a function can be left.
local signalkit = require "signalkit"
local check = require "check"
local S, of = signalkit, signalkit.of

local ffi = require "ffi"
local other_type = require "signalkit.values".object_type "Other"

local OPERATORS = {
    map = function(s, f) return s:map(f) end,
    filter = function(s, f) return s:filter(f) end,
    compact_map = function(s, f) return s:compact_map(f) end,
    before_next = function(s, f) return s:before_next(f) end,
    after_next = function(s, f) return s:concat_with(S.never()):after_next(f) end,
    transform = function(s, f) return s:transform(f) end,
    scan = function(s, f) return s:scan(0, f) end,
    reduce = function(s, f) return s:reduce(0, f) end,
    reduce_generator = function(s, f) return s:reduce_generator(0, f) end,
    take_while = function(s, f) return s:take_while(f) end,
    skip_while = function(s, f) return s:skip_while(f) end,
    switch_map = function(s, f) return s:switch_map(f) end,
    concat_map = function(s, f) return s:concat_map(f) end,
    exhaust_map = function(s, f) return s:exhaust_map(f) end,
    group_by = function(s, f) return s:group_by(f) end,
    key = function(s, f) return s:switch_map_per(of, { key = f }) end,
    catch = function(s, f) return s:concat_with(S.fail "x"):catch(f) end,
    map_error = function(s, f) return s:concat_with(S.fail "x"):map_error(f) end,
    retry = function(s, f) return s:concat_with(S.fail "x"):retry { decide = f } end,
    combine_latest = function(s, f) return S.combine_latest({ s, s }, f) end,
    zip = function(s, f) return S.zip({ s, s }, f) end,
    with_latest_from = function(s, f) return s:with_latest_from(of(1), f) end,
    distinct = function(s, f) return s:distinct(f) end,
    distinct_until_changed = function(s, f) return s:distinct_until_changed(f) end,
    before_started = function(s, f) return s:before_started(f) end,
    before_completed = function(s, f) return s:before_completed(f) end,
    before_error = function(s, f) return s:concat_with(S.fail "x"):before_error(f) end,
    deferred = function(_, f) return S.deferred(f) end,
    create = function(_, f) return S.create(f) end,
    iterate = function(_, f) return S.iterate(f) end,
    using = function(_, f) return S.using(f, of, print) end,
    loop = function(_, f) return S.accumulating_loop(f, print) end,
}

-- Returns the errors without a receiver during the call of a function.
local function unheard(f)
    local heard = {}
    S.on_unheard(function(where, problem) heard[#heard + 1] = { where, problem } end)
    local fine, problem = pcall(f)
    S.drain_main()
    S.on_unheard(nil)
    if not fine then error(problem, 0) end
    return heard
end

return function()
    local tests = {}

    for name, make in pairs(OPERATORS) do
        tests["what_" .. name .. "_raises_is_the_error_the_same_object"] = function()
            local problem = { name }
            local events = check.record(make(of(1, 2), function() error(problem) end))
            check.is(problem, events.problem)
            check.same({ "error", problem }, events[#events])
            events.run:dispose()
        end
        tests["what_" .. name .. "_raises_need_not_be_a_string"] = function()
            for _, problem in ipairs { false, 42, print, of(1) } do
                local run = make(of(1, 2), function() error(problem, 0) end):start { error = function(got)
                    check.same(tostring(problem), tostring(got))
                    problem = "seen"
                end }
                check.same("seen", problem)
                run:dispose()
            end
            local closed = of(1)
            closed:close()
            for text, wrong in pairs { ["a function raised nil"] = {}, ["Signal: used after it was closed"] = { closed } } do
                local events = check.record(make(of(1, 2), function() error(wrong[1]) end))
                assert(events.problem:find(text), events.problem)
                events.run:dispose()
            end
        end
        tests[name .. "_left_by_yield_ends_the_run"] = function()
            local events
            coroutine.wrap(function()
                events = check.record(make(of(1, 2), function() coroutine.yield(1) end))
            end)()
            assert(events.problem:find "attempt to yield across C%-call boundary$", events.problem)
            events.run:dispose()
        end
    end

    function tests.a_subscriber_that_raises_ends_its_run_alone()
        local pipe, others, failed = S.pipe(), {}, nil
        pipe:signal():start { next = function() error("once", 0) end, error = function(e) failed = e end }
        local run = pipe:signal():start(function(value) others[#others + 1] = value end)
        pipe:next(1)
        pipe:next(2)
        check.same("once", failed)
        check.same({ 1, 2 }, others)
        run:dispose()
    end

    function tests.what_has_nobody_to_be_told_goes_to_the_log()
        local function raise() error("boom", 0) end
        local heard = unheard(function() S.fail("x"):start { error = raise } end)
        check.same({ { "start", "boom" } }, heard)
        check.same({ { "start", "x" } }, unheard(function() S.fail("x"):start() end))
        heard = unheard(function() of(1):after_completed(raise):after_disposed(raise):start() end)
        check.same({ { "after_completed", "boom" }, { "after_disposed", "boom" } }, heard)
        check.same({ { "async", "boom" } }, unheard(function() S.main_queue():async(raise) end))
    end

    function tests.an_error_without_a_text_goes_to_the_log()
        local silent = setmetatable({}, { __tostring = function() error "no text" end })
        check.is(silent, unheard(function() S.fail(silent):start() end)[1][2])
        local stderr, written = io.stderr, {}
        io.stderr = { write = function(_, ...) written[#written + 1] = table.concat { ... } end }
        local fine, problem = pcall(function() S.fail(silent):start() end)
        io.stderr = stderr
        assert(fine, problem)
        check.same({ "signalkit: start: table\n" }, written)
    end

    function tests.a_disposal_inside_queue_work_calls_its_functions()
        for _, queue in ipairs { S.main_queue(), S.virtual_queue(), S.queue() } do
            local events = {}
            local function add(event) return function() events[#events + 1] = event end end
            local run = S.create(function() return add "stop" end):start()
            local action = S.action(add "action")
            queue:dispatch(function()
                run:dispose()
                action:dispose()
                add "end"()
            end)
            if queue.run then queue:run() end
            check.eventually(function() return #events == 3 end)
            check.same({ "end", "stop", "action" }, events)
        end
    end

    function tests.what_is_called_before_the_call_returns_raises_there()
        local state, problem = S.state(1), {}
        check.is(problem, check.raises(nil, state.modify, state, function() error(problem) end))
        check.same(1, state:value())
    end

    function tests.a_wrong_type_names_operator_argument_and_value()
        check.raises('take: count: expected an integer, got "three"', function() of(1):take "three" end)
        check.raises("child: pid: expected an integer of 32 bits", function() S.child(2 ^ 32 + 1, {}) end)
        check.raises("thread_pool: threads: expected an integer of 32 bits", function() S.thread_pool(2 ^ 32 + 1) end)
        check.raises("map: f: expected a function, got nil", function() of(1):map() end)
        check.raises("scan: f: expected a function, got 3", function() of(1):scan(0, 3) end)
        check.raises("concat_with: next: expected a Signal, got 3", function() of(1):concat_with(3) end)
        check.raises("zip: signals[2]: expected a Signal, got 3", function() S.zip { of(1), 3 } end)
        local events = check.record(of(1):switch_map(function() return 5 end))
        check.same("switch_map: the function is to return a Signal, not 5", events.problem)
        check.raises("take: count: must be 0 or more", function() of(1):take(-1) end)
        -- These texts name nothing of C.
        local function refused(wanted, f, ...)
            local _, problem = pcall(f, ...)
            assert(problem:sub(1, #wanted) == wanted and not problem:lower():find("sgk", 1, true), problem)
        end
        local signal, held = of(1), S.action(print)
        refused("to_array: bound.overflow: must not suspend", signal.to_array, signal, { overflow = "suspend" })
        refused("zip: bound.overflow: must not suspend", S.zip, { signal }, print, { overflow = "suspend" })
        refused("to_array: bound.overflow: must not pause", signal.to_array, signal, { overflow = "pause" })
        refused("dispose_and_wait: disposable: must be a subscription that was started as waitable",
            held.dispose_and_wait, held)
        refused("hold: subscription: must be a subscription", held.hold, held)
        refused("concurrent: threads: must be from 1 to 1024", S.concurrent_queue, "test", 0)
        check.raises("zip: limit must be 1 or more, or nil", function() S.zip({ of(1) }, nil, { limit = 0 }) end)
    end

    function tests.flags_have_names()
        check.same(3, S.FD_READ + S.FD_WRITE)
        check.same(256, S.FILE_CREATED)
        for _, wrong in ipairs { 0, 4, 5, -1 } do
            check.raises("fd: events must consist of FD_READ, FD_WRITE", S.fd, 0, wrong)
        end
        check.raises("file_changes: mask must consist of FILE_ATTRIBUTES, ", S.file_changes, "/", 2 ^ 30)
        check.raises("file_changes: mask must consist of FILE_ATTRIBUTES, ", S.file_changes, "/", 16)
    end

    -- In C, negative numbers mean that there is no limit, and 0 in a policy is a default.
    function tests.numbers_with_a_meaning_in_c_only_are_refused()
        local function inner() return of(1) end
        local function refused(text, f, ...)
            check.same(text, check.raises(nil, f, ...))
        end
        local limited = {
            merge_map = function(options) of(1):merge_map(inner, options) end,
            map_ordered = function(options) of(1):map_ordered(inner, options) end,
            merge_all = function(options) of(1):merge_all(options) end,
            merge_all_ordered = function(options) of(1):merge_all_ordered(options) end,
        }
        local bounded = {
            zip = function(options) S.zip({ of(1) }, nil, options) end,
            to_array = function(options) of(1):to_array(options) end,
            distinct = function(options) of(1):distinct(nil, options) end,
            delay = function(options) of(1):delay(1, options) end,
            deliver_on_bounded = function(options) of(1):deliver_on_bounded(options) end,
            group_by = function(options) of(1):group_by(inner, options) end,
            switch_map_per = function(options) of(1):switch_map_per(inner, options) end,
            read = function(options) of(1):read(options) end,
        }
        local reader = of(1):read()
        for _, number in ipairs { -1, -2, -9 } do
            for name, call in pairs(limited) do
                refused(name .. ": limit must be 1 or more, or nil", call, { limit = number })
                refused(name .. ": limit must be 1 or more, or nil", call, { limit = 0 })
                refused(name .. ": waiting must be 0 or more, or nil", call, { waiting = number })
            end
            for name, call in pairs(bounded) do
                refused(name .. ": limit must be 1 or more, or nil", call, { limit = number })
            end
            refused("rate_limit: waiting must be 0 or more, or nil", of(1).rate_limit, of(1), 1, 1, { waiting = number })
            refused("repeated: count must be 0 or more, or nil", of(1).repeated, of(1), number)
            refused("chunked_by: limit must be 1 or more", of(1).chunked_by, of(1), of(1), { limit = number })
            for name, least in pairs { attempts = 0, delay = 0, factor = 1, increment = 0, jitter = 0, reset_after = 0 } do
                refused(("retry: %s must be %d or more"):format(name, least), of(1).retry, of(1), { [name] = number })
            end
            refused("get: timeout must be 0 or more", of(1).get, of(1), number)
            refused("collect: timeout must be 0 or more", of(1).collect, of(1), number)
            refused("next: timeout must be 0 or more", reader.next, reader, number)
        end
        reader:close()
        refused("retry: factor must be 1 or more", of(1).retry, of(1), { factor = 0 })
        refused("retry: max_delay must be more than 0", of(1).retry, of(1), { max_delay = 0 })
        refused("retry: jitter must be from 0 to 1", of(1).retry, of(1), { jitter = 1.5 })
        check.same(1, of(1):merge_map(inner, { waiting = 0 }):get())
        check.same(1, of(1):repeated():get())
    end

    function tests.an_option_that_there_is_not_is_raised()
        check.raises("take_until: boundary: expected a Signal", function() of(1):take_until { queue = 1 } end)
        check.raises("zip: options: expected some of limit, overflow, error, counter, got \"limits\"",
            function() S.zip({ of(1) }, nil, { limits = 1 }) end)
        check.raises("start: options: expected some of next, error, completed, waitable, got \"nxt\"",
            function() of(1):start { nxt = print } end)
        check.raises("timer: options: expected a table, got 3", function() S.timer(1, 3) end)
    end

    -- An object is never released if a value with it is not released.
    function tests.what_a_call_that_is_refused_was_given_is_let_go()
        local gone = setmetatable({}, { __mode = "k" })
        local function thing()
            local made = setmetatable({}, { __index = "thing" })
            gone[made] = true
            return made
        end
        local closed = of(1)
        closed:close()
        for _, call in ipairs {
            function() of(1):read { error = thing(), counter = 3 } end,
            function() S.zip({ of(1) }, nil, { error = thing(), counter = 3 }) end,
            function() S.zip({ of(1) }, nil, { error = thing(), limit = 0 }) end,
            function() of(thing(), closed) end,
        } do
            check.raises(nil, call)
        end
        assert(next(gone))
        S.drain_main()
        collectgarbage()
        collectgarbage()
        assert(not next(gone))
    end

    function tests.the_log_comes_home()
        local lines = {}
        -- the line of a trace without its time, its thread and its numbers
        S.on_log(function(line) lines[#lines + 1] = (line:gsub("^%d+%.%d+ %[%d+%] ", ""):gsub("#%d+", "")) end)
        of(1):trace("here"):start()
        check.same({ "here started", "here next 1", "here completed", "here disposed" }, lines)
        lines = {}
        local queue = S.queue()
        S.action(print):strict() -- whose line is there when it goes
        of(1):run_on(queue):trace("away"):start()
        local function is_there(text)
            for _, line in ipairs(lines) do if line:find(text) then return true end end
        end
        check.eventually(function() return is_there "^away disposed$" end)
        collectgarbage() -- at the latest: a collector that never rests may have done so before
        collectgarbage()
        check.eventually(function() return is_there "test_border.lua:%d+: strict disposable released without dispose" end)
        check.same({ { "on_log", "boom" } }, unheard(function()
            S.on_log(function() error("boom", 0) end)
            S.main_queue():async(function() S.action(print):strict():release() end)
        end))
        S.on_log(nil)
    end

    function tests.an_error_of_the_library_has_a_code_and_a_cause()
        local problem
        local clock = S.virtual_queue()
        local run = S.never():timeout(1, { queue = clock }):start { error = function(e) problem = e end }
        clock:advance(1)
        run:release()
        check.same({ -8, "timeout: timed out" }, { problem.code, problem.text })
        check.same("timeout: timed out", tostring(problem))
        local border, values = require "signalkit.border", require "signalkit.values"
        local C = border.C
        local inner = C.sgk_error_from(7, "inner", values.give(nil))
        inner.reserved = border.constants.GIVEN
        local outer = values.taken(C.sgk_error_from(404, "outer", inner))
        check.same({ 404, "outer", 7, "inner" }, { outer.code, outer.text, outer.cause.code, outer.cause.text })
        check.same(nil, outer.cause.cause)
    end

    function tests.an_object_of_another_type_is_an_error()
        local border, values = require "signalkit.border", require "signalkit.values"
        local C = border.C
        local function foreign()
            local value = C.sgk_object(ffi.cast("void *", 5), other_type)
            value.reserved = border.constants.GIVEN
            return value
        end
        local function wrong(problem)
            local text = "value: must be an object of the type Lua, not Other"
            check.same({ -5, text }, { problem.code, problem.text })
        end
        local signal = values.signal(C.sgk_signal_just(foreign()))
        wrong(select(2, pcall(signal.get, signal)))
        wrong(select(2, pcall(signal.collect, signal)))
        local caught = {}
        local function note(problem)
            caught[#caught + 1] = problem
            return of(1)
        end
        signal:map(function() error "not called" end):start { error = note }
        signal:start { next = function() error "not called" end, error = note }
        signal:switch_map(function() error "not called" end):start { error = note }
        local fails = values.signal(C.sgk_signal_fail(foreign()))
        fails:start { error = note }
        fails:catch(note):get()
        fails:retry({ decide = note, attempts = 2 }):start { error = function() end }
        fails:before_error(note):start { error = function() end }
        check.eventually(function() return #caught == 7 end)
        for _, problem in ipairs(caught) do wrong(problem) end
        local made = values.taken(C.sgk_error_from(3, "outer", foreign()))
        check.same("outer", made.text)
        wrong(made.cause)
    end

    function tests.calls_too_deep_inside_of_each_other_are_an_error()
        local events = {}
        local function deeper(n) return of(n):map(function(m) return deeper(m + 1):get() end) end
        deeper(1):start { error = function(e) events.problem = e end }
        check.same("signalkit: too many calls inside of each other", events.problem)
    end

    function tests.ctrl_c_inside_of_a_function_is_raised_by_the_outermost_call()
        local pipe, failed = S.pipe(), nil
        pipe:signal():start {
            next = function() error("main.lua:1: interrupted!", 0) end, -- as luajit's hook does
            error = function(e) failed = e end,
        }
        check.raises("interrupted!", function() pipe:next(1) end)
        assert(failed:find "interrupted!")
        pipe:next(2)
    end

    return tests
end
