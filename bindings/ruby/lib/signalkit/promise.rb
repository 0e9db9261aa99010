# frozen_string_literal: true

module SignalKit
  # Holds a value and passes it on: first the one that is there, then each that is set.
  class State < Handle
    # @param value [Object] left out: there is none yet
    # @param ignore_repeated [Boolean] whether setting a value that equals the one that is there does nothing
    def initialize(value = (missing = true), ignore_repeated: false)
      made(
        if missing
          C.sgk_state_create(ignore_repeated)
        else
          C.sgk_state_create_value(*Values.give(value), ignore_repeated)
        end
      )
    end

    # The value that is there; nil when there is none.
    def value = Values.taken(C.sgk_state_value(pointer))

    # Sets a value, and delivers it.
    def set(value) = Border.done?(Border.c.sgk_state_set(pointer, *Values.give(value)))
    alias value= set

    # Sets the block's result for the newest value. No change of another thread is lost, because the block is then
    # called again. If the block raises, this method raises the exception, and nothing changes.
    def modify(&block)
      Border.immediately(:modify, Arguments.block(:modify, block), :modify) do |entry, context|
        Border.c.sgk_state_modify(pointer, entry, context)
      end
      Border.settle
      self
    end

    # @return [Signal] of the value that is there, then of each one that is set; it never ends
    def signal = Signal.made(C.sgk_state_signal(pointer))
  end

  # Holds the latest value of whichever signal it was set to last, and passes it on.
  class Promise < Handle
    # @param value [Object] left out: there is none yet
    # @param first [Signal] what it sets itself to when it is first listened to, unless it was set before
    def initialize(value = (missing = true), first: nil)
      made(
        if first
          Arguments.kept_signal(:new, first) { |kept| C.sgk_promise_create_initialize_on_first_access(kept) }
        else
          missing ? C.sgk_promise_create : C.sgk_promise_create_value(*Values.give(value))
        end
      )
    end

    # Follows a signal from now on.
    def set(signal)
      Arguments.kept_signal(:set, signal) { |kept| Border.done?(Border.c.sgk_promise_set(pointer, kept)) }
      self
    end

    # @return [Signal] of the value that is there, then of each new one; it never ends, and keeps the promise
    def signal = Signal.made(C.sgk_promise_signal(pointer))

    # Calls the block when the promise is destroyed, on the thread that releases the last reference.
    def on_deinit(&block)
      receiver = Border::Receiver.new(:on_deinit, Arguments.block(:on_deinit, block))
      Border.done?(Border.registered(receiver, :action) { |*callback| C.sgk_promise_on_deinit(pointer, *callback) })
    end
  end
end
