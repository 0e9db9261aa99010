# frozen_string_literal: true

require_relative 'helper'

# Queues, timers, loops, virtual time; blocks on threads of the library's.
class TestQueues < SignalKitTest
  def test_blocks_on_a_queue_of_the_library
    queue, seen = Queue.new('own'), Thread::Queue.new
    100.times { |n| queue.dispatch { seen << n } }
    assert_equal (0...100).to_a, Array.new(100) { seen.pop }
    assert_equal 42, queue.sync { 42 }
    refute queue.current?
  end

  # A loop as programs have them: a thread that takes blocks out of a queue.
  def looping
    jobs = Thread::Queue.new
    thread = Thread.new { while (job = jobs.pop) do job.call end }
    yield jobs, thread
  ensure
    jobs.close
    thread.join
  end

  def test_a_queue_on_a_loop_of_the_programs
    looping do |jobs, thread|
      queue = Queue.on { |job| jobs << job }
      seen = Signal.of(*1..50).run_on(Queue.new).deliver_on(queue).map { |n| [n, Thread.current] }.collect(60)
      assert_equal (1..50).map { |n| [n, thread] }, seen
      assert_equal thread, queue.sync { Thread.current }
      fired = Thread::Queue.new
      queue.after(0.001) { fired << queue.current? }
      assert_equal true, fired.pop
      assert_raises(ZeroDivisionError) { queue.sync { 1 / 0 } }
      queue.close
    end
  end

  def test_a_loop_that_has_ended
    jobs = Thread::Queue.new.close
    queue = Queue.on { |job| jobs << job }
    heard = unheard { assert_raises(SignalKit::UsageError) { queue.dispatch { flunk } } }
    assert_equal [ClosedQueueError], heard.map { |_, error| error.class }
    assert_equal 1, queue.dropped
    queue.close
    kept = nil
    queue = Queue.on do |job|
      kept = job
      raise 'too late'
    end
    unheard { assert_raises(SignalKit::UsageError) { queue.dispatch { flunk } } }
    kept.call # as it should not
    queue.close
    # Jobs that the loop has received and drops are released.
    kept = []
    queue = Queue.on { |job| kept << job }
    queue.dispatch { flunk }
    queue.close
    kept.clear
  end

  def test_an_object_of_one_queue
    looping do |jobs, thread|
      queue = Queue.on { |job| jobs << job }
      local = SignalKit::QueueLocal.new(queue) { Thread.current }
      assert_equal [thread, thread], local.sync_with { |made_on| [made_on, Thread.current] }
      queue.close
      local.close
    end
    queue = Queue.new
    local = SignalKit::QueueLocal.new(queue) { [1] }
    local.with { |list| list << 2 }
    assert_equal [1, 2], local.sync_with(&:dup)
    doubled = local.signal_with do |list, subscriber|
      list.each { |n| subscriber.next(n * 2) }
      subscriber.complete
    end
    assert_equal [2, 4], doubled.collect(60)
    assert_raises(ZeroDivisionError) { local.sync_with { 1 / 0 } }
    assert_raises(ZeroDivisionError) { local.signal_with { 1 / 0 }.collect(60) }
    local.close
    assert_raises(SignalKit::ClosedError) { local.with { flunk } }
    queue.sync {} # has released it
    silent = record(doubled)
    queue.sync {}
    assert_empty silent
  end

  def test_an_object_of_one_queue_that_cannot_be_made
    local = SignalKit::QueueLocal.new(Queue.new) { raise KeyError, 'none' }
    assert_raises(KeyError) { local.sync_with { flunk } }
    assert_raises(KeyError) { local.signal_with { flunk }.collect(60) }
    assert_raises(SignalKit::UsageError) { SignalKit::QueueLocal.new(Queue.concurrent) { 1 } }
    assert_raises(TypeError) { SignalKit::QueueLocal.new(3) { 1 } }
  end

  def test_values_cross_threads
    numbers = Signal.of(*1..50).map { |n| "value #{n}" }.run_on(Queue.new).deliver_on(Queue.new).map(&:upcase)
    assert_equal (1..50).map { |n| "VALUE #{n}" }, numbers.collect(60)
  end

  def test_who_emits_may_be_suspended
    bounded = Signal.range(0, 200).run_on(Queue.new).deliver_on_bounded(queue: Queue.new, limit: 2, overflow: :suspend)
    assert_equal (0...200).to_a, bounded.map { |n| n }.collect(60)
  end

  # This test deadlocks unless the call releases Ruby's lock.
  def test_a_thread_of_rubys_may_be_suspended
    pipe, seen = Pipe.new, Thread::Queue.new
    bounded = pipe.signal.deliver_on_bounded(queue: Queue.new, limit: 1, overflow: :suspend)
    run = bounded.start { |n| seen << n }
    50.times { |n| pipe << n }
    assert_equal (0...50).to_a, Array.new(50) { seen.pop }
    run.dispose
  end

  def test_virtual_time
    queue = Queue.virtual
    seen = record(Signal.interval(1, queue: queue).map { |n| [n, queue.now] }.throttle(2, queue: queue).take(2))
    queue.advance(10)
    assert_equal [0, 1.0], seen[0]
    assert_equal :end, seen.last
    assert_equal 0, queue.run
    fired = 0
    timer = SignalKit::Timer.new(5, queue: queue, repeat: true) { fired += 1 }.start
    queue.advance(11)
    timer.invalidate
    assert_equal 2, fired
    queue.after(1) { fired += 1 }.dispose
    queue.advance(2)
    assert_equal 2, fired
  end

  def test_attempts
    queue, attempts = Queue.virtual, 0
    failing = Signal.deferred { (attempts += 1) < 3 ? Signal.fail(RuntimeError.new) : Signal.of(attempts) }
    seen = record(failing.retry(attempts: 5, factor: 3, queue: queue))
    queue.advance(3.9)
    assert_equal 2, attempts
    queue.advance(0.2)
    assert_equal [3, :end], seen
  end

  def test_pools
    pool, seen = SignalKit::ThreadPool.new(2), Thread::Queue.new
    pool.add_task { seen << 1 }
    pool.next_queue.dispatch { seen << 2 }
    assert_equal [1, 2], [seen.pop, seen.pop].sort
    pool.shutdown
  end

  def test_concurrent_queues
    queue, first, second = Queue.concurrent('both', 2), Thread::Queue.new, Thread::Queue.new
    queue.dispatch { second << first.pop }
    queue.dispatch { first << 1 }
    assert_equal 1, second.pop
    error = assert_raises(SignalKit::UsageError) { Queue.concurrent('none', 0) }
    assert_match(/threads: must be from 1 to 1024/, error.message)
  end

  def test_bounds
    counter = SignalKit::OverflowCounter.new
    pipe, queue = Pipe.new, Queue.virtual
    bounded = pipe.signal.deliver_on_bounded(queue: queue, limit: 2, overflow: :drop_oldest, counter: counter)
    seen = record(bounded)
    (1..5).each { |n| pipe << n }
    queue.run
    assert_equal [[4, 5], 3], [seen, counter.dropped]
    exceeding = record(pipe.signal.deliver_on_bounded(queue: queue, limit: 2, overflow: :pause, counter: counter))
    (1..5).each { |n| pipe << n }
    queue.run
    assert_equal [[1, 2, 3, 4, 5], 3], [exceeding, counter.exceeded]
    paused = record(Signal.range(0, 5).deliver_on_bounded(queue: queue, limit: 2, overflow: :pause, counter: counter))
    queue.run
    assert_equal [[0, 1, 2, 3, 4, :end], 3], [paused, counter.exceeded]
    assert_equal [true, false], [pipe.next(6), pipe.paused?]
    assert_equal [true, true], [pipe.next(7), pipe.paused?]
    resumed = 0
    pipe.on_resume(queue: queue) { resumed += 1 }
    queue.run
    assert_equal [1, false, 7], [resumed, pipe.paused?, exceeding.last]
    assert_raises(TypeError) { pipe.on_resume(queue: 1) {} }
    subscriber = nil
    held = Signal.create { |made| (subscriber = made) && nil }.start
    hold = held.hold
    subscriber.on_resume(queue: queue) { resumed += 1 }
    queue.run
    assert_equal [1, true], [resumed, subscriber.paused?]
    hold.close
    queue.run
    assert_equal [2, false], [resumed, subscriber.paused?]
    assert_raises(TypeError) { subscriber.on_resume(queue: 1) {} }
    held.dispose
    full = record(Signal.of(1, 2, 3).to_array(limit: 2))
    assert_kind_of SignalKit::Overflow, full.last[1]
    pipe.complete
  end

  def test_a_second_policy_decides_about_a_source_that_goes_on
    pipe, queue, counter = Pipe.new, Queue.virtual, SignalKit::OverflowCounter.new
    [%i[pause drop_oldest], %i[drop_oldest pause]].each.with_index(1) do |overflow, dropped|
      seen = record(pipe.signal.deliver_on_bounded(queue: queue, limit: 4, overflow: overflow, counter: counter).take(4))
      paused = (1..5).map { |n| pipe.next(n) && pipe.paused? }
      assert_equal [false, false, true, true, true], paused # from three quarters of the limit
      queue.run
      assert_equal [[2, 3, 4, 5, :end], dropped, 0], [seen, counter.dropped, counter.exceeded]
    end
    [[:pause], %i[pause pause], %i[drop_oldest drop_newest], %i[pause else]].each do |wrong|
      error = assert_raises(TypeError) { pipe.signal.deliver_on_bounded(queue: queue, limit: 4, overflow: wrong) }
      assert_match(/overflow: expected a Symbol, or :pause and another one/, error.message)
    end
    pipe.complete
  end

  def test_holds
    pipe = SignalKit::Pipe.new
    run = pipe.signal.start
    other = run.hold
    assert_equal([7, true], run.hold { [7, pipe.paused?] })
    assert pipe.paused?
    assert_raises(RuntimeError) { run.hold { raise 'inside' } }
    other.close
    refute pipe.paused?
    assert_raises(SignalKit::UsageError) { SignalKit::Disposable.action {}.hold }
    run.dispose
    run.hold.release
    pipe.complete
  end

  def test_exit_on_a_thread_of_the_library_ends_the_program
    program = "require 'signalkit'; q = SignalKit::Queue.new; q.dispatch { exit 5 }; sleep 300"
    system('ruby', '-w', '-I', File.expand_path('../lib', __dir__), '-e', program)
    assert_equal 5, $?.exitstatus
  end

  def test_a_program_that_ends_with_runs_alive
    program = <<~RUBY
      require 'signalkit'
      $last = $timer = nil
      SignalKit::Signal.interval(0.0001, queue: SignalKit::Queue.new).map { |n| [n] }.start { |v| $last = v }
      SignalKit::Timer.new(0.0001, repeat: true, queue: SignalKit::Queue.new) { $timer = true }.tap { |t| $kept = t }.start
      sleep 0.001 until $last && $timer
      exit 3
    RUBY
    5.times do
      system('ruby', '-w', '-I', File.expand_path('../lib', __dir__), '-e', program)
      assert_equal 3, $?.exitstatus
    end
  end
end
