# frozen_string_literal: true

module SignalKit
  # The base class of the exceptions of this library.
  class Error < StandardError; end

  # The library refused a call: an argument out of range, or not of the kind that is needed.
  class UsageError < Error; end

  # An object was used after it had been closed.
  class ClosedError < UsageError; end

  # A buffer was full.
  class Overflow < Error; end

  # It took too long.
  class TimeoutError < Error; end

  # A block exited by `throw`, `break`, `return`, or with its thread. Its subscription fails with this error. The call
  # that led to the block raises it, because the destination of the exit is unknown there.
  class LeftError < Error; end

  # An error of a signal that is not an exception.
  class Failure < Error
    # @return [Object] the error
    attr_reader :value

    def initialize(value)
      @value = value
      super(value.to_s)
    end

    # @private
    def self.exception_of(error) = error.is_a?(Exception) ? error : new(error)
  end
end
