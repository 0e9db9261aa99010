# frozen_string_literal: true

module SignalKit
  # A hot source. It sends each value to the subscriptions that are active at that moment. They last while the pipe
  # exists, so retain it, or something of it like `pipe.method(:next)`.
  class Pipe < Handle
    # @param replay [Boolean] whether who starts gets the latest value first
    def initialize(replay: false)
      made(replay ? C.sgk_pipe_create_replay : C.sgk_pipe_create)
    end

    # @return [Signal]
    def signal = Signal.made(C.sgk_pipe_signal(pointer))

    # Sends a value to the current subscribers.
    # @return [Boolean] false: the pipe has ended
    def next(value) = Border.done?(Border.c.sgk_pipe_next(pointer, *Values.give(value)), C::ERROR_ENDED)

    # Whether a subscription asks for a pause, because a buffer with the policy :pause is full behind it. A value that is
    # sent nevertheless exceeds the limit.
    def paused? = Border.c.sgk_pipe_is_paused(pointer)

    # Runs the block once on the queue, as soon as no subscription asks for a pause. If none does so now, or if the pipe
    # has ended, it is enqueued at once.
    # @return [self]
    def on_resume(queue: Queue.main, &block)
      receiver = Border::Receiver.new(:on_resume, Arguments.block(:on_resume, block))
      place = Arguments.handle(:on_resume, :queue, queue, Queue)
      Border.done?(Border.registered(receiver, :work) { |*callback| C.sgk_pipe_on_resume(pointer, *callback, place) })
      self
    end

    # Delivers a value.
    # @return [self]
    def <<(value)
      self.next(value)
      self
    end

    # Ends it. A second time does nothing.
    def complete = Border.done?(Border.c.sgk_pipe_complete(pointer))

    # Ends it with an error.
    def error(error) = Border.done?(Border.c.sgk_pipe_error(pointer, *Values.give(error)))

    # Completes it and releases it.
    # @return [nil]
    def close
      complete unless closed?
    ensure
      release
    end
  end
end
