# frozen_string_literal: true

require_relative 'shapes'

module SignalKit
  # @private The functions that the library calls. Nothing in a block unwinds into the library. An exception fails the
  # subscription, and so does a block that exits in another way.
  #
  # One native function serves all blocks with the same signature. A context, which is a number, identifies a block.
  module Border
    CONTEXTS = {} # rubocop:disable Style/MutableConstant
    # The receivers that Ruby objects retain, for instance the signal of an operator's block. A block retains all
    # variables around it, and the signal is often one of them. A table that retains the block would retain both
    # permanently.
    KEPT_ELSEWHERE = ObjectSpace::WeakMap.new
    ORDINARY = [StandardError, ScriptError, SystemStackError].freeze
    private_constant :CONTEXTS, :KEPT_ELSEWHERE, :ORDINARY

    # A block, or several, that the library may call.
    class Receiver
      attr_reader :name, :block

      def initialize(name, block)
        @name = name
        @block = block
      end

      # Reports an exception that no signal can deliver. The end of the program is not an error.
      def fail(error)
        caught(error)
        Border.report(@name, error) unless error.is_a?(SystemExit) || error.is_a?(SignalException)
      end

      # Notes an exception that must be raised again when the outermost call returns.
      def caught(error)
        Border.leave(error) unless Border.ordinary?(error)
        error
      end

      # Disposes the caller of the block at the end of the program.
      def stop = @run && C.sgk_disposable_dispose(@run)

      # Stores the borrowed subscription. The library may have released this object already.
      def stopped_by(run)
        @run = C.sgk_retain(run)
        let_go unless Border.find(__id__)
      end

      # Called when the library cannot call the receiver again.
      def let_go
        run, @run = @run, nil
        C.sgk_release(run) if run
      end
    end

    # One that is called before the call that it was given to returns, which raises what it raises.
    class Immediate < Receiver
      attr_reader :error

      def fail(error) = @error ||= error

      def caught(error) = fail(error)
    end

    # A receiver whose error fails the subscription, through a pipe: `Signal#guarded`.
    class Guarded < Receiver
      attr_reader :pipe

      def initialize(name, block)
        super
        @pipe = C.sgk_pipe_create
      end

      def fail(error) = C.sgk_pipe_error(@pipe, *Values.give(caught(error)))

      def let_go = C.sgk_release(@pipe)
    end

    # The blocks of neighbouring operators, as one stage.
    class Stage < Receiver
      NAMES = Hash.new { |names, name| names[name] = FFI::MemoryPointer.from_string(name.to_s) }
      private_constant :NAMES

      def initialize(name, block, names)
        super(name, block)
        @names = FFI::MemoryPointer.new(:pointer, names.size).write_array_of_pointer(names.map { |each| NAMES[each] })
      end

      # Passes a sgk_stage for the receiver.
      def described(entry, context, destroy)
        FFI::MemoryPointer.new(C::SIZES[:sgk_stage]) do |stage|
          stage.put_uint64(0, stage.size).put_uint64(8, context).put_pointer(16, destroy)
          stage.put_pointer(24, @names).put_uint64(32, @names.size / 8).put_pointer(56, entry)
          return yield stage
        end
      end
    end

    # The blocks of a subscription.
    class Run < Receiver
      attr_reader :on_error, :on_completed

      def initialize(signal, block, on_error, on_completed)
        super(:start, block)
        @signal = signal
        @on_error = on_error
        @on_completed = on_completed
      end

      # Returns a sgk_handlers for the receiver. The caller frees it after the call of the library.
      def handlers
        context = Border.register(self)
        receive = @block && Border.entry(:watching)
        functions = [nil, @on_error && Border.entry(:failing), @on_completed && Border.entry(:completing), nil, receive]
        handlers = FFI::MemoryPointer.new(C::SIZES[:sgk_handlers])
        handlers.put_uint64(0, handlers.size).put_uint64(8, context)
        handlers.put_array_of_pointer(16, [DESTROY, *functions])
      end
    end

    # A receiver that creates the object of one queue. The library does not see the object: blocks get it from here.
    class Confined < Receiver
      def make
        @thing = block.call
      ensure
        @block = nil
      end

      # It has not been made.
      def fail(error) = @error = caught(error)

      def thing = @error ? raise(@error) : @thing
    end

    # One that is never called, and keeps what a signal needs.
    class Holding < Receiver
      def initialize(held)
        super(:signal, nil)
        @held = held
      end
    end

    # The blocks of an operator with keys.
    class Keyed
      def initialize(key, make)
        @key = key
        @make = make
      end

      def call(*values) = @make.call(*values)

      def key(value) = @key.call(value)
    end

    # The blocks of a loop.
    class Folding
      def initialize(once, reduce)
        @once = once
        @reduce = reduce
      end

      def call(accumulated) = @once.call(accumulated)

      def reduce(accumulated, value) = @reduce.call(accumulated, value)
    end

    # A job for a loop of the program. It is run once or released.
    class Job
      def initialize(work, context, destroy)
        @work = FFI::Function.new(:void, [:pointer], work, blocking: true)
        @context = FFI::AutoPointer.new(context, FFI::Function.new(:void, [:pointer], destroy, blocking: true))
      end

      def call
        context, @context = @context, nil
        return unless context

        @work.call(context)
        context.free
        Border.settle
      end

      # Called when the library releases the job.
      def refused
        @context&.autorelease = false
        @context = nil
      end

      def to_proc = method(:call).to_proc
    end

    class << self
      # The module for calls that may emit.
      attr_reader :c

      # From now on these calls release Ruby's lock, because an operator may block the emitting thread.
      def may_wait = @c = C::Patient

      # Returns the context of a receiver, which is valid until the library releases it.
      def register(receiver)
        CONTEXTS[receiver.__id__] = receiver
        receiver.__id__
      end

      # The context of one that an object of Ruby's keeps as long as the library does.
      def register_kept(receiver)
        KEPT_ELSEWHERE[receiver.__id__] = receiver
        receiver.__id__
      end

      # Calls the library with a receiver: `yield entry, context, destroy`. The library owns the context after the call.
      # An exception before the call is about an argument.
      def registered(receiver, shape, kept: false)
        context = kept ? register_kept(receiver) : register(receiver)
        yield entry(shape), context, DESTROY
      rescue StandardError
        forget(context)&.let_go
        raise
      end

      def find(context) = CONTEXTS[context] || KEPT_ELSEWHERE[context]

      def forget(context) = CONTEXTS.delete(context) || KEPT_ELSEWHERE[context]

      # Returns the result of a block, or raises its exception. The block is called only inside the block of this
      # method, which receives its entry and context.
      def immediately(name, block, shape)
        receiver = Immediate.new(name, block)
        context = register(receiver)
        answer = yield entry(shape), context
        raise receiver.error if receiver.error

        answer
      ensure
        forget(context)
      end

      # Raises the exception that ended a block of this thread and concerns more than its subscription. Call it after
      # each call that may have called blocks.
      def settle
        return unless @left

        error = Thread.current.thread_variable_get(:signalkit_left)
        return unless error

        Thread.current.thread_variable_set(:signalkit_left, nil)
        raise error
      end

      # Notes that the outermost call of the library's on this thread is to raise. On a thread of the library's there is
      # none, and the main thread gets it.
      def leave(error)
        if caller_locations.last.path == __FILE__
          Thread.main.raise(error) unless error.is_a?(LeftError)
        else
          @left = true
          current = Thread.current
          current.thread_variable_set(:signalkit_left, error) unless current.thread_variable_get(:signalkit_left)
        end
      end

      # Reports whether only a signal delivers the error.
      def ordinary?(error) = ORDINARY.any? { |kind| kind === error } && !error.is_a?(LeftError)

      # Reports an error that no signal can deliver. The block of {SignalKit.on_unheard} cannot be exited early either.
      def report(name, error)
        left = true
        SignalKit.unheard(name, error)
        left = false
      rescue Exception => e # rubocop:disable Lint/RescueException
        left = false
        leave(e) unless ordinary?(e)
      ensure
        if left
          leave(LeftError.new('on_unheard: the block exited by throw, break or return'))
          return # rubocop:disable Lint/EnsureReturn
        end
      end

      # Reports whether the call succeeded; false if the status is one of these answers.
      def done?(status, *answers)
        settle
        return true unless status.negative?
        return false if answers.include?(status)

        refused
      end

      # The number that a function gave.
      def counted(number)
        settle
        number.negative? ? refused : number
      end

      def refused = raise(UsageError, last_error)

      def last_error = text(C.sgk_last_error)

      # Returns a text of the library with the name of the method alone: `take: count: must be 0 or more`.
      def text(bytes) = bytes.b.sub(/\Asgk_(signal_|disposable_|queue_(create_)?|to_object: )?/, '').force_encoding(Encoding::UTF_8)

      # ---- The end of the program: its threads are killed before those of the library are ----

      attr_reader :closing

      def close
        @closing = true
        CONTEXTS.each_value.to_a.each(&:stop)
        ObjectSpace.each_object(Timer) { |timer| timer.invalidate unless timer.closed? }
        ObjectSpace.each_object(QueueLocal, &:release)
        C.sgk_drain(1)
      ensure
        @closing = false
      end

      # ---- Entries ----

      # The native function for blocks of a shape.
      def entry(shape) = ENTRIES.fetch(shape)
    end
    @c = C
    @closing = false

    UNCHANGED = C::Value.new.tap { |value| value[:word] = C::OUTCOME_UNCHANGED << 32 }
    DROPPED = C::Value.new.tap { |value| value[:word] = C::OUTCOME_DROPPED << 32 }
    NULL = C::Value.new

    # The code that passes an argument: the types, the names, the block's argument.
    GIVEN = {
      value: [%i[uint64 int64], ['k%d', 'b%d'], 'Values.decode(k%d, b%d)'],
      error: [%i[uint64 int64], ['k%d', 'b%d'], 'Values.decode_error(k%d, b%d)'],
      values: [%i[pointer], ['p%d'], '*Values.items(p%d, n)'],
      length: [%i[size_t], ['n'], nil],
      optional_value: [%i[pointer], ['p%d'], '(p%d.null? ? nil : Values.at(p%d))'],
      integer: [%i[int64], ['i%d'], 'i%d'],
      text: [%i[string], ['t%d'], 't%d&.dup&.force_encoding(Encoding::UTF_8)'],
      subscriber: [%i[pointer], ['subscriber'], '(subscriber = Subscriber.owned(C.sgk_retain(subscriber)))'],
      disposable: [%i[pointer], ['p%d'], 'Disposable.owned(C.sgk_retain(p%d))'],
      signal: [%i[pointer], ['p%d'], 'Signal.owned(C.sgk_retain(p%d))'],
      emitter: [%i[pointer], ['p%d'], 'Emitter.new(p%d)'],
      ignored: [%i[size_t], ['o%d'], nil],
      job: [%i[pointer pointer pointer], ['w%d', 'c%d', 'd%d'], '(job = Border::Job.new(w%d, c%d, d%d))'],
      out_value: [%i[pointer], ['out'], nil]
    }.freeze

    # The code that returns an answer: the type, the answer, and the substitute after an exception.
    RETURNED = {
      none: [:void, 'nil', 'receiver.fail(error); nil'],
      value: [C::VALUE, 'Values.owned(answer)', 'receiver.fail(error); NULL'],
      flag: [:bool, 'answer ? true : false', 'receiver.fail(error); false'],
      signal: [:pointer, 'Signal.given(receiver.name, answer)', 'Signal.failing(receiver.caught(error))'],
      disposable: [:pointer, 'Disposable.given(receiver.name, answer)',
                   'Border.emit_error(subscriber, receiver.caught(error))'],
      status: [:int, 'Values.store(out, answer); 0', 'receiver.fail(error); C::ERROR_ARGUMENT'],
      # Signatures with special code.
      compact_map: [:bool, 'answer.nil? ? false : (Values.store(out, answer); true)', 'receiver.fail(error); false'],
      making: [:size_t, 'context', 'receiver.fail(error); context'],
      posting: [:int, 'C::OK', 'receiver.fail(error); job&.refused; C::ERROR_ENDED'],
      iterator: [:bool, 'Values.store(out, answer); true', 'Border.last_item(out, receiver, error)'],
      # Transformations.
      mapping: [C::VALUE, 'Values.owned(answer)', 'Values.failed(receiver.caught(error))'],
      filtering: [C::VALUE, 'answer ? UNCHANGED : DROPPED', 'Values.failed(receiver.caught(error))'],
      compacting: [C::VALUE, 'answer.nil? ? DROPPED : Values.owned(answer)', 'Values.failed(receiver.caught(error))'],
      replacing: [C::VALUE, 'Values::DROPPED.equal?(answer) ? DROPPED : Values.owned(answer)',
                  'Values.failed(receiver.caught(error))'],
      passing: [C::VALUE, 'Values::DROPPED.equal?(answer) ? DROPPED : UNCHANGED',
                'Values.failed(receiver.caught(error))'],
      watching: [C::VALUE, 'UNCHANGED', 'Values.failed(receiver.caught(error))']
    }.freeze

    # The outcome of an iterator that has completed or failed. (ClosedQueueError is a StopIteration.)
    def self.last_item(out, receiver, error)
      Values.store(out, receiver.caught(error), C::OUTCOME_FAILED) unless error.instance_of?(StopIteration)
      false
    end

    # The error of a generator.
    def self.emit_error(subscriber, error)
      C.sgk_subscriber_error(subscriber.pointer, *Values.give(error)) if subscriber.is_a?(Subscriber)
      nil
    end

    def self.native(shape, roles, result, which = 'block.call')
      types, names, given = [:size_t], ['context'], []
      roles.each_with_index do |role, index|
        type, name, argument = GIVEN.fetch(role)
        types += type
        names += name.map { |text| text.gsub('%d', index.to_s) }
        given << argument.gsub('%d', index.to_s) if argument
      end
      type, answer, failure = RETURNED.fetch(RETURNED.key?(shape) ? shape : result)
      code = <<~RUBY
        proc do |#{names.join(', ')}|
          left = true
          receiver = Border.find(context)
          if receiver && !Border.closing
            answer = receiver.#{which}(#{given.join(', ')})
            answer = (#{answer})
          else
            error = LeftError.new('the program ends')
            receiver ||= Receiver.new(:#{shape}, nil)
            answer = nil
            left = false
            next #{ZERO.fetch(shape) { ZERO[type] } || 'nil'}
          end
          left = false
          answer
        rescue Exception => error
          left = false
          #{failure}
        ensure
          if left
            error = LeftError.new("\#{receiver.name}: a block was left by throw, break or return")
            next (#{failure})
          end
        end
      RUBY
      FFI::Function.new(type, types, eval(code, binding, __FILE__, 1)) # rubocop:disable Security/Eval
    end
    ZERO = { C::VALUE => 'NULL', bool: 'false', int: '0', size_t: '0', posting: 'C::ERROR_ENDED' }.freeze

    ENTRIES = SHAPES.reject { |shape, _| %i[make_object use_object
                                          object_generator acquire use write trace].include?(shape) }
                    .to_h { |shape, (roles, result)| [shape, native(shape, roles, result)] }
                    .merge(%i[mapping filtering compacting replacing passing watching]
                           .to_h { |it| [it, native(it, [:value], it)] })
                    .merge(failing: native(:failing, [:error], :none, 'on_error.call'),
                           catch: native(:catch, [:error], :signal),
                           map_error: native(:map_error, [:error], :value),
                           completing: native(:completing, [], :none, 'on_completed.call'),
                           making: native(:making, [], :none, 'make'),
                           using: native(:using, [:ignored], :none),
                           generating: native(:generating, %i[ignored subscriber], :disposable),
                           posting: native(:posting, [:job], :none),
                           keying: native(:keying, [:value], :value, 'block.key'),
                           reducing: native(:reducing, %i[value value], :value, 'block.reduce')).freeze

    DESTROY = FFI::Function.new(:void, [:size_t]) { |context| forget(context)&.let_go }

    private_constant :UNCHANGED, :DROPPED, :NULL, :GIVEN, :RETURNED, :ZERO, :ENTRIES

    at_exit { close }
  end
end
