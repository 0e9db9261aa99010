# frozen_string_literal: true

module SignalKit
  # A link of a chain of observers, which retains the link before it. Retain the last one, or put it into a {LinkBag}.
  # Exceptions of a block are logged.
  class EventLink < Handle
    # Calls the block with each value, on `queue`, if there is one.
    def on_next(queue: nil, &block) = observe(:on_next, block, :next, queue)

    # Calls the block with the error when the chain fails.
    def on_error(queue: nil, &block) = observe(:on_error, block, :error, queue)

    # Calls the block when the chain finishes.
    def on_finish(queue: nil, &block) = observe(:on_finish, block, :completed, queue)

    # @return [EventLink] with the block's result for each value
    def map(&block) = derived(:map, block, :map)

    # @return [EventLink] of the values for which the block is true
    def filter(&block) = derived(:filter, block, :filter)
    alias select filter

    # @return [EventLink] with the block's result for each value, except nil
    def compact_map(&block) = signal.compact_map(&block).link
    alias filter_map compact_map

    # @return [EventLink] the same events, without the means to emit any
    def observer = EventLink.made(C.sgk_event_link_observer(pointer)).hold(self)

    # Releases the previous link and the blocks.
    def unlink = Border.done?(C.sgk_event_link_unlink(pointer))

    # @return [Signal]
    def signal = Signal.made(C.sgk_event_link_signal(pointer)).hold(self)

    private

    def observe(name, block, shape, queue)
      receiver = Border::Receiver.new(name, Arguments.block(name, block))
      queue = Arguments.handle(name, :queue, queue, Queue, optional: true)
      hold(receiver)
      Border.done?(Border.registered(receiver, shape, kept: true) do |*callback|
        Border.c.public_send("sgk_event_link_#{name}", pointer, *callback, queue)
      end)
      self
    end

    def derived(name, block, shape)
      receiver = Border::Receiver.new(name, Arguments.block(name, block))
      made = Border.registered(receiver, shape, kept: true) do |*callback|
        C.public_send("sgk_event_link_#{name}", pointer, *callback)
      end
      EventLink.made(made).hold(receiver, self)
    end
  end

  # The beginning of a chain.
  class EventEmitter < EventLink
    # @param value [Object] what it has emitted, for the first handler
    def initialize(value = (missing = true))
      made(missing ? C.sgk_event_emitter_create : C.sgk_event_emitter_create_value(*Values.give(value)))
    end

    # Emits a value.
    def next(value) = Border.done?(Border.c.sgk_event_emitter_next(pointer, *Values.give(value)))

    # Emits a value.
    def <<(value)
      self.next(value)
      self
    end

    # Ends the chain with an error.
    def error(error) = Border.done?(Border.c.sgk_event_emitter_error(pointer, *Values.give(error)))

    # Ends the chain.
    def finish = Border.done?(Border.c.sgk_event_emitter_finish(pointer))
  end

  # Owns the last links of chains, and unlinks them when it is cleared, or goes.
  class LinkBag < Handle
    def initialize = made(C.sgk_link_bag_create)

    # Adds a link.
    def <<(link)
      Border.done?(C.sgk_link_bag_add(pointer, Arguments.handle(:<<, :link, link, EventLink)))
      hold(link)
      self
    end

    # Unlinks all.
    def clear
      @held = nil
      Border.done?(C.sgk_link_bag_clear(pointer))
    end
  end

  class Signal
    # @return [EventLink] that the signal, started at once, feeds
    def link = EventLink.made(Border.c.sgk_event_link_from_signal(pointer)).hold(self)
  end
end
