# frozen_string_literal: true

module SignalKit
  # A reference to an object of the library. The collector releases it with the Ruby object, {#close} and {#release}
  # immediately.
  class Handle
    RELEASE = C.method(:sgk_release)
    private_constant :RELEASE

    # @private
    def self.made(pointer)
      handle = allocate.tap { |made| made.send(:own, pointer) } unless pointer.null?
      Border.settle
      handle || Border.refused
    end

    # @private One that the library has given, unless it gave none.
    def self.owned(pointer) = pointer.null? ? nil : allocate.tap { |handle| handle.send(:own, pointer) }

    # @private
    def pointer = @pointer || raise(ClosedError, "#{self.class}: used after it was closed")

    # Ends the object, if it can be ended, and releases it. A {Disposable} is disposed, a {Pipe} completed, a {Reader}
    # closed. A second call does nothing. Any other use afterwards raises a {ClosedError}.
    # @return [nil]
    def close = release

    # Releases the object without ending it: a subscription continues. A second call does nothing. Any other use
    # afterwards raises a {ClosedError}.
    # @return [nil]
    def release
      handle, @pointer = @pointer, nil
      handle&.free
      Border.settle
    end

    # Reports whether it was closed or released.
    def closed? = @pointer.nil?

    # @private Retains the objects that its blocks need, which the library knows only by number.
    def hold(*things)
      things = things.reject { |thing| thing.nil? || (thing.is_a?(Handle) && !thing.holds?) }
      @held = [*@held, *things] unless things.empty?
      self
    end

    # @private
    def holds? = !@held.nil?

    # A copy would release the reference of this object a second time.
    private def initialize_copy(_original) = raise(TypeError, "can't copy #{self.class}")

    # @private Called by Marshal.dump.
    def marshal_dump = raise(TypeError, "can't dump #{self.class}: it is an object of this process")

    private def own(pointer) = @pointer = FFI::AutoPointer.new(pointer, RELEASE)

    # Takes over the result of a call, or raises the reason of its failure.
    private def made(pointer)
      own(pointer) unless pointer.null?
      Border.settle
      Border.refused if pointer.null?
    end

    def inspect = "#<#{self.class}#{' closed' if closed?}>"
  end

  # @private Checks before a call, so that the message names operator, argument and value.
  module Arguments
    OVERFLOW = { suspend: 1, drop_oldest: 2, drop_newest: 3, keep_latest: 4, error: 5, pause: 256 }.freeze
    EDGES = { leading: 1, trailing: 2, both: 3 }.freeze
    flags = lambda do |prefix|
      C.constants.grep(/\A#{prefix}/).to_h { |name| [name.to_s.delete_prefix(prefix).downcase.to_sym, C.const_get(name)] }
    end
    READINESS = flags.call('FD_').freeze
    FILE_CHANGES = flags.call('FILE_').freeze
    REPORTED = %i[hangup is_folder].freeze # and not requested

    class << self
      def integer(method, name, value)
        value.is_a?(Integer) && value.bit_length < 64 ? value : wrong(method, name, 'an Integer of 64 bits', value)
      end

      def integer32(method, name, value)
        value.is_a?(Integer) && value.bit_length < 32 ? value : wrong(method, name, 'an Integer of 32 bits', value)
      end

      def number(method, name, value)
        value.is_a?(Numeric) && value.real? ? value.to_f : wrong(method, name, 'a number', value)
      end

      def text(method, name, value)
        case value
        when String, Symbol then value.to_s.encode(Encoding::UTF_8)
        else wrong(method, name, 'a String', value)
        end
      end

      # Returns a number that is not too small. The library has negative numbers with a meaning, which Ruby does not have.
      def at_least(method, name, value, least, otherwise = '')
        value >= least ? value : raise(ArgumentError, "#{method}: #{name} must be #{least} or more#{otherwise}")
      end

      def limit(method, name, value, unbounded: false, least: 1)
        return C::UNBOUNDED if unbounded && value.nil?

        at_least(method, name, integer(method, name, value), least, unbounded ? ', or nil' : '')
      end

      # Returns the seconds of a wait, or nil.
      def timeout(method, value)
        value.nil? ? nil : at_least(method, :timeout, number(method, :timeout, value), 0)
      end

      # Returns a sgk_bound with the limit of this name. nil: the library's default. Of what waits for a turn, there may
      # be none. No check may fail after it in the same call, because the call takes over its error.
      def bound(method, name, limit, overflow, error, counter)
        limit = limit(method, name, limit, unbounded: true, least: name == :waiting ? 0 : 1) unless limit.nil?
        policy = overflow(method, overflow)
        Border.may_wait if [*overflow].include?(:suspend)
        counter = handle(method, :counter, counter, OverflowCounter, optional: true)
        given = Values.give(error.nil? ? Overflow.new("#{method}: there is no room for more") : error)
        FFI::MemoryPointer.new(C::SIZES[:sgk_bound]).tap do |bound|
          bound.put_uint64(0, bound.size).put_int64(8, limit&.zero? ? C::UNBUFFERED : limit.to_i).put_uint32(16, policy)
          bound.put_pointer(24, counter).put_array_of_int64(32, given)
        end
      end

      # Returns the bits of a policy, or of :pause with another one.
      def overflow(method, value)
        return enum(method, :overflow, value, OVERFLOW) unless value.is_a?(Array)

        second = value - [:pause]
        unless value.size == 2 && second.size == 1 && OVERFLOW.key?(second.first)
          wrong(method, :overflow, 'a Symbol, or :pause and another one', value)
        end
        OVERFLOW[:pause] | OVERFLOW[second.first]
      end

      def enum(method, name, value, values)
        values.fetch(value) { wrong(method, name, "one of #{values.keys.map(&:inspect).join(', ')}", value) }
      end

      # Returns the bits of one Symbol or several.
      def flags(method, name, value, values)
        asked = value.is_a?(Array) ? value : [value]
        allowed = values.except(*REPORTED)
        return asked.sum { |word| allowed[word] } if asked.any? && asked.uniq == asked && asked.all? { allowed[_1] }

        wrong(method, name, "some of #{allowed.keys.map(&:inspect).join(', ')}", value)
      end

      def symbols(bits, values) = values.filter_map { |word, bit| word if bits.anybits?(bit) }

      def handle(method, name, value, kind, optional: false)
        return nil if optional && value.nil?

        value.is_a?(kind) ? value.pointer : wrong(method, name, "a #{kind}", value)
      end

      def signal(method, name, value) = handle(method, name, value, Signal)

      # Passes a signal that the library retains together with the objects that its blocks need.
      def kept_signal(method, value)
        signal(method, :signal, value)
        pointer = value.for_good
        yield pointer
      ensure
        C.sgk_release(pointer) if pointer
      end

      def block(method, block)
        block.respond_to?(:call) ? block : raise(ArgumentError, "#{method}: a block is missing")
      end

      private

      def wrong(method, name, wanted, value)
        raise TypeError, "#{method}: #{name}: expected #{wanted}, got #{value.inspect}"
      end
    end
  end
  EDGES, READINESS, FILE_CHANGES = Arguments::EDGES, Arguments::READINESS, Arguments::FILE_CHANGES
  private_constant :EDGES, :READINESS, :FILE_CHANGES
end
