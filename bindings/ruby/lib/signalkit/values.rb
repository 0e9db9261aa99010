# frozen_string_literal: true

module SignalKit
  # @private Conversion between Ruby objects and values of the library. nil, booleans, 64-bit Integers and Floats are
  # converted. For any other object, the value is a reference that retains it.
  module Values
    NOTHING = [C::NULL, 0].freeze
    TRUE = [C::BOOL, 1].freeze
    FALSE = [C::BOOL, 0].freeze
    MARK = C::GIVEN << 32

    # An array that travels as one of the library's.
    class Items
      attr_reader :items

      def initialize(items) = @items = items
    end

    # A String that the library reads itself, as bytes.
    class Data
      attr_reader :bytes

      def initialize(bytes) = @bytes = bytes
    end

    # The result of a block that drops its value.
    DROPPED = Object.new.freeze

    # ---- Objects: known to the library by a number, and by the address of the box that it makes ----

    @objects = {} # by box
    @boxes = {} # by number

    class << self
      # Returns a result of a block as it arrives at the next block through the library.
      def passed(object)
        case object
        when Signal then Arguments.kept_signal(:give, object) { |signal| Signal.owned(C.sgk_retain(signal)) }
        when Items then object.items.map { |item| passed(item) }
        when Data then object.bytes
        else object
        end
      end

      # Returns the value as two integers, for a function that takes it over.
      def give(object)
        case object
        when Integer then object.bit_length < 64 ? [C::INT, object] : boxed(object, MARK)
        when nil then NOTHING
        when true then TRUE
        when false then FALSE
        when Float then [C::DOUBLE, [object].pack('d').unpack1('q')]
        when Signal then Arguments.kept_signal(:give, object) { |signal| split(C.sgk_signal_value(signal), MARK) }
        when Items then array(object.items, MARK)
        when Data then split(C.sgk_bytes(object.bytes, object.bytes.bytesize), MARK)
        else boxed(object, MARK)
        end
      end

      # Returns the value as a callback returns or stores it, with an outcome.
      def owned(object, outcome = 0)
        word, bits = give(object)
        value = C::Value.new
        value.pointer.put_uint64(0, (word & 0xffff_ffff) | (outcome << 32)).put_int64(8, bits)
        value
      end

      # Returns the block's result for several borrowed values, in their places.
      def lending(objects)
        FFI::MemoryPointer.new(16, [objects.size, 1].max) do |places| # null, until they are more
          all = objects.each_index.map { |index| places + (index * 16) }
          begin
            objects.zip(all) { |object, place| store(place, object) }
            return yield places
          ensure
            all.each { |place| C.sgk_value_release(place.get_uint64(0), place.get_int64(8)) }
          end
        end
      end

      # The same in a place of the library's.
      def store(place, object, outcome = 0)
        word, bits = give(object)
        place.put_uint64(0, (word & 0xffff_ffff) | (outcome << 32)).put_int64(8, bits)
      end

      # Returns a result that fails the subscription.
      def failed(error) = owned(error, C::OUTCOME_FAILED)

      # Returns the object of a borrowed value.
      def decode(word, bits)
        case kind = word & 0xffff_ffff
        when C::INT then bits
        when C::OBJECT then @objects.fetch(bits) { raise foreign(kind, bits) }
        when C::NULL then nil
        when C::BOOL then bits != 0
        when C::DOUBLE then [bits].pack('q').unpack1('d')
        when C::STRING, C::BYTES then text(kind, bits)
        when C::ARRAY then lent_items(kind, bits)
        when C::SIGNAL then Signal.owned(C.sgk_to_signal(kind, bits))
        when C::FAILURE then failure(kind, bits)
        else FFI::Pointer.new(bits)
        end
      end

      # The object of an error. If it is unreadable, the reason replaces it.
      def decode_error(word, bits)
        decode(word, bits)
      rescue Failure => e
        e
      end

      # The object of a value in memory.
      def at(place) = decode(place.get_uint64(0), place.get_int64(8))

      # The objects of several.
      def items(place, count) = Array.new(count) { |index| at(place + (index * 16)) }

      # The object of a value that is the caller's to release.
      def taken(value)
        word = value[:word]
        decode(word, value[:bits])
      ensure
        C.sgk_value_release(word, value[:bits])
      end

      # A place for a value: what the block has left there.
      def placed
        FFI::MemoryPointer.new(16) do |place|
          status = yield place
          begin
            return status, at(place)
          ensure
            C.sgk_value_release(place.get_uint64(0), place.get_int64(8))
          end
        end
      end

      def object(number) = @objects[@boxes[number]]

      def release(number) = @objects.delete(@boxes.delete(number))

      private

      def split(value, mark) = [value[:word] | mark, value[:bits]]

      def boxed(object, mark)
        number = object.__id__ # another for each box, where one object has several:
        number = (@last = (@last || (1 << 62)) + 1) if @boxes.key?(number)
        value = C.sgk_object(number, TYPE)
        bits = value[:bits]
        @boxes[number] = bits
        @objects[bits] = object
        [C::OBJECT | mark, bits]
      end

      def array(objects, mark) = lending(objects) { |places| split(C.sgk_array(places, objects.size), mark) }

      def text(kind, bits)
        FFI::MemoryPointer.new(:size_t) do |length|
          data = C.sgk_value_data(kind, bits, length).read_bytes(length.read(:size_t))
          return kind == C::STRING ? data.force_encoding(Encoding::UTF_8) : data
        end
      end

      def lent_items(kind, bits)
        FFI::MemoryPointer.new(:size_t) do |count|
          place = C.sgk_array_items(kind, bits, count)
          return items(place, count.read(:size_t))
        end
      end

      def failure(kind, bits)
        text = Border.text(C.sgk_error_text(kind, bits))
        cause = C.sgk_error_cause(kind, bits)
        cause = decode_error(cause[:word], cause[:bits])
        cause &&= Failure.exception_of(cause)
        Failure.new(text, code: C.sgk_error_code(kind, bits), cause:)
      end

      # Returns the exception for an object of another language.
      def foreign(kind, bits)
        C.sgk_to_object(kind, bits, TYPE) # records the reason
        Failure.new(Border.last_error, code: C::ERROR_KIND)
      end
    end

    # ---- What the library asks of an object ----

    # Exceptions of the block are logged.
    def self.answering(otherwise)
      left = true
      answer = yield
      left = false
      answer
    rescue Exception => e # rubocop:disable Lint/RescueException
      left = false
      Border.report('an object', e)
      otherwise
    ensure
      return otherwise if left # rubocop:disable Lint/EnsureReturn
    end

    RELEASE = FFI::Function.new(:void, [:size_t]) { |number| release(number) }
    EQUAL = FFI::Function.new(:bool, %i[size_t size_t]) do |a, b|
      answering(false) { object(a) == object(b) }
    end
    HASH = FFI::Function.new(:uint64, [:size_t]) do |number|
      answering(0) { object(number).hash & 0xffff_ffff_ffff_ffff }
    end
    DESCRIBE = FFI::Function.new(:size_t, %i[size_t pointer size_t]) do |number, place, size|
      answering(0) do
        object = object(number)
        text = (object.is_a?(String) ? object : object.inspect).b.delete("\0")
        place.put_string(0, text.byteslice(0, size - 1)) if size.positive?
        text.bytesize
      end
    end
    # The type is never freed, because values keep its address.
    NAME = FFI::MemoryPointer.from_string('Ruby')
    TYPE = FFI::MemoryPointer.new(C::SIZES[:sgk_object_type])
    TYPE.put_uint64(0, C::SIZES[:sgk_object_type])
    TYPE.put_array_of_pointer(8, [NAME, nil, RELEASE, EQUAL, HASH, DESCRIBE])
    [NAME, TYPE].each { |place| place.autorelease = false }

    private_constant :NOTHING, :TRUE, :FALSE, :MARK, :RELEASE, :EQUAL, :HASH, :DESCRIBE, :NAME, :TYPE
  end
end
