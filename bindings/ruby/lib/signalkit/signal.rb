# frozen_string_literal: true

module SignalKit
  # A description of a stream of values: `next* (error | completed)?`. Each start creates a new subscription. Immutable.
  #
  # If a block raises an exception, the subscription fails with it. If a block exits by `throw`, `break` or `return`,
  # the subscription fails with a {LeftError}. `exit` and an interrupt end it, and the call that led to the block raises
  # them again. Blocks run on the emitting thread.
  class Signal < Handle
    private_class_method :new

    # The pipeline: a stage in each line, from the end to the sources.
    # @return [String]
    def to_s = closed? ? inspect : Values.taken(C.sgk_signal_describe(pointer, 0)).chomp

    # Returns the pipeline in one line, from the sources to the end. Combined sources are in parentheses.
    # @return [String]
    def inspect
      return super if closed?

      row = to_s.lines(chomp: true).reverse.each_with_object([]) do |line, others|
        text = line.lstrip
        depth = line.size - text.size
        sources = []
        sources << others.pop.last while others.any? && others.last.first >= [depth + 1, DEEPEST].min
        text = "#{sources.size > 1 ? "(#{sources.join('; ')})" : sources.first} | #{text}" if sources.any?
        others << [depth, depth < DEEPEST ? text : '…']
      end
      "#<#{self.class} #{row.last.last}>"
    end

    # Spaces: the library describes deeper stages at this depth.
    DEEPEST = 128
    private_constant :DEEPEST

    # ---- Starting ----

    # Starts a subscription. The source runs before this returns; the block receives the values.
    # @param error [#call, nil] receives the error; without it the error is logged
    # @param completed [#call, nil] receives the completion
    # @param waitable [Boolean] enables {Disposable#dispose_and_wait} for the subscription
    # @return [Disposable] the subscription; releasing it does not dispose it
    def start(error: nil, completed: nil, waitable: false, &block)
      pointer # raises if it is closed
      stage, = @fused&.started(block)
      run = Border::Run.new(self, stage ? nil : block, error, completed)
      handlers = run.handlers
      start = waitable ? :sgk_signal_start_waitable : :sgk_signal_start
      started = Border.c.public_send(start, (stage || self).pointer, handlers)
      run.stopped_by(started) unless started.null?
      Disposable.made(started)
    ensure
      handlers&.free
      stage&.close
    end

    # Starts a subscription whose values this thread reads on request.
    #
    # With `:suspend`, a full buffer blocks the emitting thread. It does not block this thread, so a source that emits
    # inside the start exceeds the limit. An endless one needs `overflow: :pause`.
    # @return [Reader]
    def read(limit: 1024, overflow: :suspend, error: nil, counter: nil)
      Reader.new(self, limit: limit, overflow: overflow, error: error, counter: counter)
    end

    # Waits for the first value and returns it. Raises the error of the signal.
    # @param timeout [Numeric, nil] seconds, after which there is a {TimeoutError}
    # @param default [Object] the result if there is no value; without it, an {Error} is raised
    def get(timeout = nil, default: (missing = true))
      once(:get, take(1), timeout) { missing ? raise(Error, 'get: the signal completed without a value') : default }
    end

    # All values, for whose end it waits.
    # @return [Array]
    def collect(timeout = nil) = once(:collect, to_array, timeout)

    # ---- Operators on single values ----

    # Emits what the block makes of each value.
    # @return [Signal]
    def map(&block) = fused(:map, block)

    # Passes the values for which the block is true.
    # @return [Signal]
    def filter(&block) = fused(:filter, block)
    alias select filter

    # Passes the values for which the block is false.
    # @return [Signal]
    def reject(&block) = Arguments.block(:reject, block) && filter { |value| !yield(value) }

    # Emits what the block makes of each value, unless that is nil.
    # @return [Signal]
    def compact_map(&block) = fused(:compact_map, block)
    alias filter_map compact_map

    # Calls the block with each value before it is passed on.
    # @return [Signal]
    def before_next(&block) = fused(:before_next, block)
    alias tap_next before_next

    # ---- With arguments that need a word ----

    # Calls the block once for each subscription when it is torn down, by disposal or an end. The source has then been
    # disposed. A source that ends inside the start is disposed when the start returns.
    # @return [Signal]
    def after_disposed(&block)
      Arguments.block(:after_disposed, block)
      source = Signal.owned(C.sgk_retain(pointer))
      hooked = lambda do # for each subscription, which retains the block itself, because its other owners may be released
        receiver = Border::Receiver.new(:after_disposed, block)
        Signal.made(Border.registered(receiver, :action) { |*hook| C.sgk_signal_after_disposed(source.pointer, *hook) })
      end
      with_callback(:after_disposed, hooked, :deferred) { |*callback| C.sgk_signal_deferred(*callback) }
    end

    RETRY_LEAST = { delay: 0, factor: 1, increment: 0, max_delay: 0, jitter: 0, reset_after: 0 }.freeze
    private_constant :RETRY_LEAST

    # If the signal fails, starts it again after a delay on `queue`: by default after 1 second, then after twice as long
    # each time. With a block, the block decides. It receives the error and the number of the failure, from 1 on. It
    # returns
    # - true or nil to start the signal again after the delay,
    # - false to fail with the error,
    # - a number of seconds to wait instead,
    # - a signal, whose first value starts the signal again. If it fails, its error is the result. If it completes
    #   without a value, the signal fails with the error.
    # @param attempts [Integer] the number of attempts, including the first one; 0: no limit
    # @param delay [Numeric] seconds before the second attempt; 0: no wait
    # @param factor [Numeric] multiplies each further delay: 1 or more
    # @param increment [Numeric] lengthens each further delay by these seconds
    # @param max_delay [Numeric] the longest delay
    # @param jitter [Numeric] from 0 to 1: the largest random change of a delay, as a part of it
    # @param reset_after [Numeric] a failure counts as the first one if the attempt lasted this many seconds; 0: never
    # @param seed [Integer] makes the random changes reproducible; 0 uses another seed for each subscription
    # @param reset_on_value [Boolean] whether the failure after a value counts as the first one
    # @return [Signal]
    def retry(attempts: 0, delay: 1, factor: 2, increment: 0, max_delay: 60, jitter: 0, reset_after: 0, seed: 0,
              reset_on_value: false, queue: Queue.main, &decide)
      numbers = { delay: delay, factor: factor, increment: increment, max_delay: max_delay, jitter: jitter,
                  reset_after: reset_after }.map { |name, number| Arguments.number(:retry, name, number) }
      numbers.zip(RETRY_LEAST) { |number, (name, least)| Arguments.at_least(:retry, name, number, least) }
      raise ArgumentError, 'retry: max_delay must be more than 0' unless numbers[3].positive?
      raise ArgumentError, 'retry: jitter must be from 0 to 1' unless numbers[4] <= 1

      numbers[0] = C::AT_ONCE if numbers[0].zero?
      attempts = Arguments.limit(:retry, :attempts, attempts, least: 0)
      seed = Arguments.integer(:retry, :seed, seed)
      queue_pointer = Arguments.handle(:retry, :queue, queue, Queue)
      call = lambda do |entry, context, destroy|
        FFI::MemoryPointer.new(C::SIZES[:sgk_retry]) do |policy|
          policy.put_uint64(0, policy.size).put_int64(8, attempts).put_array_of_double(16, numbers).put_uint64(64, seed)
          policy.put_uint8(72, reset_on_value ? 1 : 0)
          policy.put_pointer(80, entry).put_uint64(88, context).put_pointer(96, destroy) if entry
          return C.sgk_signal_retry(pointer, policy, queue_pointer)
        end
      end
      decide ? with_callback(:retry, Signal.decision(decide, queue), :retry, &call) : derived(call.call(nil, 0, nil))
    end

    # Folds by signals. The block receives the accumulated value and a value, and returns a signal. Its values are
    # arrays of the new accumulated value and, optionally, a value to emit immediately.
    # @return [Signal]
    def reduce_generator(initial, &block)
      Arguments.block(:reduce_generator, block)
      arrays = ->(*values) { yield(*values).map { |items| Values::Items.new(items) } }
      with_callback(:reduce_generator, arrays, :reduce_generator) do |*callback|
        C.sgk_signal_reduce_generator(pointer, *Values.give(initial), *callback)
      end
    end

    # Follows, for each key, the signal that the block creates for the latest value of that key. The signals of
    # different keys run simultaneously. If there are more than `limit` keys, `overflow` decides.
    # @param key [#call, nil] makes the key of a value; nil: it is the value itself
    # @param limit [Integer, nil] nil: without a bound
    # @return [Signal]
    def switch_map_per(key: nil, limit: nil, overflow: :error, error: nil, counter: nil, &block)
      keyed(:switch_map_per, key, block, :map_to_signal, [limit, overflow, error, counter])
    end

    # Sorts the values by keys: with the first value of a key the block gets the key and the signal of the values of it,
    # and makes the signal of the group, whose values are merged into the result.
    # @param key [#call, nil] makes the key of a value; nil: it is the value itself
    # @param limit [Integer, nil] nil: without a bound
    # @return [Signal]
    def group_by(key: nil, limit: nil, overflow: :error, error: nil, counter: nil, &block)
      keyed(:group_by, key, block, :pipeline, [limit, overflow, error, counter])
    end

    # Makes events of arrays of a number (0: a value, 1: an error, 2: the end) and a value: the reverse of {#to_events}.
    # @return [Signal]
    def from_events
      arrays = map { |event| Values::Items.new(event) }
      Signal.made(C.sgk_signal_from_events(arrays.pointer)).hold(arrays)
    end

    # ---- Sources ----

    class << self
      # A signal whose block is called for each start, on the starting thread.
      # @yieldparam subscriber [Subscriber] to emit into, now or later, from any thread
      # @yieldreturn [Disposable, Proc, nil] what stops the source
      # @return [Signal]
      def create(&block)
        with_callback(:create, block, :generator) { |*callback| C.sgk_signal_create(*callback) }
      end

      # Emits the values inside each start, and completes.
      # @return [Signal]
      def of(*values) = from(values)

      # Emits the values of an enumerable inside each start while the subscription is active.
      # @param values [#each]
      # @return [Signal]
      def from(values)
        raise TypeError, "from: expected something enumerable, got #{values.inspect}" unless values.respond_to?(:each)

        create do |subscriber|
          values.each { |value| break unless subscriber.next(value) }
          subscriber.complete
          nil
        end
      end

      # Emits the block's results inside the start while the subscription is active, until the block raises
      # StopIteration. (A subclass like ClosedQueueError is an error.) All subscriptions share the block.
      # @return [Signal]
      def iterate(&block)
        with_callback(:iterate, block, :iterator) { |*callback| C.sgk_signal_from_iterator(*callback) }
      end

      # A signal that fails inside the start.
      # @param error [Exception, Object] best an exception
      # @return [Signal]
      def fail(error) = made(C.sgk_signal_fail(*Values.give(error)))

      # Creates a resource with `acquire` for each start, and behaves like the signal that the block creates with it.
      # `release` receives the resource once, when the subscription is torn down.
      # @yieldparam resource [Object]
      # @yieldreturn [Signal]
      # @return [Signal]
      def using(acquire:, release:, &use)
        Arguments.block(:using, use)
        deferred do
          resource = acquire.call
          begin
            yield(resource).after_disposed { release.call(resource) }
          rescue StandardError
            release.call(resource)
            raise
          end
        end
      end

      # Runs the signals that `once` returns one after another, until it returns nil. `reduce` folds all their values,
      # and the accumulated value is emitted at each value.
      # @param once [#call] receives the accumulated value, nil at first
      # @param reduce [#call] receives the accumulated value and a value
      # @return [Signal]
      def accumulating_loop(once:, reduce:)
        folding = Border::Folding.new(once, reduce)
        guarded(:accumulating_loop, folding, :once) do |entry, context, destroy|
          C.sgk_accumulating_loop(entry, Border.entry(:reducing), context, destroy)
        end
      end

      # @private The signals as the library takes several.
      def listed(name, signals)
        pointers = signals.each_with_index.map { |signal, index| Arguments.signal(name, "signals[#{index}]", signal) }
        FFI::MemoryPointer.new(:pointer, [pointers.size, 1].max) do |array|
          array.write_array_of_pointer(pointers)
          return yield array, pointers.size
        end
      end

      # @private Creates a signal with a block: `yield entry, context, destroy` calls the library.
      def with_callback(name, block, shape, &call)
        receiver = Border::Receiver.new(name, Arguments.block(name, block))
        made(Border.registered(receiver, shape, kept: true, &call)).hold(receiver)
      end

      # @private Creates a signal with a block that cannot report a failure. Each subscription creates the operator
      # again, with a pipe that fails the subscription.
      def guarded(name, block, shape, &call)
        with_callback(name, block, shape, &call).close # that the arguments are right
        make = lambda do
          receiver = Border::Guarded.new(name, block)
          failures = Signal.owned(C.sgk_pipe_signal(receiver.pipe))
          made = made(Border.registered(receiver, shape, &call))
          C.sgk_signal_take_until(made.pointer, failures.pointer)
        ensure
          failures&.close
          made&.close
        end
        with_callback(name, make, :deferred) { |*callback| C.sgk_signal_deferred(*callback) }
      end

      # @private The block of retry, with a signal instead of a number or a flag.
      def decision(decide, queue)
        lambda do |error, failures|
          case answer = decide.call(error, failures)
          when true, nil then nil
          when false then Signal.empty
          when Numeric then Signal.timer(answer, queue: queue)
          else answer
          end
        end
      end

      # @private What a block returns where a signal is wanted, as the library takes it.
      def given(name, answer)
        case answer
        when Signal then answer.for_good
        when FFI::Pointer then answer
        when nil then nil
        else raise TypeError, "#{name}: the block is to return a Signal, not #{answer.inspect}"
        end
      end

      # @private
      def failing(error) = C.sgk_signal_fail(*Values.give(error))
    end

    # @private Returns a reference for the library, which retains the objects that its blocks need. They are in the
    # context of an operator that does nothing, so that each subscription also retains them after the release of the
    # signal.
    def for_good
      return C.sgk_retain(pointer) unless holds?

      Border.registered(Border::Holding.new(@held), :error) do |_, context, destroy|
        C.sgk_signal_before_error(pointer, C::IGNORE_ERROR, context, destroy)
      end
    end

    # @private Marks the signal as the end of neighbouring blocks.
    def fuse(fused)
      @fused = fused
      self
    end

    private

    # The first value. With a timeout, a source that releases its subscriber does not end the wait.
    def once(method, signal, timeout, &none)
      Arguments.timeout(method, timeout)
      silence = timeout && Pipe.new
      signal = signal.take_until(silence.signal) if silence
      reader = signal.read(limit: 1, overflow: :drop_newest)
      reader.next(timeout, &none)
    ensure
      reader&.close
      silence&.close
    end

    # Returns a signal derived from this signal and others.
    def derived(pointer, *others) = Signal.made(pointer).hold(self, *others)

    # This signal with Strings that the library can read.
    def as_data = map { |value| value.is_a?(String) ? Values::Data.new(value) : value }

    # ---- Fusion ----
    #
    # A value that passes from C to Ruby and back costs more than most blocks. Therefore neighbouring blocks are one stage
    # of the library, with the names of their operators. A subscription also calls its block in the same call from C.

    # By operator: its function for values. It passes the original result to the next one, which the library gets.
    FUSED = {
      map: ->(pass, block) { ->(value) { pass.call(block.call(Values.passed(value))) } },
      filter: lambda do |pass, block|
        ->(value) { block.call(Values.passed(value)) ? pass.call(value) : Values::DROPPED }
      end,
      compact_map: lambda do |pass, block|
        lambda do |value|
          result = block.call(Values.passed(value))
          result.nil? ? Values::DROPPED : pass.call(result)
        end
      end,
      before_next: lambda do |pass, block|
        lambda do |value|
          block.call(Values.passed(value))
          pass.call(value)
        end
      end
    }.freeze
    REPLACES = %i[map compact_map].freeze
    ALONE = { map: :mapping, filter: :filtering, compact_map: :compacting, before_next: :watching }.freeze
    LONGEST = 100 # The library has a limit of 500 for the names of a stage.
    # The neighbouring blocks before the end of a signal: the signal before them, the names and the blocks.
    Fused = Struct.new(:source, :names, :blocks) do
      # Returns the stage of a signal, and its receiver, which the signal retains.
      def stage
        return made(Border::Stage.new(names[0], blocks[0], names), ALONE[names[0]], kept: true) if names.size == 1

        made(receiver(names.last, :itself.to_proc), (names & REPLACES).any? ? :replacing : :passing, kept: true)
      end

      # Returns the stage of a subscription, and its receiver, which the library retains.
      def started(block)
        last = block ? ->(value) { block.call(Values.passed(value)) } : :itself.to_proc
        made(receiver(:start, last), :watching, kept: false)
      end

      private

      def receiver(name, last)
        composed = names.zip(blocks).reverse.inject(last) { |pass, (each, block)| FUSED[each].call(pass, block) }
        Border::Stage.new(name, composed, names)
      end

      def made(receiver, shape, kept:)
        stage = Border.registered(receiver, shape, kept: kept) do |*callback|
          receiver.described(*callback) { |given| C.sgk_signal_stage(source.pointer, given) }
        end
        [Signal.made(stage), receiver]
      end
    end
    private_constant :FUSED, :REPLACES, :ALONE, :LONGEST, :Fused

    def fused(name, block)
      Arguments.block(name, block)
      pointer # raises if it is closed
      before = @fused if @fused && @fused.names.size < LONGEST
      source = before ? before.source : Signal.owned(C.sgk_retain(pointer)).hold(self)
      fused = Fused.new(source, [*before&.names, name], [*before&.blocks, block])
      made, receiver = fused.stage
      made.hold(source, receiver).fuse(fused)
    end

    def keyed(name, key, block, shape, bound)
      blocks = Border::Keyed.new(key, Arguments.block(name, block))
      guarded(name, blocks, shape) do |entry, context, destroy|
        C.public_send("sgk_signal_#{name}", pointer, Arguments.bound(name, :limit, *bound), key && Border.entry(:keying),
                      entry, context, destroy)
      end
    end

    def with_callback(name, block, shape, &call) = Signal.with_callback(name, block, shape, &call).hold(self)

    # Applies the operator to a separate handle, which exists as long as the operator.
    def guarded(name, block, shape, &call)
      source = Signal.owned(C.sgk_retain(pointer))
      Signal.guarded(name, block, shape) { |*callback| source.instance_exec(*callback, &call) }.hold(self)
    end
  end

  # The receiver of a generator's values. Any thread.
  class Subscriber < Handle
    private_class_method :new

    # Emits a value.
    # @return [Boolean] false: the subscription has ended, so stop
    def next(value) = Border.done?(Border.c.sgk_subscriber_next(pointer, *Values.give(value)), C::ERROR_ENDED)

    # Emits a value.
    # @return [self]
    def <<(value)
      self.next(value)
      self
    end

    # Fails the subscription with an error.
    def error(error) = Border.done?(Border.c.sgk_subscriber_error(pointer, *Values.give(error)), C::ERROR_ENDED)

    # Completes the subscription.
    def complete = Border.done?(Border.c.sgk_subscriber_complete(pointer), C::ERROR_ENDED)

    # Reports whether the subscription is active.
    def active? = C.sgk_subscriber_is_active(pointer)

    # Calls the block once when the subscription is torn down, or immediately if it has been.
    def on_dispose(&block)
      receiver = Border::Receiver.new(:on_dispose, Arguments.block(:on_dispose, block))
      Border.done?(Border.registered(receiver, :action) { |*callback| C.sgk_subscriber_on_dispose(pointer, *callback) })
    end

    # Whether a stage asks for a pause, because a buffer with the policy :pause is full, or because the program holds the
    # subscription. A value that is sent nevertheless exceeds the limit.
    def paused? = C.sgk_subscriber_is_paused(pointer)

    # Runs the block once on the queue, as soon as no stage asks for a pause. If none does so now, or if the subscription
    # has ended, it is enqueued at once.
    # @return [self]
    def on_resume(queue: Queue.main, &block)
      receiver = Border::Receiver.new(:on_resume, Arguments.block(:on_resume, block))
      place = Arguments.handle(:on_resume, :queue, queue, Queue)
      Border.done?(Border.registered(receiver, :work) { |*callback|
        C.sgk_subscriber_on_resume(pointer, *callback, place)
      })
      self
    end
  end
end
