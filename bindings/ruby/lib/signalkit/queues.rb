# frozen_string_literal: true

module SignalKit
  # Runs blocks. A queue that you create and the main queue run one at a time, in order. Exceptions are logged. If a
  # block runs on a thread of the library, ruby-ffi creates a Ruby thread for it, which costs about fifty microseconds.
  # Therefore deliver frequent events on the main queue.
  class Queue < Handle
    class << self
      # The main queue, whose blocks run on the main thread, in {SignalKit.run}.
      def main = made(C.sgk_queue_main)

      # The process-wide concurrent queue, or a concurrent queue with its own threads.
      # @param name [String, nil]
      # @param threads [Integer, nil] from 1 to 1024
      # @return [Queue]
      def concurrent(name = nil, threads = nil)
        return made(C.sgk_queue_concurrent_default) if name.nil? && threads.nil?

        made(C.sgk_queue_create_concurrent(Arguments.text(:concurrent, :name, name),
                                           Arguments.integer32(:concurrent, :threads, threads)))
      end

      # The process-wide concurrent queue of background priority.
      def background = made(C.sgk_queue_concurrent_background)

      # A queue with a virtual clock, which only the program advances: see {VirtualQueue}.
      def virtual = VirtualQueue.new
    end

    # Creates a queue on a loop of the program. The block receives each job, and makes the loop `call` it later: never
    # inside the block, in the order of arrival and one at a time. The block is called on any thread. If it raises, the
    # loop has ended. The queue retains the block, and all variables around it, until the queue is closed.
    # @yieldparam job [#call, #to_proc]
    # @return [Queue]
    def self.on(&post)
      receiver = Border::Receiver.new(:on, Arguments.block(:on, post))
      Border.registered(receiver, :posting) do |entry, context, destroy|
        table = FFI::MemoryPointer.new(C::SIZES[:sgk_queue_table])
        table.put_uint64(0, table.size).put_array_of_pointer(8, [entry, nil, nil, nil, nil, destroy])
        made(C.sgk_queue_create_custom(table, context))
      end
    end

    # A serial queue, with a thread of the pool whenever it has work.
    def initialize(name = 'ruby') = made(C.sgk_queue_create(Arguments.text(:new, :name, name)))

    # Reports whether the caller runs on the queue.
    def current? = C.sgk_queue_is_current(pointer)

    # Returns how many jobs a queue on a loop of the program ({on}) dropped because the loop has ended.
    def dropped = Border.counted(C.sgk_queue_dropped(pointer))

    # The time of its clock, in seconds from any fixed point.
    def now = C.sgk_queue_now(pointer)

    # Runs the block inline when the queue is current, otherwise later.
    def async(&block) = put(:async, block)

    # Runs the block later, never inline.
    def dispatch(&block) = put(:dispatch, block)

    # Runs the block on the queue, waits for it, and returns its result or raises its exception. A wait for the main
    # queue deadlocks if nothing runs that queue.
    def sync(&block)
      Arguments.block(:sync, block)
      answer = nil
      Border.immediately(:sync, -> { answer = yield }, :work) do |entry, context|
        Border.done?(C.sgk_queue_sync(pointer, entry, context))
      end
      answer
    end

    # Runs the block after some seconds, unless the returned object is disposed before.
    # @return [Disposable]
    def after(seconds, &block)
      receiver = Border::Receiver.new(:after, Arguments.block(:after, block))
      seconds = Arguments.number(:after, :seconds, seconds)
      later = Disposable.made(
        Border.registered(receiver, :work) { |*callback| C.sgk_queue_after(pointer, seconds, *callback) }
      )
      receiver.stopped_by(later.pointer)
      later
    end

    private

    def put(name, block)
      receiver = Border::Receiver.new(name, Arguments.block(name, block))
      Border.done?(
        Border.registered(receiver, :work) { |*callback| Border.c.public_send("sgk_queue_#{name}", pointer, *callback) }
      )
      self
    end
  end

  # A serial queue with a virtual clock, for tests that own the time. Blocks run inside of {#advance}, {#advance_to} and
  # {#run}, at their times, in their order.
  class VirtualQueue < Queue
    # @param beside [VirtualQueue, nil] the queue whose clock to use
    def initialize(beside: nil)
      made(C.sgk_queue_create_virtual(Arguments.handle(:new, :beside, beside, VirtualQueue, optional: true)))
    end

    # Moves the time on.
    def advance(seconds)
      Border.done?(Border.c.sgk_queue_advance(pointer, Arguments.number(:advance, :seconds, seconds)))
    end

    # Moves the time on to a point.
    def advance_to(time)
      Border.done?(Border.c.sgk_queue_advance_to(pointer, Arguments.number(:advance_to, :time, time)))
    end

    # Runs until no work is pending or `limit` jobs have run.
    # @return [Integer] the number of jobs
    def run(limit = 1_000_000) = Border.counted(Border.c.sgk_queue_run(pointer, Arguments.integer(:run, :limit, limit)))

    # How much waits, work and timers.
    def pending = Border.counted(C.sgk_queue_pending(pointer))

    # The system sleeps: the clock on the wall moves on, and the queue's does not.
    def suspend(seconds)
      Border.done?(C.sgk_queue_suspend(pointer, Arguments.number(:suspend, :seconds, seconds)))
    end
  end

  # An object that is created, used and released on one serial queue only. Any thread may use the QueueLocal.
  class QueueLocal < Handle
    # The block creates the object, on the queue. Its exception is raised at each use of the object.
    def initialize(queue, &block)
      queue = Arguments.handle(:new, :queue, queue, Queue)
      @confined = Border::Confined.new(:new, Arguments.block(:new, block))
      made(Border.registered(@confined, :making) do |entry, context, destroy|
        C.sgk_queue_local_create(entry, nil, context, destroy, queue)
      end)
    end

    # Calls the block with the object on the queue: inline when it is current, otherwise later.
    # @return [self]
    def with(&block)
      receiver = Border::Receiver.new(:with, confining(:with, block))
      Border.done?(Border.registered(receiver, :using) { |*callback| C.sgk_queue_local_with(pointer, *callback) })
      self
    end

    # Calls the block with the object on the queue, waits for it, and returns its result or raises its exception.
    def sync_with(&block)
      answer = nil
      use = confining(:sync_with, block)
      Border.immediately(:sync_with, -> { answer = use.call }, :using) do |entry, context|
        Border.done?(C.sgk_queue_local_sync_with(pointer, entry, context))
      end
      answer
    end

    # Like {Signal.create}, but calls the block on the queue, with the object and a {Subscriber}. It is no longer called
    # after this object was released.
    # @return [Signal]
    def signal_with(&block)
      Signal.with_callback(:signal_with, confining(:signal_with, block), :generating) do |*callback|
        C.sgk_queue_local_signal_with(pointer, *callback)
      end
    end

    private

    # Returns the block with the object as an additional first argument.
    def confining(name, block)
      confined = @confined
      Arguments.block(name, block)
      ->(*given) { block.call(confined.thing, *given) }
    end
  end

  # Calls a block on a queue after a delay, once or repeatedly. Releasing the timer stops it.
  class Timer < Handle
    def initialize(seconds, queue: Queue.main, repeat: false, &block)
      receiver = Border::Receiver.new(:timer, Arguments.block(:timer, block))
      seconds = Arguments.number(:timer, :seconds, seconds)
      queue = Arguments.handle(:timer, :queue, queue, Queue)
      made(Border.registered(receiver, :work, kept: true) do |*callback|
        C.sgk_timer_create(seconds, repeat, *callback, queue)
      end)
      hold(receiver)
    end

    # Starts or restarts the timer.
    # @return [self]
    def start
      Border.done?(C.sgk_timer_start(pointer))
      self
    end

    # Stops it. It can be started again.
    # @return [self]
    def invalidate
      Border.done?(C.sgk_timer_invalidate(pointer))
      self
    end

    # Ends it by firing it, if it runs.
    def fire_and_invalidate = Border.done?(Border.c.sgk_timer_fire_and_invalidate(pointer))

    # Changes the delay and restarts the timer.
    def reset_timeout(seconds)
      Border.done?(C.sgk_timer_reset_timeout(pointer, Arguments.number(:reset_timeout, :seconds, seconds)))
    end

    # Reports whether the timer will fire.
    def scheduled? = C.sgk_timer_is_scheduled(pointer)

    # Seconds until the next firing.
    def remaining_time = C.sgk_timer_remaining_time(pointer)
  end

  # A fixed number of threads.
  class ThreadPool < Handle
    def initialize(threads, priority: 0.5)
      made(C.sgk_thread_pool_create(Arguments.integer32(:new, :threads, threads),
                                    Arguments.number(:new, :priority, priority)))
    end

    # Runs the block on any thread of the pool, unless the returned object is disposed before.
    # @return [Disposable]
    def add_task(&block)
      receiver = Border::Receiver.new(:add_task, Arguments.block(:add_task, block))
      task = Disposable.made(
        Border.registered(receiver, :work) { |*callback| C.sgk_thread_pool_add_task(pointer, *callback) }
      )
      receiver.stopped_by(task.pointer)
      task
    end

    # @return [Queue] a new serial queue on the pool
    def next_queue = Queue.made(C.sgk_thread_pool_next_queue(pointer))

    # @return [Queue] the pool as a concurrent queue, which keeps it
    def queue = Queue.made(C.sgk_thread_pool_queue(pointer))

    # Reports whether the caller runs on a thread of the pool.
    def current? = C.sgk_thread_pool_is_current_thread_in_pool(pointer)

    # Lets the tasks that wait go, and ends the threads.
    def shutdown = Border.done?(C.sgk_thread_pool_shutdown(pointer))
  end

  # ---- The main queue's loop ----

  class << self
    # Runs the main queue until {stop}, on the main thread. Ruby's other threads go on, and signals get through.
    def run
      @running = true
      woken = main_io
      while @running
        IO.select([woken])
        drain_main
      end
    end

    # Makes {run} return. Any thread.
    def stop
      @running = false
      Queue.main.dispatch {}
    end

    # Returns an IO that is readable when the main queue has work. A program's loop watches it and calls {drain_main}.
    # @return [IO]
    def main_io = IO.for_fd(Border.counted(C.sgk_main_fd), autoclose: false)

    # Runs what the main queue has to do by now.
    def drain_main = Border.done?(Border.c.sgk_main_drain)
  end
end
