# frozen_string_literal: true

module SignalKit
  # Runs a signal and keeps its values until this thread, or another one, asks for them.
  class Reader < Handle
    include Enumerable

    # @param limit [Integer] the capacity of the buffer; if it is full, `overflow` decides
    def initialize(signal, limit: 1024, overflow: :suspend, error: nil, counter: nil)
      source = Arguments.signal(:read, :signal, signal)
      made(Border.c.sgk_reader_create(source, Arguments.bound(:read, :limit, limit, overflow, error, counter)))
      hold(signal)
    end

    # Waits for the next value and returns it. On the main thread the wait runs the main queue. Raises the error of the
    # signal.
    # @param timeout [Numeric, nil] seconds, after which there is a {TimeoutError}
    # @return [Object] the block's result (without a block nil) when the signal has completed, or the reader is closed
    def next(timeout = nil)
      wait = Arguments.timeout(:next, timeout)
      deadline = wait && (now + wait)
      while true # Kernel#loop would return if the signal has failed with StopIteration
        status, value = look(WAITED)
        case status
        when C::OK then return value
        when C::ERROR_COMPLETED, C::ERROR_ENDED then return block_given? ? yield : nil
        when C::ERROR_FAILED then raise Failure.exception_of(value)
        when C::ERROR_TIMEOUT then wait(deadline)
        else Border.refused
        end
      end
    end

    # Calls the block with each value until the signal completes.
    def each
      return to_enum unless block_given?

      yield(self.next { return self }) while true
    end

    # Disposes the subscription, drops the pending values and releases the reader. A thread that waits for a value is
    # notified of the end.
    def close
      C.sgk_reader_close(pointer) unless closed?
      release
    end

    # Returns an IO that is readable while a value or the end is available.
    # @return [IO]
    def to_io = @to_io ||= IO.for_fd(Border.counted(C.sgk_reader_fd(pointer)), autoclose: false)

    private

    WAITED = 1e-9 # waiting is refused where it must not be, looking is not
    private_constant :WAITED

    def look(seconds) = Values.placed { |place| C.sgk_reader_next(pointer, seconds, place) }

    def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

    def wait(deadline)
      raise TimeoutError, 'nothing has come in time' if deadline && now > deadline

      main = Thread.current == Thread.main && SignalKit.main_io
      IO.select([to_io, main || nil].compact, nil, nil, deadline && [deadline - now, 0].max)
      SignalKit.drain_main if main && !Queue.main.current?
    rescue IOError
      nil # closed in the meantime
    end
  end
end
