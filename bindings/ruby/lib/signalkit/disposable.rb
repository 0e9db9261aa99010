# frozen_string_literal: true

module SignalKit
  # A subscription, an action, or a container of disposables. {#dispose} and {#close} dispose it once. {#release} and
  # the collector do not.
  class Disposable < Handle
    private_class_method :new

    # Returns a disposable that runs the block when it is disposed.
    # @return [Disposable]
    def self.action(&block)
      receiver = Border::Receiver.new(:action, Arguments.block(:action, block))
      made(Border.registered(receiver, :action) { |*callback| C.sgk_action_disposable_create(*callback) })
    end

    # @private What a generator returns, as the library takes it.
    def self.given(name, answer)
      case answer
      when Disposable then C.sgk_retain(answer.pointer)
      when Proc, Method then given(name, action(&answer))
      end
    end

    # Returns whether a subscription is running, has ended, or was disposed by the program or an operator (`take`).
    # @return [String]
    def inspect = closed? ? super : "#<#{self.class} #{C.sgk_disposable_state(pointer)}>"
    alias to_s inspect

    # Disposes it. Any thread, also inside blocks. It does nothing the second time or after close.
    # @return [nil]
    def dispose
      return if closed?

      Border.done?(Border.c.sgk_disposable_dispose(pointer))
      nil
    end

    # Disposes it and releases it.
    # @return [nil]
    def close
      dispose
    ensure
      release
    end

    # Disposes a subscription that was started with `waitable: true`, and returns when none of its blocks runs on
    # another thread.
    # @return [Boolean] false: called from inside one of its blocks
    def dispose_and_wait = Border.done?(C.sgk_disposable_dispose_and_wait(pointer), C::ERROR_THREAD)

    # Pauses the source of a subscription while the block runs; without a block until the result is closed. Holds are
    # counted. Values that wait for a queue or a time go on waiting. A source that cannot be paused keeps emitting.
    # @return [Disposable, Object] the hold, or the result of the block
    def hold
      hold = Disposable.made(C.sgk_disposable_hold(pointer))
      return hold unless block_given?

      begin
        yield
      ensure
        hold.close
      end
    end

    # Returns a disposable that logs a warning if it is released without disposal.
    # @return [Disposable]
    def strict
      place = caller_locations(1, 1).first
      Disposable.made(C.sgk_disposable_strict(pointer, place.path, place.lineno))
    end

    # @private
    def to_proc = method(:dispose).to_proc
  end

  # Contains disposables, and disposes them in their order. A member that has ended is removed automatically.
  class DisposableBag < Disposable
    public_class_method :new

    def initialize(*members)
      made(C.sgk_disposable_bag_create)
      members.each { |member| self << member }
    end

    # Adds one; if the set was disposed of, that is at once.
    # @return [self]
    def <<(member)
      Border.done?(C.sgk_disposable_bag_add(pointer, Arguments.handle(:<<, :member, member, Disposable)))
      self
    end

    # Takes one out, without disposing of it.
    def remove(member)
      Border.done?(C.sgk_disposable_bag_remove(pointer, Arguments.handle(:remove, :member, member, Disposable)))
      self
    end
  end

  # Holds a disposable for each key.
  class DisposableDict < Disposable
    public_class_method :new

    def initialize = made(C.sgk_disposable_dict_create)

    # Stores one, then disposes of the one that was there; nil only does that.
    def []=(key, member)
      member = Arguments.handle(:[]=, :member, member, Disposable, optional: true)
      Border.done?(Border.c.sgk_disposable_dict_set(pointer, *Values.give(key), member))
    end
  end

  # Holds at most one disposable.
  class DisposableSlot < Disposable
    public_class_method :new

    def initialize = made(C.sgk_disposable_slot_create)

    # Stores one (nil: none), then disposes of the one that was there.
    def set(child)
      child = Arguments.handle(:set, :child, child, Disposable, optional: true)
      Border.done?(Border.c.sgk_disposable_slot_set(pointer, child))
      self
    end
  end
end
