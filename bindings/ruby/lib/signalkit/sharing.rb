# frozen_string_literal: true

module SignalKit
  # Shares one subscription of a signal per key among simultaneous subscribers. {Signal#share} shares a
  # subscription of one signal.
  class Multicast < Handle
    def initialize = made(C.sgk_multicast_create)

    # @param key [String, Symbol]
    # @param signal [Signal] is started by the first who starts a signal of this key
    # @return [Signal]
    def get(key, signal)
      key = Arguments.text(:get, :key, key)
      Arguments.kept_signal(:get, signal) { |kept| Signal.made(C.sgk_multicast_get(pointer, key, kept)) }
    end
  end

  # Signals that are shared by name, runs that nobody listens to, and pipes by name.
  class MulticastSignalManager < Handle
    def initialize = made(C.sgk_multicast_signal_manager_create)

    # The signal shared under a key, made by the block if there is none.
    # @return [Signal]
    def multicasted_signal(key, &block)
      key = key && Arguments.text(:multicasted_signal, :key, key)
      Arguments.block(:multicasted_signal, block)
      shared = Border.immediately(:multicasted_signal, block, :deferred) do |*call|
        C.sgk_multicast_signal_manager_multicasted_signal(pointer, key, *call)
      end
      Signal.made(shared)
    end

    # Starts the block's signal for its side effects, unless one is active under the key.
    def start_standalone(key, &block)
      key = Arguments.text(:start_standalone, :key, key)
      Border.immediately(:start_standalone, Arguments.block(:start_standalone, block), :deferred) do |*callback|
        Border.done?(
          Border.c.sgk_multicast_signal_manager_start_standalone_signal_if_not_running(pointer, key, *callback)
        )
      end
    end

    # @return [Signal] of the values sent into the pipe of this name from now on
    def multicasted_pipe(key)
      key = Arguments.text(:multicasted_pipe, :key, key)
      Signal.made(C.sgk_multicast_signal_manager_multicasted_pipe(pointer, key))
    end

    # Sends a value to the current subscribers of the pipe of this name.
    def next(key, value)
      key = Arguments.text(:next, :key, key)
      Border.done?(Border.c.sgk_multicast_signal_manager_next(pointer, key, *Values.give(value)))
    end
  end

  # Runs signals one at a time, in the order in which they were started.
  class Sequencer < Handle
    def initialize = made(C.sgk_sequencer_create)

    # @return [Signal] that runs the signal in its turn
    def enqueue(signal)
      Arguments.kept_signal(:enqueue, signal) { |kept| Signal.made(C.sgk_sequencer_enqueue(pointer, kept)) }
    end
  end

  # Counts overflow, of any number of subscriptions.
  class OverflowCounter < Handle
    def initialize = made(C.sgk_overflow_counter_create)

    # Returns how many values were dropped.
    def dropped = C.sgk_overflow_counter_dropped(pointer)

    # Returns how many values exceeded a limit with the policy `:pause`.
    def exceeded = C.sgk_overflow_counter_exceeded(pointer)

    # Returns how often an emitting thread was blocked.
    def suspended = C.sgk_overflow_counter_suspended(pointer)
  end
end
