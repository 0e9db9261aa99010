# frozen_string_literal: true

require_relative 'helper'
require 'minitest/mock'

# How a block can be left.
class TestBorder < SignalKitTest
  Boom = Class.new(StandardError)

  OPERATORS = {
    map: ->(s, f) { s.map(&f) },
    filter: ->(s, f) { s.filter(&f) },
    compact_map: ->(s, f) { s.compact_map(&f) },
    before_next: ->(s, f) { s.before_next(&f) },
    scan: ->(s, f) { s.scan(0, &f) },
    take_while: ->(s, f) { s.take_while(&f) },
    switch_map: ->(s, f) { s.switch_map(&f) },
    retry: ->(s, f) { s.concat_with(Signal.fail(Boom.new)).retry(&f) },
    catch: ->(s, f) { s.concat_with(Signal.fail(Boom.new)).catch(&f) },
    combine_latest: ->(s, f) { Signal.combine_latest(s, s, &f) },
    distinct: ->(s, f) { s.distinct(&f) },
    distinct_until_changed: ->(s, f) { s.start_with(0).distinct_until_changed(&f) },
    with_latest_from: ->(s, f) { s.with_latest_from(Signal.of(1), &f) },
    before_completed: ->(s, f) { s.before_completed(&f) },
    before_started: ->(s, f) { s.before_started(&f) },
    deferred: ->(_, f) { Signal.deferred(&f) },
    create: ->(_, f) { Signal.create(&f) },
    iterate: ->(_, f) { Signal.iterate(&f) },
    loop: ->(_, f) { Signal.accumulating_loop(once: f, reduce: f) }
  }.freeze

  OPERATORS.each do |name, make|
    define_method("test_what_#{name}_raises_is_the_error_the_same_object") do
      error = Boom.new(name.to_s)
      events = record(make.call(Signal.of(1, 2), ->(*_) { raise error }))
      assert_same error, events.last[1]
      refute_includes events, :end
    end

    define_method("test_#{name}_left_by_throw_ends_the_run") do
      events = []
      assert_raises(SignalKit::LeftError) do
        catch(:out) do
          signal = make.call(Signal.of(1, 2), ->(*_) { throw :out })
          signal.start(error: ->(e) { events << e }, completed: -> { events << :end })
        end
      end
      assert_kind_of SignalKit::LeftError, events.last
    end
  end

  # Kernel#loop rescues StopIteration, so no wait of this package is one.
  # Returns how often the library calls a block for one value.
  def crossings(signal, pipe)
    count = 0
    run = signal.start {}
    find = SignalKit::Border.method(:find)
    SignalKit::Border.stub(:find, ->(context) { (count += 1) && find.call(context) }) { pipe << 1 }
    run.dispose
    count
  end

  def test_neighbouring_blocks_are_called_together
    pipe = Pipe.new
    source = pipe.signal
    all = source.map { |n| n }.filter { true }.before_next {}.compact_map { |n| n }.reject { false }
    assert_equal 1, crossings(source, pipe)
    assert_equal 1, crossings(all, pipe)
    assert_equal 2, crossings(all.skip(0), pipe)
    assert_equal 3, crossings(all.skip(0).map { |n| n }.filter { true }.skip(0), pipe)
    assert_equal "filter\n  map\n    pipe", source.map { |n| n }.filter { true }.to_s
  end

  def test_blocks_can_be_parts_of_several_stages
    pipe = Pipe.new
    calls = []
    tens = pipe.signal.map { |n| (calls << n) && (n * 10) }
    large = tens.filter { |n| n > 10 }
    seen = [large, large.map { |n| "<#{n}>" }, large.map { |n| n == 30 ? nil : n }.compact_map { |n| n }.skip(0)]
           .map { |signal| record(signal) }
    tens.close
    large.close
    [1, 2, 3].each { |n| pipe << n }
    pipe.complete
    assert_equal [[20, 30, :end], %w[<20> <30>] + [:end], [20, :end]], seen
    assert_equal [1, 1, 1, 2, 2, 2, 3, 3, 3], calls
    assert_raises(SignalKit::ClosedError) { tens.map { |n| n } }
    assert_raises(SignalKit::ClosedError) { large.start }
    many = (1..600).reduce(Signal.of(0)) { |signal, _| signal.map { |n| n + 1 } }
    assert_equal [[600], [600]], [many.collect, many.skip(0).collect]
  end

  # Blocks that are called together get and give the same as separate ones.
  def test_values_do_not_depend_on_neighbours
    closed = Signal.of(1)
    closed.close
    items = SignalKit::Values::Items.new([SignalKit::Values::Data.new("\xff".b), nil])
    results = [nil, false, :symbol, 1 << 70, -0.0, SignalKit::Values::Data.new('x'), items, closed, Signal.of(7)]
    shown = ->(value) { value.is_a?(Signal) ? value.collect : value }
    together, apart = [0, 1].map do |skips|
      results.map do |result|
        made = Signal.of(1).map { result }
        made = made.skip(0) if skips == 1
        record(made.filter { true }.map(&shown)).inspect
      end
    end
    assert_equal apart, together
    same = Signal.of(1, 1).map { SignalKit::Values::Items.new([1]) }
    assert_equal [[[1]]] * 2, [same, same.filter { true }].map { |signal| signal.distinct_until_changed.collect }
  end

  def test_an_exit_of_a_block_that_is_called_with_others_fails_the_subscription
    events = []
    assert_raises(SignalKit::LeftError) do
      catch(:away) do
        Signal.of(1).map { |n| n }.filter { throw :away }.start(error: ->(e) { events << e }) { |n| events << n }
      end
    end
    assert_equal [SignalKit::LeftError], events.map(&:class)
    failing = record(Signal.of(1).map { raise 'no' }.filter { true })
    assert_equal [[:error, 'no']], failing.map { |kind, error| [kind, error.message] }
  end

  def test_stop_iteration_is_an_error_like_any_other
    error = StopIteration.new('no more')
    OPERATORS.except(:iterate).each do |name, make|
      broken = make.call(Signal.of(1, 2), ->(*_) { raise error })
      assert_same error, record(broken).last[1], name
      assert_same error, assert_raises(StopIteration, name) { broken.collect(60) }, name
      assert_same error, assert_raises(StopIteration, name) { broken.read.each { nil } }, name
    end
    assert_same error, assert_raises(StopIteration) { Signal.fail(error).get(60) }
    assert_empty Signal.iterate { raise error }.collect(60)
    assert_raises(ClosedQueueError) { Signal.iterate { Thread::Queue.new.close << 1 }.collect(60) }
    assert_raises(StopIteration) { Signal.of(1).read.each { raise error } }
  end

  def test_no_way_out_of_a_block_for_unheard_errors_wedges_a_pipe
    pipe, seen = Pipe.new, []
    pipe.signal.start(error: ->(_) { raise Boom }) { raise Boom }
    pipe.signal.start { |n| seen << n }
    SignalKit.on_unheard { throw :out }
    assert_raises(SignalKit::LeftError) { catch(:out) { pipe << 1 } }
    pipe.signal.start(error: ->(_) { raise Boom }) { raise Boom }
    SignalKit.on_unheard { exit 3 }
    assert_equal 3, assert_raises(SystemExit) { pipe << 2 }.status
    pipe << 3
    assert_equal [1, 2, 3], seen
    pipe.complete
  ensure
    SignalKit.on_unheard
  end

  def test_a_subscriber_that_raises_ends_its_run_alone
    pipe, others, failed = Pipe.new, [], nil
    pipe.signal.start(error: ->(e) { failed = e }) { raise Boom, 'once' }
    pipe.signal.start { |v| others << v }
    pipe << 1 << 2
    assert_kind_of Boom, failed
    assert_equal [1, 2], others
    pipe.complete
  end

  def test_break_neither_wedges_the_pipe_nor_passes_silently
    pipe, seen = Pipe.new, []
    listen = ->(&block) { pipe.signal.start(error: ->(_) {}, &block) }
    assert_raises(SignalKit::LeftError) { leave_by_return(pipe) }
    listen.call { |v| seen << v }
    pipe << 2
    assert_equal [2], seen
    pipe.complete
  end

  def leave_by_return(pipe)
    pipe.signal.start(error: ->(_) {}) { return :returned }
    pipe << 1
  end

  def test_exit_is_raised_again_by_the_outermost_call
    pipe, errors = Pipe.new, []
    pipe.signal.start(error: ->(e) { errors << e }) { exit 7 }
    left = assert_raises(SystemExit) { pipe << 1 }
    assert_equal 7, left.status
    assert_same left, errors.first
    assert pipe.next(2), 'the pipe goes on'
    pipe.complete
  end

  def test_what_an_error_block_raises_goes_to_the_log
    heard = unheard { Signal.fail('x').start(error: ->(_) { raise Boom, 'again' }) }
    assert_kind_of Boom, heard.dig(0, 1)
  end

  def test_what_comes_after_the_end_goes_to_the_log
    heard = unheard { Signal.of(1).after_completed { raise Boom }.after_disposed { raise Boom }.start }
    assert_equal 2, heard.size
  end

  def test_work_of_a_queue_that_raises_goes_to_the_log
    heard = unheard do
      queue = Queue.new
      queue.dispatch { raise Boom }
      queue.sync {}
    end
    assert_kind_of Boom, heard.dig(0, 1)
  end

  def test_what_is_called_before_the_call_returns_raises_there
    state = SignalKit::State.new(1)
    assert_raises(Boom) { state.modify { raise Boom } }
    assert_equal 1, state.value
    assert_raises(Boom) { Queue.new.sync { raise Boom } }
    assert_raises(SignalKit::LeftError) { catch(:out) { state.modify { throw :out } } }
  end

  def test_a_wrong_type_names_operator_argument_and_value
    message = assert_raises(TypeError) { Signal.of(1).take('three') }.message
    assert_equal 'take: count: expected an Integer of 64 bits, got "three"', message
    message = assert_raises(TypeError) { Signal.child(2**32 + 1, queue: Queue.new) }.message
    assert_equal 'child: pid: expected an Integer of 32 bits, got 4294967297', message
    error = record(Signal.of(1).switch_map { 5 }).last[1]
    assert_equal 'switch_map: the block is to return a Signal, not 5', error.message
  end

  def test_an_error_of_the_library_has_a_code_and_a_cause
    inner = SignalKit::C.sgk_error_from(7, 'größer', 0, 0)
    outer = SignalKit::C.sgk_error_from(404, 'outer', inner[:word], inner[:bits])
    error = SignalKit::Values.taken(outer)
    SignalKit::C.sgk_value_release(inner[:word], inner[:bits])
    assert_equal [404, 'outer'], [error.code, error.message]
    assert_equal [7, 'größer', nil], [error.cause.code, error.cause.message, error.cause.cause]
    late = assert_raises(SignalKit::Failure) { Signal.never.timeout(0.001, queue: Queue.concurrent).get }
    assert_equal [-8, 'timeout: timed out'], [late.code, late.message]
    assert_equal(-12, SignalKit::Failure.new(5).code)
  end

  def test_an_object_of_another_type_is_an_error
    reason = 'value: must be an object of the type Ruby, not Other'
    wrong = ->(error) { assert_equal [SignalKit::Failure, -5, reason], [error.class, error.code, error.message] }
    signal = Signal.made(SignalKit::C.sgk_signal_just(*foreign))
    wrong.call(assert_raises(SignalKit::Failure) { signal.get })
    wrong.call(record(signal.map { flunk }).last[1])
    wrong.call(record(signal.to_array).last[1])
    fails = Signal.made(SignalKit::C.sgk_signal_fail(*foreign))
    wrong.call(assert_raises(SignalKit::Failure) { fails.get })
    wrong.call(record(fails).last[1])
    caught = []
    fails.catch { |error| Signal.of(caught << error) }.get
    fails.map_error { |error| StandardError.new.tap { caught << error } }.start(error: ->(_) {})
    fails.retry { |error, _| Signal.empty.tap { caught << error } }.start(error: ->(_) {})
    fails.before_error { |error| caught << error }.start(error: ->(_) {})
    assert_equal 4, caught.size
    caught.each(&wrong)
    word, bits = foreign
    made = SignalKit::C.sgk_error_from(3, 'outer', word, bits)
    error = SignalKit::Values.taken(made)
    assert_equal 'outer', error.message
    wrong.call(error.cause)
  end

  NAME = FFI::MemoryPointer.from_string('Other')
  OTHER = FFI::MemoryPointer.new(SignalKit::C::SIZES[:sgk_object_type]).tap do |type|
    type.put_uint64(0, type.size).put_pointer(8, NAME)
  end

  # A value of an object that is not Ruby's.
  def foreign
    value = SignalKit::C.sgk_object(5, OTHER)
    [value[:word] | (SignalKit::C::GIVEN << 32), value[:bits]]
  end

  def names_nothing_of_c(text, &block)
    message = assert_raises(SignalKit::UsageError, &block).message
    assert message.start_with?(text) && !message.match?(/sgk/i), message
  end

  def test_a_bad_argument_is_refused_at_once
    assert_equal 'take: count: must be 0 or more', assert_raises(SignalKit::UsageError) { Signal.of(1).take(-1) }.message
    assert_raises(ArgumentError) { Signal.zip(Signal.of(1), limit: 0) { 1 } }
    names_nothing_of_c('to_array: bound.overflow: must not suspend') { Signal.of(1).to_array(overflow: :suspend) }
    names_nothing_of_c('zip: bound.overflow: must not suspend') { Signal.zip(Signal.of(1), overflow: :suspend) }
    names_nothing_of_c('to_array: bound.overflow: must not pause') { Signal.of(1).to_array(overflow: :pause) }
    names_nothing_of_c('dispose_and_wait: disposable: must be a subscription that was started as waitable') do
      Signal.never.start {}.dispose_and_wait
    end
    names_nothing_of_c('hold: subscription: must be a subscription') { SignalKit::Disposable.action {}.hold }
    names_nothing_of_c('concurrent: threads: must be from 1 to 1024') { SignalKit::Queue.concurrent('test', 0) }
    assert_raises(ArgumentError) { Signal.of(1).map }
  end

  # In C, negative numbers mean that there is no limit, and 0 in a policy is a default.
  def test_numbers_with_a_meaning_in_c_only_are_refused
    of = Signal.of(1)
    limited = { 'merge_map' => ->(**o) { of.merge_map(**o) { |n| Signal.just(n) } }, 'map_ordered' => ->(**o) { of.map_ordered(**o) { |n| Signal.just(n) } },
                'merge_all' => ->(**o) { of.merge_all(**o) }, 'merge_all_ordered' => ->(**o) { of.merge_all_ordered(**o) } }
    bounded = limited.to_h { |name, call| [[name, :waiting], call] }.merge(
      ['rate_limit', :waiting] => ->(**o) { of.rate_limit(1, 1, **o) }, ['zip', :limit] => ->(**o) { Signal.zip(of, **o) },
      ['to_array', :limit] => ->(**o) { of.to_array(**o) }, ['distinct', :limit] => ->(**o) { of.distinct(**o) },
      ['delay', :limit] => ->(**o) { of.delay(1, **o) }, ['deliver_on_bounded', :limit] => ->(**o) { of.deliver_on_bounded(**o) },
      ['group_by', :limit] => ->(**o) { of.group_by(**o) { |_, values| values } },
      ['switch_map_per', :limit] => ->(**o) { of.switch_map_per(**o) { |n| Signal.just(n) } }, ['read', :limit] => ->(**o) { of.read(**o) }
    )
    wrong = []
    refused = lambda do |text, &call|
      said = assert_raises(ArgumentError, text, &call).message
      wrong << "#{said} instead of #{text}" unless said == text
    end
    [-1, -2, -9].each do |number|
      bounded.each do |(name, option), call|
        refused.call("#{name}: #{option} must be #{option == :waiting ? 0 : 1} or more, or nil") { call.call(option => number) }
      end
      limited.each { |name, call| [number, 0].each { |n| refused.call("#{name}: limit must be 1 or more, or nil") { call.call(limit: n) } } }
      refused.call('repeat: count must be 0 or more, or nil') { of.repeat(number) }
      refused.call('chunked_by: limit must be 1 or more') { of.chunked_by(of, limit: number) }
      { attempts: 0, delay: 0, factor: 1, increment: 0, jitter: 0, reset_after: 0 }.each do |name, least|
        refused.call("retry: #{name} must be #{least} or more") { of.retry(name => number) }
      end
      [number, Float::NAN].each { |seconds| refused.call('get: timeout must be 0 or more') { of.get(seconds) } }
      refused.call('collect: timeout must be 0 or more') { of.collect(number) }
      of.read.then { |reader| refused.call('next: timeout must be 0 or more') { reader.next(number) }; reader.close }
    end
    refused.call('retry: factor must be 1 or more') { of.retry(factor: 0) }
    refused.call('retry: max_delay must be more than 0') { of.retry(max_delay: 0) }
    refused.call('retry: jitter must be from 0 to 1') { of.retry(jitter: 1.5) }
    refused.call('to_array: limit must be 1 or more, or nil') { of.to_array(limit: 0) }
    assert_empty wrong
    assert_equal [[1], [1], 1], [of.to_array(limit: nil).get, of.merge_map(waiting: 0) { |n| Signal.just(n) }.collect, of.repeat.get]
  end

  def test_a_thread_that_is_killed_in_a_block_does_not_wedge_the_pipe
    pipe, seen = Pipe.new, []
    pipe.signal.start(error: ->(_) {}) { Thread.current.kill if Thread.current[:dies] }
    pipe.signal.start { |v| seen << v }
    Thread.new { Thread.current[:dies] = true; pipe << 1 }.tap { |t| t.report_on_exception = false }.join rescue nil
    pipe << 2
    assert_equal [1, 2], seen
    pipe.complete
  end
end
