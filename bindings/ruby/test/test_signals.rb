# frozen_string_literal: true

require_relative 'helper'
require 'socket'
require 'tmpdir'

# Values, lifetimes, pipes, state, sharing, readers.
class TestSignals < SignalKitTest
  def test_a_generator_is_told_of_the_end_by_the_value_that_ends_it
    told = []
    endless = Signal.create { |subscriber| told << true while subscriber.next(told.size) }
    assert_equal [0, 1, 2, :end], record(endless.take(3))
    assert_equal 2, told.size
  end

  # An object is never released if a value with it is not released.
  def test_what_a_call_that_is_refused_was_given_is_let_go
    closed = Signal.of(1)
    closed.close
    calls = [
      -> { Signal.of(1).read(error: Object.new, counter: 3) },
      -> { Signal.zip(Signal.of(1), error: Object.new, counter: 3) },
      -> { Signal.zip(Signal.of(1), error: Object.new, limit: 0) },
      -> { Signal.of(1).group_by(error: Object.new, counter: 3) { |_, values| values } },
      -> { SignalKit::Values.give(SignalKit::Values::Items.new([Object.new, closed])) }
    ]
    lost = -> { SignalKit::Values.instance_variable_get(:@objects).size }
    before = lost.call
    calls.each { |call| assert_raises(StandardError, &call) }
    assert_equal before, lost.call
  end

  def test_a_signal_shows_its_pipeline_and_a_run_its_state
    pipe = Pipe.new
    signal = pipe.signal.take(2).named('cpu')
    assert_equal "named \"cpu\"\n  take 2\n    pipe", signal.to_s
    assert_equal '#<SignalKit::Signal pipe | take 2 | named "cpu">', signal.inspect
    both = Signal.combine_latest(signal, Signal.never).skip(1)
    assert_equal '#<SignalKit::Signal (pipe | take 2 | named "cpu"; never) | combine_latest | skip 1>', both.inspect
    deep = (0...70).reduce(Signal.never) { |source, count| source.take(count) }
    assert_equal "#<SignalKit::Signal … | #{(6...70).map { |count| "take #{count}" }.join(' | ')}>", deep.inspect
    ended, disposed = Array.new(2) { signal.start {} }
    taken = pipe.signal.take(1).start {}
    assert_equal '#<SignalKit::Disposable running>', ended.inspect
    disposed.dispose
    pipe << 1
    pipe.complete
    assert_equal %w[ended disposed disposed], [ended, disposed, taken].map { |run| run.to_s[/\w+(?=>)/] }
    signal.close
    assert_equal ['#<SignalKit::Signal closed>'] * 2, [signal.inspect, signal.to_s]
  end

  def test_flags_are_symbols
    one, two = UNIXSocket.pair
    two.write 'x'
    queue = Queue.new
    assert_equal [:write], Signal.fd(two.fileno, :write, queue: queue).get(60)
    assert_equal %i[read write], Signal.fd(one.fileno, %i[read write], queue: queue).get(60)
    Dir.mktmpdir do |folder|
      changes = Signal.file_changes(folder, %i[created moved_to], queue: queue).read
      queue.sync {}
      Dir.mkdir("#{folder}/one")
      assert_equal [%i[created is_folder], 'one', 0], changes.next(60)
      changes.close
    end
    [3, [], :hangup, %i[read read], nil].each do |wrong|
      error = assert_raises(TypeError) { Signal.fd(one.fileno, wrong, queue: queue) }
      assert_equal "fd: events: expected some of :read, :write, got #{wrong.inspect}", error.message
    end
    assert_raises(TypeError) { Signal.file_changes('/', %i[created is_folder]) }
  end

  def test_a_sink_writes_text_and_bytes
    from, to = IO.pipe
    queue = Queue.new
    ended = record(Signal.of('grün ', "\0\xff".b, '', "\n").sink_fd(to.fileno, limit: 1, overflow: :pause, queue: queue))
    eventually { !ended.empty? }
    to.close
    assert_equal [:end], ended
    read = Signal.fd_bytes(from.fileno, 99, queue: queue).collect(60).join
    assert_equal "grün \0\xff\n".b, read
    refused = record(Signal.of(1).sink_fd(from.fileno, limit: 99, queue: queue))
    eventually { !refused.empty? }
    error = refused[0][1]
    assert_equal [Errno::EINVAL::Errno, 'sink_fd: write of a value that is neither a string nor bytes: Invalid argument'], [error.code, error.message]
    assert_instance_of SignalKit::Failure, error
  ensure
    from.close
  end

  def test_objects_come_out_as_themselves
    values = [nil, true, false, 1, -(1 << 40), 1 << 70, 1.5, 'text', :symbol, [1, [2]], { a: 1 }, Object.new]
    seen = record(Signal.from(values).map { |v| v })
    assert_equal(-(1 << 63), record(Signal.of(-(1 << 63))).first)
    values.zip(seen) { |value, came| value.nil? ? assert_nil(came) : assert_same(value, came) }
  end

  def test_objects_are_compared_by_ruby
    assert_equal ['a', 'b', :end], record(Signal.of('a', 'a'.dup, 'b').distinct_until_changed)
    assert_equal [[1], [2], :end], record(Signal.of([1], [2], [1]).distinct)
  end

  def test_signals_travel_as_values
    assert_equal [1, 2, 3, :end], record(Signal.of(Signal.of(1), Signal.of(2, 3).map { |n| n }).concat_all)
  end

  def test_events_travel_as_arrays
    events = Signal.of(1).to_events.collect
    assert_equal [[0, 1], [2, nil]], events
    assert_equal [1, :end], record(Signal.from(events).from_events)
  end

  def test_an_error_that_is_no_exception
    assert_equal [[:error, 'unplugged']], record(Signal.fail('unplugged'))
    assert_equal 'unplugged', assert_raises(SignalKit::Failure) { Signal.fail('unplugged').get }.value
  end

  def test_closing_twice_is_fine_and_a_use_afterwards_an_exception
    pipe = Pipe.new
    signal = pipe.signal
    run = signal.start
    2.times { [run, signal, pipe].each(&:close) }
    assert_raises(SignalKit::ClosedError) { pipe << 1 }
    assert_raises(SignalKit::ClosedError) { signal.take(1) }
    assert_raises(SignalKit::ClosedError) { Signal.race(signal) }
    run.dispose
  end

  def test_close_ends_what_can_be_ended
    pipe, seen, alive = Pipe.new, [], []
    pipe.signal.start(completed: -> { seen << :end }) { |n| seen << n }.release
    run = pipe.signal.map { |n| n }.after_disposed { alive << :disposed }.start { |n| alive << n }
    pipe << 1
    2.times { run.close }
    pipe << 2
    set = SignalKit::DisposableBag.new(SignalKit::Disposable.action { alive << :action })
    set.close
    pipe.close
    assert_equal [[1, 2, :end], [1, :disposed, :action]], [seen, alive]
    assert [run, set, pipe].all?(&:closed?)
    assert_raises(SignalKit::ClosedError) { pipe << 3 }
  end

  def test_release_ends_nothing
    pipe, seen = Pipe.new, []
    run = pipe.signal.start(completed: -> { seen << :end }) { |n| seen << n }
    2.times { run.release }
    assert run.closed?
    pipe << 1
    other = pipe.signal
    pipe.release
    assert_raises(SignalKit::ClosedError) { pipe << 2 }
    assert_equal [1], seen
    other.close
  end

  # Ruby copies the instance variables before it calls initialize_copy.
  def test_a_copy_is_a_type_error_and_leaves_the_original
    pipe, state = Pipe.new, SignalKit::State.new(1)
    [pipe, pipe.signal, pipe.signal.start, state, Queue.new, SignalKit::DisposableBag.new].each do |object|
      %i[dup clone].each do |copy|
        assert_equal "can't copy #{object.class}", assert_raises(TypeError) { object.public_send(copy) }.message
      end
      message = assert_raises(TypeError) { Marshal.dump([object]) }.message
      assert_equal "can't dump #{object.class}: it is an object of this process", message
    end
    GC.start
    assert pipe.next(1)
    assert_equal 1, state.value
    pipe.complete
  end

  def test_closing_a_signal_leaves_what_is_made_of_it
    source = Signal.of(1, 2)
    sums = source.map { |n| n }.scan(0) { |a, b| a + b }
    source.close
    assert_equal [1, 3, :end], record(sums)
  end

  # The block sees the variable that holds its signal.
  def test_a_signal_does_not_keep_itself_by_its_block
    weak = ObjectSpace::WeakMap.new
    64.times { Thread.new { make_one(weak) }.join }
    eventually do
      GC.start
      weak.size < 8 # the collector is conservative
    end
  end

  def make_one(weak)
    signal = Signal.of(1).map { |n| [n, signal] }
    again = signal.scan(0) { |a, _| [a, again] }
    weak[again] = Object.new
    again.start
  end

  def test_the_collector_does_not_take_what_a_run_needs_whose_signal_has_gone
    pipe, seen = Pipe.new, []
    Signal.of(1).concat_map { pipe.signal.map { |n| n + 1 } }.start { |v| seen << v }
    5.times { GC.start }
    pipe << 1 << 2
    pipe.close
    assert_equal [2, 3], seen
  end

  def test_the_collector_does_not_take_what_a_run_needs
    pipe, seen = Pipe.new, []
    pipe.signal.map { |n| n + 1 }.switch_map { |n| Signal.of(n).map { |m| m * 2 } }.start { |v| seen << v }
    10.times do |n|
      GC.start
      pipe << n
    end
    assert_equal (1..10).map { |n| n * 2 }, seen
    pipe.complete
  end

  # Each hook runs the collector. It is called after the release of the subscription's sinks, which retained the signal
  # that retains the others.
  def test_the_collector_does_not_take_what_is_called_when_a_run_has_been_disposed
    pipe, hooks = Pipe.new, []
    Thread.new { pipe.signal.switch_map { |n| hooked(n, hooks) }.start }.join
    pipe << 1 << 2
    assert_equal %i[a1 b1 c1], hooks
    pipe.close
    run = Thread.new { hooked(3, hooks).start }.value
    hooks.clear
    run.dispose
    assert_equal %i[a3 b3 c3], hooks
  end

  def hooked(number, hooks)
    %i[a b c].inject(Signal.never) do |signal, hook|
      signal.after_disposed do
        hooks << :"#{hook}#{number}"
        GC.start
      end
    end
  end

  def test_state
    state = SignalKit::State.new(1, ignore_repeated: true)
    seen = record(state.signal)
    state.set(1)
    state.modify { |n| n + 1 }
    state.value = 'three'
    assert_equal [1, 2, 'three'], seen
    assert_nil SignalKit::State.new.value
  end

  def test_promise
    promise = SignalKit::Promise.new(first: Signal.of(1).map { |n| n })
    seen = record(promise.signal)
    promise.set(Signal.of(5).map { |n| n + 1 })
    assert_equal [1, 6], seen
  end

  def test_sharing
    starts = 0
    source = Pipe.new
    shared = Signal.deferred { starts += 1; source.signal }.share
    first, second = record(shared), record(shared)
    source << 1
    assert_equal [[1], [1], 1], [first, second, starts]
    source.complete
    manager = SignalKit::MulticastSignalManager.new
    assert_equal [4, :end], record(manager.multicasted_signal('key') { Signal.of(4) })
    named = record(manager.multicasted_pipe('pipe'))
    manager.next('pipe', 3)
    assert_equal [3], named
    assert_equal [7, :end], record(SignalKit::Sequencer.new.enqueue(Signal.of(7).map { |n| n }))
    assert_equal [8, :end], record(SignalKit::Multicast.new.get('key', Signal.of(8).map { |n| n }))
  end

  def test_share_replays_and_keeps
    starts = 0
    source = Pipe.new
    shared = Signal.deferred { starts += 1; source.signal }.share(replay: 1, keep: Float::INFINITY)
    run = shared.start
    source << 1 << 2
    run.dispose
    assert_equal [2], record(shared)
    assert_equal 1, starts
    assert_equal [], record(source.signal.share)
    source.complete
  end

  module Included
    include SignalKit
    CLASSES = [Signal, Queue, Pipe].freeze

    class Nested
      SIGNAL = Signal
    end
  end

  class Including
    include SignalKit

    def classes = [Signal, Queue, Pipe]
  end

  def test_including_the_module_in_a_module_or_a_class_gives_its_names
    ours = [SignalKit::Signal, SignalKit::Queue, SignalKit::Pipe]
    assert_equal [ours, ours], [Included::CLASSES, Including.new.classes]
    message = assert_raises(SignalKit::UsageError) { Included::Nested::SIGNAL.of(1) }.message
    assert_equal "of: Signal is Ruby's here; write SignalKit::Signal", message
    message = assert_raises(SignalKit::UsageError) { Object.new.extend(SignalKit) }.message
    assert_equal 'extend: SignalKit has classes and no methods; include it', message
  end

  # The constants of Object come first there.
  def test_including_the_module_at_the_top_level_leaves_the_names_of_ruby
    printed = run_program(<<~'RUBY')
      include SignalKit

      def said
        yield
      rescue SignalKit::UsageError, TypeError => e
        puts e.message.sub(/0x\h+/, '')
      rescue NoMethodError
        puts 'no method'
      end
      pipe = Pipe.new
      pipe.signal.start { |n| puts n }
      pipe << 1
      said { Signal.of(1) }
      said { Queue.main }
      said { pipe.signal.deliver_on(Queue.new) }
      said { Queue.undefined }
      puts Signal.list['INT'], Queue.new.size, SignalKit::Signal.of(3).get, Signal.respond_to?(:of)
    RUBY
    assert_equal <<~'TEXT', printed
      1
      of: Signal is Ruby's here; write SignalKit::Signal
      main: Thread::Queue is Ruby's here; write SignalKit::Queue
      deliver_on: queue: expected a SignalKit::Queue, got #<Thread::Queue:>
      no method
      2
      0
      3
      false
    TEXT
  end

  def run_program(program)
    IO.popen(['ruby', '-w', '-I', File.expand_path('../lib', __dir__), '-r', 'signalkit', '-e', program, err: %i[child out]],
             &:read)
  end

  def test_links
    emitter, seen = SignalKit::EventEmitter.new(1), []
    link = emitter.map { |n| n * 2 }.filter { |n| n > 2 }.on_next { |v| seen << v }
    emitter << 2 << 3
    assert_equal [4, 6], seen
    link.unlink
  end

  def test_disposables
    done = []
    set = SignalKit::DisposableBag.new(SignalKit::Disposable.action { done << 1 })
    set << SignalKit::Disposable.action { done << 2 }
    set.dispose
    slot = SignalKit::DisposableSlot.new.set(SignalKit::Disposable.action { done << 3 })
    slot.set(nil)
    dict = SignalKit::DisposableDict.new
    dict['key'] = SignalKit::Disposable.action { done << 4 }
    dict.dispose
    assert_equal [1, 2, 3, 4], done
  end

  def test_reading
    assert_equal 1, Signal.of(1, 2).get
    assert_equal [1, 2], Signal.of(1, 2).collect
    assert_equal :none, Signal.empty.get(default: :none)
    assert_raises(SignalKit::Error) { Signal.empty.get }
    assert_raises(SignalKit::TimeoutError) { SignalKit::State.new.signal.get(0.01) }
    assert_raises(SignalKit::TimeoutError) { Signal.never.get(0.01) }
    assert_raises(SignalKit::TimeoutError) { Signal.never.collect(0.01) }
    assert_equal [1, 4, 9], Signal.of(1, 2, 3).read.map { |n| n * n }
  end

  def test_a_block_may_return_what_it_receives
    pipe = Pipe.new
    values = ['text', Object.new, [1, 'a']]
    last = pipe.signal.map { |value| value }.scan(nil) { |_, value| value }
    pairs = Signal.combine_latest(last, Signal.of(:fixed))
    events = record(Signal.combine_latest(pairs) { |pair| pair }.map(&:first))
    values.each { |value| pipe << value }
    assert_equal values, events
    values.zip(events) { |value, event| assert_same value, event }
  end

  def test_create
    torn = []
    signal = Signal.create do |subscriber|
      subscriber.on_dispose { torn << :first }
      subscriber << 1 << 2
      -> { torn << :last }
    end
    assert_equal [1, :end], record(signal.take(1))
    assert_equal %i[first last], torn
    assert_equal [1, 2, 3], record(Signal.from((1..).lazy.map { |n| n }).take(3)).first(3)
  end

  def test_using
    log = []
    Signal.using(acquire: -> { :resource }, release: ->(r) { log << [:released, r] }) { |r| Signal.of(r) }
          .start { |v| log << v }
    assert_equal [:resource, %i[released resource]], log
  end
end
