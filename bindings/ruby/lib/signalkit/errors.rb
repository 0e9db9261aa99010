# frozen_string_literal: true

module SignalKit
  # What this library raises.
  class Error < StandardError; end

  # The library refused a call: an argument out of range, or not of the kind that is needed.
  class UsageError < Error; end

  # An object was used after it had been closed.
  class ClosedError < UsageError; end

  # There was no room for more values.
  class Overflow < Error; end

  # It took too long.
  class TimeoutError < Error; end

  # A block was left by `throw`, `break`, `return`, or with its thread. Its run ends with this error, and the call that
  # led to it raises it: where the block wanted to go cannot be known any more.
  class LeftError < Error; end

  # An error of a signal that is no exception.
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
