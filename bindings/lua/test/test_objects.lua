-- Tests of values, handles, queues, readers, pipes and promises.
local signalkit = require "signalkit"
local check = require "check"
local S, of = signalkit, signalkit.of
local border = require "signalkit.border"
local ffi = require "ffi"

return function()
    local tests = {}

    function tests.values_come_out_as_they_went_in()
        local thing, f = { "thing" }, function() end
        local big = 2LL ^ 62
        for _, value in ipairs { 1, -1, 0.5, 2 ^ 53, 1e300, "grün", "a\0b", "\255", true, false, thing, f, io.stdout } do
            check.is(value, of(value):get())
            check.is(value, of(value):map(function(same) return same end):get())
        end
        check.same("-inf", tostring(1 / of(-0.0):map(function(zero) return zero end):get()))
        check.same("inf", tostring(1 / of(0):get()))
        check.same(nil, of(nil):get())
        assert(of(big):get() == big)
        check.same({ 1, nil, 3, n = 3 }, of(1, nil, 3):collect())
        check.same(of(of(7)):get():get(), 7)
        assert(ffi.istype("int64_t", of(big):get()))
    end

    function tests.a_function_may_return_what_it_receives()
        local pipe, thing = S.pipe(), { "thing" }
        local last = pipe:signal():map(function(same) return same end):scan(nil, function(_, value) return value end)
        local pairs = S.combine_latest { last, of "fixed" }
        local events = check.record(S.combine_latest({ pairs }):map(function(list) return list[1] end):map(function(list)
            return list[1]
        end))
        for _, value in ipairs { "text", thing, 7 } do pipe:next(value) end
        check.same(3, #events)
        check.is("text", events[1])
        check.is(thing, events[2])
        check.same(7, events[3])
        events.run:dispose()
        local taken = check.record(of("a", "b"):map(function(text) return text end):filter(function() return true end):take(1))
        check.same({ "a", "end" }, taken)
    end

    -- A subscription takes the items of a source in Lua without the library, if only functions follow.
    function tests.items_that_stay_in_lua()
        local function both_ways(wanted, make)
            for _, signal in ipairs { make(), make():skip(0) } do
                local events = check.record(signal)
                check.eventually(function() return #events >= #wanted end)
                check.same(wanted, events)
            end
        end
        local sources = {
            function() return S.range(1, 5) end, function() return of(1, 2, 3, 4, 5) end,
            function()
                local n = 0
                return S.iterate(function()
                    n = n + 1
                    if n <= 5 then return n end
                end)
            end,
        }
        for _, source in ipairs(sources) do
            both_ways({ 1, 2, 3, 4, 5, "end" }, source)
            both_ways({ 4, 6, 8, 10, "end" }, function()
                return source():map(function(n) return n * 2 end):filter(function(n) return n > 2 end)
            end)
            both_ways({ 1, 3, "end" }, function()
                return source():scan(0, function(sum, n) return sum + n end):take(2)
            end)
            both_ways({ 2, "end" }, function()
                return source():skip_while(function(n) return n < 2 end):take_while(function(n) return n < 3 end)
            end)
            both_ways({ 1, { "error", "large" } }, function()
                return source():map(function(n) return n < 2 and n or error("large", 0) end)
            end)
        end
        local list = { 1, nil, 3, n = 3 }
        local items = S.from(list):map(function(n) return n end)
        list[1] = 7 -- too late
        for _ = 1, 2 do check.same({ 1, "nil", 3, "end" }, check.record(items)) end
        local count = 0
        local long = check.record(S.range(0, 2500):before_next(function() count = count + 1 end):filter(function(n)
            return n > 2497
        end))
        check.same({ 2498, 2499, "end" }, long)
        check.same(2500, count)
        check.same({ "9.007199254741e+15", "9007199254740993LL", "end" }, check.record(S.range(2 ^ 53, 2):map(tostring)))
    end

    -- A start outside of the work of the main queue continues on the main thread.
    function tests.a_pause_ends_on_the_main_thread()
        local n, strange, seen = 0, 0, {}
        local numbers = S.iterate(function()
            n = n + 1
            if not S.is_main() then strange = strange + 1 end
            if n <= 20 then return n end
        end)
        numbers:map(function(value) return value end)
            :deliver_on_bounded { queue = S.queue(), limit = 2, overflow = "pause" }
            :start(function(value) seen[#seen + 1] = value end)
        check.eventually(function() return #seen == 20 end)
        check.same(0, strange)
    end

    function tests.a_sink_writes_strings()
        ffi.cdef "int pipe(int *); int close(int);"
        local ends, queue = ffi.new "int[2]", S.queue()
        assert(ffi.C.pipe(ends) == 0)
        local sink = of("grün ", "\0\255", "", "\n"):sink_fd(ends[1],
            { limit = 1, overflow = "pause", closes = true, queue = queue })
        check.same({}, sink:collect())
        check.same("grün \0\255\n", table.concat(S.fd_bytes(ends[0], 99, { queue = queue }):collect()))
        ffi.C.close(ends[0])
    end

    function tests.a_signal_shows_its_pipeline_and_a_run_its_state()
        local pipe = S.pipe()
        local signal = pipe:signal():take(2):named "cpu"
        check.same('named "cpu"\n  take 2\n    pipe', tostring(signal))
        local ended, disposed = signal:start(print), signal:start(print)
        check.same("Disposable (running)", tostring(ended))
        disposed:dispose()
        pipe:complete()
        check.same("Disposable (ended)", tostring(ended))
        check.same("Disposable (disposed)", tostring(disposed))
        signal:close()
        check.same("Signal (closed)", tostring(signal))
    end

    function tests.an_object_is_kept_as_long_as_a_value_of_it()
        local gone = setmetatable({}, { __mode = "k" })
        local state = S.state(setmetatable({}, { __index = "thing" }))
        gone[state:value()] = true
        collectgarbage()
        collectgarbage()
        assert(next(gone))
        state:close()
        S.drain_main()
        collectgarbage()
        collectgarbage()
        assert(not next(gone))
    end

    function tests.a_signal_that_its_own_function_sees_goes()
        local signal
        signal = of(1):map(function() return signal and 1 end):scan(0, function() return signal and 1 end)
        signal:start()
    end

    function tests.a_second_close_is_fine_and_any_use_afterwards_an_error()
        for _, object in ipairs {
            of(1), S.pipe(), S.state(1), S.promise(1), S.queue(), S.virtual_queue(), S.thread_pool(1), S.multicast(),
            S.multicast_signal_manager(), S.sequencer(), S.overflow_counter(), S.event_emitter(), S.link_bag(),
            S.disposable_bag(), S.disposable_dict(), S.disposable_slot(), of(1):read(), S.new_timer(1, print),
            of(1):start(),
        } do
            object:close()
            object:close()
            assert(object:closed())
            assert(tostring(object):find "closed")
            for name, method in pairs(getmetatable(object)) do
                if type(method) == "function" and not name:find "^__" and name ~= "close" and name ~= "dispose" then
                    check.raises(nil, method, object, "x", function() end)
                    check.raises(nil, method, object, function() end)
                end
            end
        end
        check.raises("Pipe: used after it was closed", function()
            local pipe = S.pipe()
            pipe:close()
            pipe:next(1)
        end)
    end

    function tests.close_ends_what_can_be_ended()
        local pipe, seen, alive = S.pipe(), {}, {}
        local function add(list) return function(n) list[#list + 1] = n or "end" end end
        pipe:signal():start { next = add(seen), completed = add(seen) }:release()
        local run = pipe:signal():map(function(n) return n end):start(add(alive))
        pipe:next(1)
        run:close()
        run:close()
        run:dispose()
        pipe:next(2)
        S.disposable_bag(S.action(add(alive))):close()
        S.drain_main()
        pipe:close()
        check.same({ 1, 2, "end" }, seen)
        check.same({ 1, "end" }, alive)
    end

    function tests.release_ends_nothing()
        local pipe, seen = S.pipe(), {}
        local run = pipe:signal():start { next = function(n) seen[#seen + 1] = n end, completed = error }
        run:release()
        run:release()
        assert(run:closed())
        pipe:next(1)
        pipe:release()
        check.raises("Pipe: used after it was closed", function() pipe:next(2) end)
        check.same({ 1 }, seen)
    end

    function tests.a_copy_of_an_object_is_closed_with_it()
        local pipe, state = S.pipe(), S.state(1)
        for _, object in ipairs { pipe, pipe:signal(), pipe:signal():start(print), state, S.queue() } do
            local copy = {}
            for name, field in pairs(object) do copy[name] = field end
            setmetatable(copy, getmetatable(object))
            assert(not copy:closed())
            object:close()
            assert(copy:closed())
            assert(tostring(copy):find "closed")
            copy:close()
            check.raises("used after it was closed", function() copy:keep(border.raw(copy)) end)
        end
    end

    function tests.runs_can_be_waited_for()
        local run = S.interval(0.001, { queue = S.queue() }):start { waitable = true, next = print }
        assert(run:dispose_and_wait())
    end

    function tests.disposables()
        local done = {}
        local function action(name) return S.action(function() done[#done + 1] = name end) end
        local set = S.disposable_bag(action "a", action "b")
        local out = action "c"
        set:add(out):remove(out):dispose()
        S.disposable_dict():set("k", action "d"):set("k", nil)
        S.disposable_slot():set(action "e"):dispose()
        S.drain_main()
        check.same({ "a", "b", "d", "e" }, done)
    end

    function tests.holds()
        local pipe = S.pipe()
        local run = pipe:signal():start()
        local one, other = run:hold(), run:hold()
        check.same(true, pipe:is_paused())
        one:close()
        check.same(true, pipe:is_paused())
        other:release()
        check.same(false, pipe:is_paused())
        check.raises("hold: subscription", function() S.action(print):hold() end)
        run:dispose()
        run:hold():close()
        check.raises("used after it was closed", function()
            run:close()
            run:hold()
        end)
    end

    function tests.state_and_promise()
        local state = S.state(1, { ignore_repeated = true })
        local seen = {}
        local run = state:signal():start(function(n) seen[#seen + 1] = n end)
        state:set(1):set(2):modify(function(n) return n * 10 end)
        check.same({ 1, 2, 20 }, seen)
        run:dispose()
        local promise = S.promise(nil, { first = of(5):map(function(n) return n + 1 end) })
        check.same(6, promise:signal():get())
        promise:set(of(7):map(function(n) return n * 2 end))
        check.same(14, promise:signal():get())
    end

    function tests.sharing()
        local starts = 0
        local pipe = S.pipe()
        local counted = S.deferred(function()
            starts = starts + 1
            return pipe:signal()
        end)
        local multicast = S.multicast()
        local a, b = check.record(multicast:get("k", counted)), check.record(multicast:get("k", counted))
        pipe:next(1)
        check.same({ 1 }, { unpack(a) })
        check.same({ 1 }, { unpack(b) })
        check.same(1, starts)
        a.run:dispose()
        b.run:dispose()
        local replayed = pipe:signal():share { replay = 1, keep = math.huge }
        local run = replayed:start()
        pipe:next(2)
        run:dispose()
        check.same(2, replayed:get())
        local manager, seen = S.multicast_signal_manager(), {}
        run = manager:multicasted_pipe("p"):start(function(n) seen[#seen + 1] = n end)
        manager:next("p", 3)
        check.same({ 3 }, seen)
        run:dispose()
        check.same(4, manager:multicasted_signal("s", function() return of(4) end):get())
        manager:start_standalone("t", function() return of(5):before_next(function(n) seen[#seen + 1] = n end) end)
        check.same({ 3, 5 }, seen)
        check.raises("boom", function() manager:multicasted_signal("u", function() error("boom", 0) end) end)
        local sequencer = S.sequencer()
        local first = check.record(sequencer:enqueue(pipe:signal()))
        local second = check.record(sequencer:enqueue(of(8)))
        check.same(0, #second)
        first.run:dispose()
        check.eventually(function() return #second == 2 end)
    end

    function tests.links()
        local emitter, seen = S.event_emitter(), {}
        local link = emitter:map(function(n) return n + 1 end):on_next(function(n) seen[#seen + 1] = n end)
        emitter:next(1)
        S.drain_main()
        check.same({ 2 }, seen)
        local bag = S.link_bag():add(link)
        bag:clear()
        emitter:next(2)
        emitter:finish()
    end

    function tests.overflow_is_counted_and_has_its_error()
        local counter = S.overflow_counter()
        check.same({ 2, 3, n = 2 },
            of(1, 2, 3):to_array({ limit = 2, overflow = "drop_oldest", counter = counter }):get())
        check.same(1, counter:dropped())
        check.raises("to_array: there is no room for more", function() of(1, 2, 3):to_array({ limit = 2 }):get() end)
        local pausing = { queue = S.queue(), limit = 1, overflow = "pause", counter = counter }
        check.same({ 1, 2, 3, n = 3 }, S.range(1, 3):deliver_on_bounded(pausing):to_array():get())
        check.same(0, counter:exceeded())
        local time, pipe, resumed = S.virtual_queue(), S.pipe(), 0
        local run = pipe:signal():deliver_on_bounded({ queue = time, limit = 1, overflow = "pause" }):start()
        check.same({ false, true, true }, { pipe:is_paused(), pipe:next(1), pipe:is_paused() })
        pipe:on_resume(function() resumed = resumed + 1 end, { queue = time })
        time:run()
        check.same({ 1, false }, { resumed, pipe:is_paused() })
        check.raises("on_resume", function() pipe:on_resume(1) end)
        run:dispose()
        local subscriber
        run = S.create(function(made) subscriber = made end):start()
        local hold = run:hold()
        subscriber:on_resume(function() resumed = resumed + 1 end, { queue = time })
        time:run()
        check.same({ 1, true }, { resumed, subscriber:is_paused() })
        hold:close()
        time:run()
        check.same({ 2, false }, { resumed, subscriber:is_paused() })
        check.raises("on_resume", function() subscriber:on_resume(1) end)
        run:dispose()
        check.raises("overflow: expected one of drop_newest", function() of(1):to_array { overflow = "x" } end)
    end

    function tests.a_second_policy_decides_about_a_source_that_goes_on()
        local time, pipe, counter = S.virtual_queue(), S.pipe(), S.overflow_counter()
        for dropped, overflow in ipairs { { "pause", "drop_oldest" }, { "drop_oldest", "pause" } } do
            local seen, paused = {}, {}
            local run = pipe:signal()
                :deliver_on_bounded({ queue = time, limit = 4, overflow = overflow, counter = counter })
                :start(function(n) seen[#seen + 1] = n end)
            for n = 1, 5 do
                pipe:next(n)
                paused[n] = pipe:is_paused()
            end
            check.same({ false, false, true, true, true }, paused) -- from three quarters of the limit
            time:run()
            check.same({ 2, 3, 4, 5 }, seen)
            check.same({ dropped, 0 }, { counter:dropped(), counter:exceeded() })
            run:dispose()
        end
        local others = { { "pause" }, { "pause", "pause" }, { "drop_oldest", "drop_newest" }, { "pause", "else" } }
        for _, wrong in ipairs(others) do
            check.raises('overflow: expected a string, or "pause" and another one in a table', function()
                pipe:signal():deliver_on_bounded { queue = time, limit = 4, overflow = wrong }
            end)
        end
    end

    function tests.queues_and_timers_call_on_the_main_thread()
        local called = {}
        local function call(name)
            return function()
                assert(S.is_main())
                called[#called + 1] = name
            end
        end
        local elsewhere = S.queue "elsewhere"
        elsewhere:dispatch(call "dispatch")
        check.eventually(function() return #called == 1 end)
        elsewhere:after(0.001, call "after")
        check.eventually(function() return #called == 2 end)
        local timer = S.new_timer(0.001, call "timer", { queue = elsewhere, is_repeated = true }):start()
        check.eventually(function() return #called >= 4 end)
        timer:invalidate()
        check.same("after", called[2])
    end

    function tests.virtual_time()
        local queue, seen = S.virtual_queue(), {}
        S.timer(86400, { queue = queue }):start(function() seen[1] = "a day later" end)
        queue:advance(86399)
        check.same({}, seen)
        queue:advance(1)
        check.same({ "a day later" }, seen)
        check.same(0, queue:pending())
    end

    function tests.values_of_other_threads_come_home()
        local threads, sum = S.concurrent_queue("test", 2), 0
        check.raises("threads: must be from 1 to 1024", S.concurrent_queue, "test", 0)
        for _ = 1, 20 do
            S.range(1, 100):run_on(threads):map(function(n) return n * 2 end):start(function(n)
                assert(S.is_main())
                sum = sum + n
            end)
        end
        check.eventually(function() return sum == 20 * 10100 end)
    end

    function tests.readers_wait_and_go_on()
        local reader = S.range(0, 3):run_on(S.queue()):read()
        local got = {}
        for value in reader:each() do got[#got + 1] = value end
        check.same({ 0, 1, 2 }, got)
        local pipe = S.pipe()
        check.raises("timeout", function() pipe:signal():get(0.001) end)
        check.raises("timeout", function() S.never():get(0.001) end)
        check.raises("timeout", function() S.never():collect(0.001) end)
        check.raises("boom", function() S.fail("boom"):collect() end)
        check.same(nil, S.empty():get())
        check.same({ false }, { S.empty():read():next() })
    end

    function tests.a_generator_is_told_of_the_end_by_the_value_that_ends_it()
        local told, got = 0, {}
        local endless = S.create(function(subscriber)
            while subscriber:next(told) do told = told + 1 end
        end)
        endless:take(3):start(function(value) got[#got + 1] = value end)
        check.same({ 0, 1, 2 }, got)
        check.same(2, told)
    end

    local function odd(n) return n % 2 == 1 end
    local function add(a, b) return a + b end

    -- Returns how many calls from C to Lua a value needs.
    local function crossings(signal, pipe)
        local run, count = signal:start(function() end), 0
        debug.sethook(function()
            if debug.getinfo(2, "f").func == border.attempt then count = count + 1 end
        end, "c")
        pipe:next(1)
        debug.sethook()
        run:dispose()
        return count
    end

    function tests.neighbouring_functions_cost_one_call_from_c()
        local pipe = S.pipe()
        local source = pipe:signal()
        check.same(1, crossings(source, pipe))
        check.same(1, crossings(source:map(odd), pipe))
        local all = source:map(function(n) return n end):filter(odd):scan(0, add):compact_map(function(n) return n end)
            :take(2):before_next(odd)
        check.same(1, crossings(all, pipe))
        check.same(2, crossings(all:skip(0), pipe))
        check.same(3, crossings(all:skip(0):take_while(odd):map(odd):skip(0), pipe))
        check.same('run_on "main"\n  filter\n    scan\n      map\n        deliver_on "main"\n          pipe',
            tostring(source:map(odd):scan(0, add):filter(odd):skip(0)))
    end

    -- Each of the functions is in several stages, which other operators follow.
    function tests.fused_functions_can_be_shared()
        local pipe, calls = S.pipe(), {}
        local numbers = pipe:signal():map(function(n)
            calls[#calls + 1] = n
            return n * 10
        end)
        local sums = numbers:scan(0, add)
        local lists = {
            check.record(numbers:skip(1)), check.record(sums:filter(function(n) return n ~= 30 end):skip(0)),
            check.record(sums:take(2):map(tostring):skip(0)), check.record(sums:skip(0):take_while(function(n) return n < 60 end)),
            check.record(numbers:skip_while(function(n) return n < 20 end):before_next(odd):take(1):skip(0)),
        }
        numbers:close()
        pipe:next(1)
        lists[6] = check.record(sums:skip(0)) -- a state of its own
        sums:close()
        pipe:signal():map(print):close() -- never made
        for n = 2, 3 do pipe:next(n) end
        pipe:complete()
        check.same({ { 20, 30, "end" }, { 10, 60, "end" }, { "10", "30", "end" }, { 10, 30, "end" }, { 20, "end" },
            { 20, 50, "end" } }, lists)
        check.same({ 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3 }, calls)
    end

    function tests.fused_functions_fail_with_their_errors()
        local problem, seen = {}, {}
        local source = of(1, 2, 3):before_next(function(n) seen[#seen + 1] = n end)
        local function fails(n) return n < 2 and n or error(problem, 0) end
        for _, name in ipairs { "map", "filter", "before_next", "take_while", "skip_while" } do
            for _, made in ipairs { source[name](source, fails), source[name](source, fails):map(tonumber):scan(0, add):skip(0) } do
                seen = {}
                assert(check.record(made).problem == problem)
                check.same({ 1, 2 }, seen)
            end
        end
        assert(check.record(source:scan(0, function(_, n) return fails(n) end):skip(0)).problem == problem)
    end

    function tests.arrays_stay_arrays_behind_functions_that_only_look()
        local pairs = of(1, 1, 1):pairwise():filter(function() return true end)
        for _, seen in ipairs { pairs, pairs:before_next(type), pairs:take(2), pairs:skip_while(function() return false end) } do
            check.same(1, #seen:distinct_until_changed():collect())
        end
    end

    function tests.fused_functions_retain_the_functions_of_their_source()
        local signals = {}
        for name, more in pairs { none = function(s) return s end, other = function(s) return s:skip(0) end } do
            signals[name] = more(S.deferred(function() return of(1) end):map(function(n) return n + 1 end):filter(type))
        end
        collectgarbage()
        collectgarbage()
        for _, signal in pairs(signals) do check.same({ 2 }, signal:collect()) end
    end

    function tests.many_functions_are_several_stages()
        local signal = of(0)
        for _ = 1, 250 do signal = signal:map(function(n) return n + 1 end) end
        check.same({ 250 }, signal:skip(0):collect())
    end

    function tests.fused_functions_do_what_their_stages_do()
        local pipe, calls = S.pipe(), {}
        local base = pipe:signal()
        local source = base:before_next(function(n) calls[#calls + 1] = n end)
        local sums = source:map(function(n) return n + 1 end):scan(0, add)
        local first, second = check.record(sums:take(2):map(tostring)), check.record(sums:filter(odd))
        source:close()
        assert(not base:take(1).fused) -- in the library, next to its source
        for n = 1, 4 do pipe:next(n) end
        check.same({ "2", "5", "end" }, { unpack(first) })
        check.same({ 5, 9 }, { unpack(second) })
        check.same({ 1, 1, 2, 2, 3, 4 }, calls)
        check.same("Disposable (ended)", tostring(first.run))
        second.run:dispose()
        local run = sums:start()
        pipe:next(5)
        check.same(7, #calls)
        run:dispose()
        base:close()
        collectgarbage()
        collectgarbage()
        local third = check.record(sums:take(1)) -- its source is closed: not fused
        pipe:next(6)
        check.same({ 7, "end" }, { unpack(third) })
        check.same({ "number" }, of(1):map(function() return 2LL end):map(type):collect())
        local seen = check.record(of(1):map(function() return 2LL, 3 end):map(function(...) return select("#", ...), ... end))
        check.same({ 1, "end" }, { unpack(seen) })
        check.same({ 0, 0 }, { of(1, 2):map(function() return nil end):map(function(n) return n == nil and 0 end):get(), 0 })
        local closed = of(1)
        closed:close()
        seen = check.record(of(1):map(function() return closed end):map(print))
        assert(seen.problem:find "Signal: used after it was closed")
    end

    function tests.a_fused_take_counts_values_inside_of_each_other()
        local pipe, seen, ends = S.pipe(), {}, 0
        pipe:signal():map(function(n) return n end):take(2):start {
            next = function(n)
                seen[#seen + 1] = n
                pipe:next(n + 1)
            end,
            completed = function() ends = ends + 1 end,
        }
        pipe:next(1)
        check.same({ 1, 2 }, seen)
        check.same(1, ends)
        local problem
        of(1, 2):map(function(n) return n end):take(1):start {
            next = function() error("boom", 0) end, error = function(what) problem = what end, completed = error,
        }
        check.same("boom", problem)
    end

    function tests.many_subscriptions()
        local pipe = S.pipe()
        local numbers = pipe:signal():map(function(n) return n end)
        for _ = 1, check.many do numbers:start(print):dispose() end
    end

    return tests
end
