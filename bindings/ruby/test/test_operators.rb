# frozen_string_literal: true

require_relative 'helper'

# Every operator of the description is there, and each is called once.
class TestOperators < SignalKitTest
  def self.queue = @queue ||= Queue.virtual

  ALL = {
    with_latest_from: -> { _1.with_latest_from(Signal.of(9)) }, after_next: -> { _1.after_next {} },
    before_started: -> { _1.before_started {} }, before_error: -> { _1.before_error {} },
    before_completed: -> { _1.before_completed {} }, after_completed: -> { _1.after_completed {} },
    after_disposed: -> { _1.after_disposed {} }, named: -> { _1.named('numbers') }, trace: -> { _1.named('t') },
    switch_to_latest: -> { _1.map { |n| Signal.of(n) }.switch_to_latest },
    concat_all: -> { _1.map { |n| Signal.of(n) }.concat_all }, concat_latest: -> { _1.map { |n| Signal.of(n) }.concat_latest },
    take_until_replacement: -> { _1.take_until_replacement(Signal.never) },
    switch_map: -> { _1.switch_map { |n| Signal.of(n) } }, concat_map: -> { _1.concat_map { |n| Signal.of(n) } },
    concat_map_latest: -> { _1.concat_map_latest { |n| Signal.of(n) } },
    reduce_generator: -> { _1.reduce_generator(0) { |a, n| Signal.of([a + n, n]) } },
    merge_all_ordered: -> { _1.map { |n| Signal.of(n) }.merge_all_ordered },
    map_ordered: -> { _1.map_ordered { |n| Signal.of(n) } },
    merge_all: -> { _1.map { |n| Signal.of(n) }.merge_all }, merge_map: -> { _1.merge_map { |n| Signal.of(n) } },
    switch_map_per: -> { _1.switch_map_per(key: ->(n) { n % 2 }) { |n| Signal.of(n) } },
    group_by: -> { _1.group_by(key: ->(n) { n % 2 }) { |key, values| values.map { |n| [key, n] } } },
    exhaust_map: -> { _1.exhaust_map { |n| Signal.of(n) } }, map: -> { _1.map { |n| n + 1 } },
    filter: -> { _1.filter(&:odd?) }, compact_map: -> { _1.compact_map { |n| n if n > 1 } },
    map_error: -> { _1.map_error { |e| e } },
    distinct_until_changed: -> { _1.distinct_until_changed { |a, b| a == b } },
    reduce: -> { _1.reduce(0) { |a, n| a + n } },
    scan: -> { _1.scan(0) { |a, n| a + n } }, pairwise: -> { _1.pairwise }, enumerated: -> { _1.enumerated },
    to_array: -> { _1.to_array }, distinct: -> { _1.distinct },
    to_events: -> { _1.to_events }, from_events: -> { _1.to_events.from_events },
    before_next: -> { _1.before_next {} }, concat_with: -> { _1.concat_with(Signal.of(4)) },
    catch: -> { Signal.fail(1).catch { |e| Signal.of(e) } }, start_with: -> { _1.start_with(0) },
    end_with: -> { _1.end_with(4) }, default_if_empty: -> { Signal.empty.default_if_empty(1) },
    switch_if_empty: -> { Signal.empty.switch_if_empty(_1) }, catch_and_return: -> { Signal.fail(1).catch_and_return(2) },
    catch_with: -> { Signal.fail(1).catch_with(_1) },
    repeat: -> { _1.repeat(2).repeat.take(7) },
    retry: -> { _1.retry(attempts: 2, queue: queue) },
    take_while: -> { _1.take_while { |n| n < 3 } },
    skip_while: -> { _1.skip_while { |n| n < 2 } },
    skip_until: -> { _1.skip_until(Signal.of(1)) },
    paused_by: -> { _1.paused_by(Signal.of(true, false)) },
    take_until: -> { _1.take_until(Signal.never) }, throttle: -> { _1.throttle(1, edges: :trailing, queue: queue) },
    debounce: -> { _1.debounce(1, queue: queue) }, deliver_on: -> { _1.deliver_on(queue) },
    deliver_on_bounded: -> { _1.deliver_on_bounded(queue: queue, limit: 9) }, run_on: -> { _1.run_on(queue) },
    delay_start: -> { _1.delay_start(1, queue: queue) },
    suspend_aware_delay: -> { _1.suspend_aware_delay(1, 0, queue: queue) },
    timeout_first: -> { _1.timeout_first(1, queue: queue) },
    chunked_within: -> { _1.chunked_within(2, 1, queue: queue) }, chunked_by: -> { _1.chunked_by(Signal.never, limit: 2) },
    rate_limit: -> { _1.rate_limit(2, 1, queue: queue, waiting: 9) },
    delay: -> { _1.delay(1, queue: queue, limit: 9) },
    timeout: -> { _1.timeout(1, queue: queue) },
    timestamped: -> { _1.timestamped(queue) }, time_interval: -> { _1.time_interval(queue) },
    take_for: -> { _1.take_for(1, queue: queue) }, sample_on: -> { _1.sample_on(Signal.of(1)) },
    sample: -> { _1.sample(1, queue: queue) }, share: -> { _1.share },
    combine_latest: -> { Signal.combine_latest(_1, _1) { |a, b| a + b } }, merge: -> { Signal.merge(_1, _1) },
    zip: -> { Signal.zip(_1, _1) { |a, b| a * b } },
    race: -> { Signal.race(_1, _1) }, concat: -> { Signal.concat(_1, _1) }, deferred: -> { s = _1; Signal.deferred { s } },
    accumulating_loop: -> { s = _1; Signal.accumulating_loop(once: ->(a) { s unless a }, reduce: ->(a, n) { a + n }) },
    create: -> { Signal.create(&:complete) }, just: -> { Signal.just(1) }, empty: -> { Signal.empty },
    fail: -> { Signal.fail(1) }, never: -> { Signal.never }, from_array: -> { Signal.of(1) },
    from_iterator: -> { Signal.iterate { raise StopIteration } }, range: -> { Signal.range(1, 3) },
    interval: -> { Signal.interval(1, queue: queue) }, timer: -> { Signal.timer(1, queue: queue) },
    fd: -> { Signal.fd(9999, :read, queue: queue).catch_and_return(0) },
    fd_lines: -> { Signal.fd_lines(9999, limit: 9, queue: queue).catch_and_return(0) },
    fd_bytes: -> { Signal.fd_bytes(9999, 9, queue: queue).catch_and_return(0) },
    sink_fd: -> { _1.sink_fd(9999, limit: 9, queue: queue).catch_and_return(0) },
    unix_signal: -> { Signal.unix_signal(9999, queue: queue).catch_and_return(0) },
    child: -> { Signal.child(1, queue: queue).catch_and_return(0) },
    wall_clock_timer: -> { Signal.wall_clock_timer(1, queue: Queue.new) },
    file_lines: -> { Signal.file_lines('/nowhere/log', limit: 9, queue: queue).catch_and_return(0) },
    file_changes: -> { Signal.file_changes('/nowhere', :created, queue: queue).catch_and_return(0) },
    using: -> { s = _1; Signal.using(acquire: -> {}, release: ->(_) {}) { s } }
  }.freeze

  API = `pkg-config --variable=api signalkit`.chomp
  FUNCTIONS = JSON.parse(File.read(API))['functions'].freeze
  # The description has the cases of operators with integer arguments.
  CASES = FUNCTIONS.to_h { [_1['short'], _1['case']] }.compact.freeze
  NAMES = FUNCTIONS.filter_map do |function|
    function['short'] if %w[operator source combination].include?(function['kind']) && !function.key?('extends')
  end

  attr_reader :queue

  def setup
    @queue = Queue.virtual
  end

  def test_all_of_the_description_are_here = assert_equal([*NAMES, 'compact_map'].sort, [*ALL.keys.map(&:to_s), *CASES.keys].sort)

  CASES.each do |name, (arguments, values)|
    define_method("test_#{name}") { assert_equal [*values, :end], record(Signal.of(1, 2, 3).public_send(name, *arguments)) }
  end

  ALL.each do |name, make|
    define_method("test_#{name}") do
      events = record(instance_exec(*[Signal.of(1, 2, 3)].first(make.arity), &make))
      queue.advance(10)
      eventually { name == :never || !events.empty? }
      next if name == :fail

      assert_empty(events.select { |event| event.is_a?(Array) && event.first == :error })
    end
  end

  def test_decisions_of_retry
    seconds = []
    failing = Signal.deferred { seconds << queue.now; Signal.fail(:no) }
    decisions = [true, nil, 5, Signal.of(1), Signal.fail(:other)]
    events = record(failing.retry(queue: queue) { |error, failures| decisions[failures - 1] if error == :no })
    queue.advance(20)
    assert_equal [0, 1, 3, 8, 8], seconds
    assert_equal [[:error, :other]], events
    assert_equal [[:error, :no]], record(failing.retry(queue: queue) { false })
    seconds.clear
    assert_equal [[:error, :no]], record(failing.retry(attempts: 3, delay: 0, queue: queue))
    assert_equal 3, seconds.size
  end

  def test_some_results
    three = Signal.of(1, 2, 3)
    assert_equal [11, :end], record(Signal.combine_latest(three, Signal.of(8)) { |a, b| a + b })
    assert_equal [1, 4, 9, :end], record(Signal.zip(three, three) { |a, b| a * b })
    assert_equal [6, :end], record(three.reduce(0) { |a, n| a + n })
    assert_equal [1, 2, 3, 6, :end], record(three.reduce_generator(0) { |a, n| Signal.of([a + n, n]) })
    groups = three.group_by(key: ->(n) { n % 2 }) { |key, values| values.map { |n| [key, n] } }
    assert_equal [[1, 1], [0, 2], [1, 3], :end], record(groups)
    assert_equal [:error, 'x'], record(three.switch_map_per(key: ->(_) { raise SignalKit::Failure, 'x' }) { Signal.never })
      .last.then { |kind, error| [kind, error.value] }
    assert_equal [1, 3, 6, :end], record(Signal.accumulating_loop(once: ->(a) { three unless a }, reduce: ->(a, n) { a + n }))
  end
end
