# frozen_string_literal: true

# SignalKit for Ruby, by ruby-ffi.
#
# Ruby runs one thread at a time, and a library's thread that wants to call it has to wait for its turn, perhaps for ever. So:
# * every block of a pipeline is called on the main thread: the stage that calls it delivers on the main queue first, which runs in SignalKit.run;
# * contexts may be let go of on any thread: `destroy` is a native callback of the library itself, whose calls become events on the main queue;
# * a stage emits events as values, so that what a block raises is the error that ends the run.
#
# Handles are released by finalizers, or at once at the end of a `SignalKit.scope { … }` in which they were made.
require 'ffi'

module SignalKit
  class Error < StandardError; end

  # The C interface.
  module C
    extend FFI::Library
    ffi_lib 'libsignalkit.so.1'

    class Value < FFI::Struct
      layout :kind, :uint32, :reserved, :uint32, :bits, :uint64
    end

    callback :compact_map, [:pointer, Value.by_value, :pointer], :bool
    callback :receive, [:pointer, Value.by_value], :void
    callback :done, [:pointer], :void

    class Handlers < FFI::Struct
      layout :size, :size_t, :context, :pointer, :destroy, :pointer, :next, :pointer, :error, :receive, :completed, :done, :started, :pointer
    end

    value = Value.by_value
    {
      sgk_last_error: [[], :string], sgk_live_total: [[], :int64], sgk_release: [[:pointer], :void],
      sgk_make_null: [[], value], sgk_make_bool: [[:bool], value], sgk_make_int: [[:int64], value], sgk_make_double: [[:double], value],
      sgk_string_n: [[:buffer_in, :size_t], value], sgk_value_data: [[value, :pointer], :pointer],
      sgk_get_bool: [[value], :bool], sgk_get_int: [[value], :int64], sgk_get_double: [[value], :double],
      sgk_value_describe: [[value, :pointer, :size_t], :size_t], sgk_value_release: [[value], :void],
      sgk_event_make_next: [[value], value], sgk_event_make_error: [[value], value],
      sgk_signature_create: [[:string], :pointer], sgk_callback_create: [[:pointer, value, :pointer, :pointer, :pointer], :pointer],
      sgk_callback_function: [[:pointer], :pointer], sgk_callback_signal: [[:pointer], :pointer],
      sgk_signal_start_typed: [[:pointer, :done] + [:pointer] * 7, :pointer],
      sgk_signal_single: [[value], :pointer], sgk_signal_fail: [[value], :pointer], sgk_merge_signals: [[:pointer, :size_t], :pointer],
      sgk_signal_compact_map: [[:pointer, :compact_map, :pointer, :pointer], :pointer], sgk_signal_from_events: [[:pointer], :pointer],
      sgk_signal_take: [[:pointer, :int64], :pointer], sgk_signal_then: [[:pointer, :pointer], :pointer],
      sgk_signal_run_on: [[:pointer, :pointer], :pointer], sgk_signal_deliver_on: [[:pointer, :pointer], :pointer],
      sgk_signal_start: [[:pointer, Handlers.by_ref], :pointer],
      sgk_disposable_dispose: [[:pointer], :int],
      sgk_pipe_create: [[], :pointer], sgk_pipe_signal: [[:pointer], :pointer],
      sgk_pipe_next: [[:pointer, value], :int], sgk_pipe_complete: [[:pointer], :int],
      sgk_queue_create: [[:string], :pointer], sgk_queue_main: [[], :pointer],
      sgk_main_fd: [[], :int], sgk_main_drain: [[], :int]
    }.each { |name, (arguments, result)| attach_function name, arguments, result }
  end

  # One reference to a handle, or to none: every operator passes that on, and the start finds it out.
  class Handle
    attr_reader :pointer

    def initialize(pointer)
      @pointer = FFI::AutoPointer.new(pointer, C.method(:sgk_release))
      Thread.current[:signalkit_scope]&.push(self)
    end

    def release = @pointer.free
  end

  # ---- Values ----

  STRING = 5
  private_constant :STRING

  # Yields Ruby's value as one of the library's, lent for the block.
  def self.lending(object)
    raw = case object
          when nil then C.sgk_make_null
          when true, false then C.sgk_make_bool(object)
          when Integer then C.sgk_make_int(object)
          when Float then C.sgk_make_double(object)
          when String, Symbol then C.sgk_string_n(object.to_s, object.to_s.bytesize)
          else raise TypeError, "a signal cannot carry a #{object.class}"
          end
    begin
      yield raw
    ensure
      C.sgk_value_release(raw)
    end
  end

  # A borrowed value as Ruby's. What has no counterpart comes as text.
  def self.unwrap(raw)
    case raw[:kind]
    when 0 then nil
    when 1 then C.sgk_get_bool(raw)
    when 2 then C.sgk_get_int(raw)
    when 3 then C.sgk_get_double(raw)
    when STRING
      FFI::MemoryPointer.new(:size_t) { |length| return C.sgk_value_data(raw, length).read_bytes(length.read(:size_t)).force_encoding('UTF-8') }
    else
      size = C.sgk_value_describe(raw, nil, 0) + 1
      FFI::MemoryPointer.new(size) { |text| C.sgk_value_describe(raw, text, size); return text.read_string }
    end
  end

  # ---- Blocks ----

  @blocks = {} # what the contexts stand for
  @last = 0

  class << self
    def context(block)
      @blocks[@last += 1] = block
      FFI::Pointer.new(@last)
    end

    def block(context) = @blocks[context.address]

    def store(value, place) = place.write_bytes(value.pointer.read_bytes(C::Value.size))

    # The run is over: what is raised here can only be printed.
    def report
      yield
    rescue Exception => e # rubocop:disable Lint/RescueException
      warn "signalkit: #{e.full_message}"
    end

    attr_reader :main, :destroy

    # The main queue, and what every context is destroyed by.
    def open
      return if @main

      outer = Thread.current[:signalkit_scope] # these are no part of it
      Thread.current[:signalkit_scope] = nil
      @main = Handle.new(C.sgk_queue_main)
      @signature = Handle.new(C.sgk_signature_create('(ptr) -> void'))
      @let_go = Handle.new(C.sgk_callback_create(@signature.pointer, C.sgk_make_null, nil, nil, nil))
      @destroy = C.sgk_callback_function(@let_go.pointer)
      scope do
        gone = Handle.new(C.sgk_signal_deliver_on(Handle.new(C.sgk_callback_signal(@let_go.pointer)).pointer, @main.pointer))
        @forgetting = C.sgk_signal_start_typed(gone.pointer, FORGET, @signature.pointer, nil, nil, nil, nil, nil, nil)
      end
      @forgetting = Subscription.new(@forgetting)
    ensure
      Thread.current[:signalkit_scope] = outer if outer
    end
  end

  FORGET = FFI::Function.new(:void, [:pointer]) { |context| @blocks.delete(context.address) }

  # Calls a block, and stores its outcome as an event; none if it has returned nil. An exception of any kind must not unwind into the library.
  CALL = proc do |context, value, event|
    result = block(context).call(unwrap(value))
    next false if result.nil?

    lending(result) { |raw| store(C.sgk_event_make_next(raw), event) }
    true
  rescue Exception => e # rubocop:disable Lint/RescueException
    lending(e.message) { |raw| store(C.sgk_event_make_error(raw), event) }
    true
  end
  ERROR = proc { |context, error| report { block(context)[:error].call(unwrap(error)) } }
  COMPLETED = proc { |context| report { block(context)[:completed].call } }
  private_constant :FORGET, :CALL, :ERROR, :COMPLETED

  # ---- Signals ----

  class Signal < Handle
    # Emits the values inside the start, and completes.
    def self.of(*values)
      SignalKit.open
      singles = values.map { |value| Handle.new(SignalKit.lending(value) { |raw| C.sgk_signal_single(raw) }) }
      FFI::MemoryPointer.new(:pointer, [singles.size, 1].max) do |array|
        array.write_array_of_pointer(singles.map(&:pointer))
        return new(C.sgk_merge_signals(array, singles.size))
      end
    end

    def self.fail(message)
      SignalKit.open
      new(SignalKit.lending(message) { |raw| C.sgk_signal_fail(raw) })
    end

    def map = filter_map { |value| yield(value).then { |result| result.nil? ? raise(TypeError, 'map: the block returned nil') : result } }
    def select = filter_map { |value| value if yield(value) }

    # The stage that all blocks run in. A block that returns nil drops the value.
    def filter_map(&block)
      here = Handle.new(C.sgk_signal_deliver_on(@pointer, SignalKit.main.pointer))
      events = Handle.new(C.sgk_signal_compact_map(here.pointer, CALL, SignalKit.context(block), SignalKit.destroy))
      Signal.new(C.sgk_signal_from_events(events.pointer))
    end

    def take(count) = Signal.new(C.sgk_signal_take(@pointer, count))
    def followed_by(other) = Signal.new(C.sgk_signal_then(@pointer, other.pointer))
    def run_on(queue) = Signal.new(C.sgk_signal_run_on(@pointer, queue.pointer))

    # The block gets the values. What it raises ends the run, and `error` is told.
    def start(error: ->(message) { warn "signalkit: #{message}" }, completed: -> {})
      receiving = filter_map { |value| yield(value); nil }
      handlers = C::Handlers.new
      handlers[:size] = C::Handlers.size
      handlers[:context] = SignalKit.context({ error:, completed: })
      handlers[:destroy] = SignalKit.destroy
      handlers[:error] = ERROR
      handlers[:completed] = COMPLETED
      run = C.sgk_signal_start(receiving.pointer, handlers)
      raise Error, C.sgk_last_error if run.null?

      Subscription.new(run)
    end
  end

  class Subscription < Handle
    def dispose = C.sgk_disposable_dispose(@pointer)
  end

  class Pipe < Handle
    def initialize
      SignalKit.open
      super(C.sgk_pipe_create)
    end

    def signal = Signal.new(C.sgk_pipe_signal(@pointer))
    def <<(value) = SignalKit.lending(value) { |raw| C.sgk_pipe_next(@pointer, raw) }.then { self }
    def complete = C.sgk_pipe_complete(@pointer)
  end

  class Queue < Handle
    def initialize(name) = super(C.sgk_queue_create(name))
  end

  class << self
    # Releases at its end all handles that were made in the block on this thread. Runs go on.
    def scope
      outer = Thread.current[:signalkit_scope]
      inner = Thread.current[:signalkit_scope] = []
      yield
    ensure
      Thread.current[:signalkit_scope] = outer
      inner.reverse_each(&:release)
    end

    # Runs the main queue until `stop`, on the main thread. Other threads of Ruby run meanwhile.
    def run
      @running = true
      woken = IO.for_fd(C.sgk_main_fd, autoclose: false)
      while @running
        IO.select([woken])
        raise Error, C.sgk_last_error unless C.sgk_main_drain.zero?
      end
    end

    def stop = @running = false

    # Waits (a minute at most) until no block is in use, lets go of what the module holds, and returns how many objects are left alive. Other threads let go
    # in their own time, and tell the main queue. The module can be used again afterwards.
    def close
      deadline = Time.now + 60
      wait = lambda do |&done|
        until done.call || Time.now > deadline
          GC.start
          C.sgk_main_drain
          sleep 0.001
        end
      end
      wait.call { @blocks.empty? }
      if @blocks.empty? && @main
        @forgetting.dispose
        [@forgetting, @let_go, @signature, @main].each(&:release)
        @forgetting = @let_go = @signature = @main = @destroy = nil
        wait.call { C.sgk_live_total.zero? }
      end
      C.sgk_live_total
    end
  end
end
