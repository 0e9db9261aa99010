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

  # An error of a signal that is not an exception of Ruby: an error of the library or of another language, or any other
  # value. `cause` is the error that led to it.
  class Failure < Error
    # @return [Object] the value, or the text of the error
    attr_reader :value
    # @return [Integer] a negative status of the library (-8 is a timeout, -13 a full buffer, -12 any other), or a positive
    #   number, such as an errno
    attr_reader :code

    def initialize(value, code: C::ERROR_FAILED, cause: nil)
      @value = value
      @code = code
      @cause = cause
      super(value.to_s)
    end

    def cause = @cause || super

    # @private
    def self.exception_of(error) = error.is_a?(Exception) ? error : new(error)
  end
end
