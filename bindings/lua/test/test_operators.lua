-- Every operator of the description is there, and each is called, and gives what it should.
local signalkit = require "signalkit"
local check = require "check"
local S, of = signalkit, signalkit.of

local NO = {} -- an operator whose values are another one's affair, or none
local function add(a, b) return a + b end
local function self(n) return of(n) end
local function odd(n) return n % 2 == 1 end
local function inner(s) return s:map(self) end
local function failing() return S.fail "x" end

local path = assert(io.popen "pkg-config --variable=api signalkit"):read "*l"
local file = assert(io.open(path))
local description = file:read "*a"
file:close()

-- The description has the cases of operators with integer arguments.
local function described_cases(into)
    for name, entry in description:gmatch '"short": "([%w_]+)"(.-)\n  }' do
        local case = entry:match '"case": (%[[^\n]*%])'
        if case then
            local text = case:gsub("%[", "{"):gsub("%]", "}")
            local arguments, events = unpack(loadstring("return " .. text)())
            table.insert(events, "end")
            into[name] = { function(s) return s[name](s, unpack(arguments)) end, events }
        end
    end
    return into
end

-- By the name in the description: what it makes of of(1, 2, 3), and the events, or NO.
local function cases(queue)
    local on = { queue = queue }
    return described_cases {
        with_latest_from = { function(s) return s:with_latest_from(of(9)) end, NO },
        with_latest_from_map = { function(s) return s:with_latest_from(S.of(9), add) end, NO },
        after_next = { function(s) return s:after_next(self) end, { 1, 2, 3, "end" } },
        before_next = { function(s) return s:before_next(self) end, { 1, 2, 3, "end" } },
        before_started = { function(s) return s:before_started(self) end, { 1, 2, 3, "end" } },
        before_error = { function(s) return s:before_error(self) end, { 1, 2, 3, "end" } },
        before_completed = { function(s) return s:before_completed(self) end, { 1, 2, 3, "end" } },
        after_completed = { function(s) return s:after_completed(self) end, { 1, 2, 3, "end" } },
        after_disposed = { function(s) return s:after_disposed(self) end, { 1, 2, 3, "end" } },
        named = { function(s) return s:named "numbers" end, { 1, 2, 3, "end" } },
        trace = { function(s) return s:named "not in the log" end, { 1, 2, 3, "end" } },
        switch_to_latest = { function(s) return inner(s):switch_to_latest() end, { 1, 2, 3, "end" } },
        concat_all = { function(s) return inner(s):concat_all() end, { 1, 2, 3, "end" } },
        concat_latest = { function(s) return inner(s):concat_latest() end, { 1, 2, 3, "end" } },
        take_until_replacement = { function(s) return s:take_until_replacement(S.never()) end, { 1, 2, 3, "end" } },
        switch_map = { function(s) return s:switch_map(self) end, { 1, 2, 3, "end" } },
        concat_map = { function(s) return s:concat_map(self) end, { 1, 2, 3, "end" } },
        concat_map_latest = { function(s) return s:concat_map_latest(self) end, { 1, 2, 3, "end" } },
        exhaust_map = { function(s) return s:exhaust_map(self) end, { 1, 2, 3, "end" } },
        reduce_generator = { function(s)
            return s:reduce_generator(0, function(a, n) return of { a + n, n } end)
        end, { 1, 2, 3, 6, "end" } },
        merge_all = { function(s) return inner(s):merge_all { limit = 2 } end, { 1, 2, 3, "end" } },
        merge_map = { function(s) return s:merge_map(self) end, { 1, 2, 3, "end" } },
        merge_all_ordered = {
            function(s) return inner(s):merge_all_ordered { limit = 2 } end, { 1, 2, 3, "end" },
        },
        map_ordered = { function(s) return s:map_ordered(self) end, { 1, 2, 3, "end" } },
        switch_map_per = { function(s) return s:switch_map_per(self, { key = odd }) end, { 1, 2, 3, "end" } },
        group_by = { function(s)
            return s:group_by(function(key, group)
                return group:map(function(n) return { key, n } end)
            end, { key = odd })
        end, { { true, 1 }, { false, 2 }, { true, 3 }, "end" } },
        map = { function(s) return s:map(function(n) return n .. "!" end) end, { "1!", "2!", "3!", "end" } },
        filter = { function(s) return s:filter(odd) end, { 1, 3, "end" } },
        compact_map = { function(s)
            return s:compact_map(function(n) if n > 1 then return n * 2 end end)
        end, { 4, 6, "end" } },
        transform = { function(s)
            return s:transform(function(n) if n > 1 then return n, n end end)
        end, { 2, 2, 3, 3, "end" } },
        map_error = { function() return failing():map_error(function(e) return e .. "y" end) end,
            { { "error", "xy" } } },
        distinct_until_changed = { function(s)
            return s:distinct_until_changed(function(a, b) return b == a + 1 end)
        end, NO },
        reduce = { function(s) return s:reduce(0, add) end, { 6, "end" } },
        scan = { function(s) return s:scan(0, add) end, { 1, 3, 6, "end" } },
        pairwise = { function(s) return s:pairwise() end, { { 1, 2 }, { 2, 3 }, "end" } },
        enumerated = { function(s) return s:enumerated() end, { { 0, 1 }, { 1, 2 }, { 2, 3 }, "end" } },
        to_array = { function(s) return s:to_array() end, { { 1, 2, 3 }, "end" } },
        distinct = { function(s) return s:distinct(odd) end, { 1, 2, "end" } },
        to_events = { function(s) return s:to_events() end, { { 0, 1 }, { 0, 2 }, { 0, 3 }, { 2, nil, n = 2 }, "end" } },
        from_events = { function(s) return s:to_events():from_events() end, { 1, 2, 3, "end" } },
        concat_with = { function(s) return s:concat_with(of(4)) end, { 1, 2, 3, 4, "end" } },
        catch = { function() return failing():catch(self) end, { "x", "end" } },
        start_with = { function(s) return s:start_with(0) end, { 0, 1, 2, 3, "end" } },
        end_with = { function(s) return s:end_with(4) end, { 1, 2, 3, 4, "end" } },
        default_if_empty = { function() return S.empty():default_if_empty(1) end, { 1, "end" } },
        switch_if_empty = { function(s) return S.empty():switch_if_empty(s) end, { 1, 2, 3, "end" } },
        catch_with = { function(s) return failing():catch_with(s) end, { 1, 2, 3, "end" } },
        catch_and_return = { function() return failing():catch_and_return(2) end, { 2, "end" } },
        ["repeat"] = { function(s) return s:repeated(2):repeated():take(7) end, { 1, 2, 3, 1, 2, 3, 1, "end" } },
        retry = { function() return failing():retry { attempts = 2, queue = queue } end, { { "error", "x" } } },
        take_while = { function(s) return s:take_while(function(n) return n < 3 end) end, { 1, 2, "end" } },
        skip_while = { function(s) return s:skip_while(function(n) return n < 2 end) end, { 2, 3, "end" } },
        skip_until = { function(s) return s:skip_until(of(1)) end, { 1, 2, 3, "end" } },
        paused_by = { function(s) return s:paused_by(of(true, false)) end, { 1, 2, 3, "end" } },
        take_until = { function(s) return s:take_until(S.never()) end, { 1, 2, 3, "end" } },
        throttle = { function(s) return s:throttle(1, { edges = "trailing", queue = queue }) end, { 3, "end" } },
        debounce = { function(s) return s:debounce(1, on) end, { 3, "end" } },
        deliver_on = { function(s) return s:deliver_on(queue) end, { 1, 2, 3, "end" } },
        deliver_on_bounded = { function(s) return s:deliver_on_bounded { queue = queue, limit = 9 } end,
            { 1, 2, 3, "end" } },
        run_on = { function(s) return s:run_on(queue) end, { 1, 2, 3, "end" } },
        delay_start = { function(s) return s:delay_start(1, on) end, { 1, 2, 3, "end" } },
        suspend_aware_delay = { function(s) return s:suspend_aware_delay(1, 0, on) end, { 1, 2, 3, "end" } },
        timeout_first = { function(s) return s:timeout_first(1, on) end, { 1, 2, 3, "end" } },
        chunked_within = { function(s) return s:chunked_within(2, 1, on) end, { { 1, 2 }, { 3 }, "end" } },
        chunked_by = { function(s) return s:chunked_by(S.never(), { limit = 2 }) end, NO },
        rate_limit = {
            function(s) return s:rate_limit(2, 1, { queue = queue, waiting = 9 }) end, { 1, 2, 3, "end" },
        },
        delay = { function(s) return s:delay(1, { queue = queue, limit = 9 }) end, { 1, 2, 3, "end" } },
        timeout = { function(s) return s:timeout(1, on) end, { 1, 2, 3, "end" } },
        timestamped = { function(s) return s:timestamped(queue) end, NO },
        time_interval = { function(s) return s:time_interval(queue) end, NO },
        take_for = { function(s) return s:take_for(1, on) end, { 1, 2, 3, "end" } },
        sample_on = { function(s) return s:sample_on(of(1)) end, NO },
        sample = { function(s) return s:sample(1, on) end, NO },
        share = { function(s) return s:share() end, { 1, 2, 3, "end" } },
        combine_latest = { function(s) return S.combine_latest({ s, of(8) }, add) end, { 11, "end" } },
        merge = { function(s) return S.merge { s, of(8) } end, { 1, 2, 3, 8, "end" } },
        zip = { function(s) return S.zip({ s, s }, function(a, b) return a * b end, { limit = 5 }) end,
            { 1, 4, 9, "end" } },
        race = { function(s) return S.race { s, of(8) } end, { 1, 2, 3, "end" } },
        concat = { function(s) return S.concat { s, of(8) } end, { 1, 2, 3, 8, "end" } },
        deferred = { function(s) return S.deferred(function() return s end) end, { 1, 2, 3, "end" } },
        accumulating_loop = { function(s)
            return S.accumulating_loop(function(a) if not a or a < 9 then return s end end, add)
        end, { 1, 3, 6, 7, 9, 12, "end" } },
        create = { function()
            return S.create(function(subscriber)
                subscriber:next(1)
                subscriber:complete()
            end)
        end, { 1, "end" } },
        just = { function() return S.just(1) end, { 1, "end" } },
        empty = { function() return S.empty() end, { "end" } },
        fail = { failing, { { "error", "x" } } },
        never = { S.never, {} },
        from_array = { function() return S.from { 1, "a", false } end, { 1, "a", false, "end" } },
        from_iterator = { function()
            local n = 0
            return S.iterate(function()
                n = n + 1
                if n < 3 then return n end
            end)
        end, { 1, 2, "end" } },
        range = { function() return S.range(1, 3) end, { 1, 2, 3, "end" } },
        interval = { function() return S.interval(1, on):take(2) end, { 0, 1, "end" } },
        timer = { function() return S.timer(1, on) end, NO },
        fd = { function() return S.fd(9999, 1, on):catch_and_return("bad") end, { "bad", "end" } },
        fd_lines = { function()
            return S.fd_lines(9999, { limit = 9, queue = queue }):catch_and_return("bad")
        end, { "bad", "end" } },
        fd_bytes = { function() return S.fd_bytes(9999, 9, on):catch_and_return("bad") end, { "bad", "end" } },
        sink_fd = { function(s)
            return s:sink_fd(9999, { limit = 9, queue = queue }):catch_and_return("bad")
        end, { "bad", "end" } },
        unix_signal = { function() return S.unix_signal(9999, on):catch_and_return("bad") end, { "bad", "end" } },
        child = { function() return S.child(1, on):catch_and_return("none") end, { "none", "end" } },
        wall_clock_timer = { function() return S.wall_clock_timer(1) end, { 0, "end" } },
        file_lines = { function()
            return S.file_lines("/nowhere/log", { limit = 9, queue = queue }):catch_and_return("bad")
        end, { "bad", "end" } },
        file_changes = { function()
            return S.file_changes("/nowhere", 1, on):catch_and_return("none")
        end, { "none", "end" } },
        using = { function(s)
            return S.using(function() return {} end, function() return s end, function() end)
        end, { 1, 2, 3, "end" } },
    }
end

return function(here)
    local tests = {}

    -- Names that also need a test, but are not in the description.
    local MORE = { compact_map = true, transform = true, with_latest_from_map = true }

    function tests.all_of_the_description_are_here()
        local described = {}
        for entry in description:gmatch '"name": "sgk_[^{]-"result": {' do
            local kind = entry:match '"kind": "(%w+)"'
            if (kind == "operator" or kind == "source" or kind == "combination") and not entry:find '"extends"' then
                described[entry:match '"short": "([%w_]+)"'] = true
            end
        end
        local here_are = cases()
        for name in pairs(described) do assert(here_are[name], name .. " has no test") end
        for name in pairs(here_are) do assert(described[name] or MORE[name], name .. " is not in the description") end
    end

    function tests.decisions_of_retry()
        local queue, seconds = S.virtual_queue(), {}
        local failing = S.deferred(function()
            table.insert(seconds, queue:now())
            return S.fail "no"
        end)
        local function retried(decide) return check.record(failing:retry { decide = decide, queue = queue }) end
        local events = retried(function(problem, failures)
            assert(problem == "no")
            if failures == 1 then return true end
            if failures == 2 then return nil end
            if failures == 3 then return 5 end
            return failures == 4 and of(1) or S.fail "other"
        end)
        for _ = 1, 20 do
            S.drain_main()
            queue:advance(1)
        end
        check.eventually(function() return #events == 1 end)
        check.same({ { "error", "other" } }, { unpack(events) })
        check.same({ 0, 1, 3, 8, 8 }, seconds)
        events = retried(function() return false end)
        check.eventually(function() return #events == 1 end)
        check.same({ { "error", "no" } }, { unpack(events) })
    end

    for name in pairs(cases()) do
        tests[name] = function()
            local queue = S.virtual_queue()
            local make, wanted = unpack(cases(queue)[name])
            local events = check.record(make(of(1, 2, 3)))
            queue:advance(10)
            if wanted ~= NO then
                check.eventually(function() return #events >= #wanted end)
                check.same(wanted, { unpack(events) })
            else
                check.eventually(function() return #events > 0 end)
                assert(not events.problem, check.shown(events.problem))
            end
            events.run:dispose()
        end
    end
    return tests
end
