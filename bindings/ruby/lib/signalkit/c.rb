# frozen_string_literal: true

require 'ffi'

module SignalKit
  # @private The C interface. A value is given as two integers of 64 bits (its kind, with `reserved` in the upper half,
  # and its bits), in which registers it travels; it is returned as a struct.
  module C
    extend FFI::Library
    ffi_lib ENV.fetch('SIGNALKIT_LIBRARY', 'libsignalkit.so.1')

    # A sgk_value as it lies in memory.
    class Value < FFI::Struct
      layout :word, :uint64, :bits, :int64
    end

    VALUE = Value.by_value
  end

  require_relative 'functions'

  module C
    FUNCTIONS.each do |name, (given, returned)|
      attach_function name, given, returned, blocking: WAITING.include?(name)
    end
    IGNORE_ERROR = ffi_libraries.first.find_function('sgk_ignore_error')

    # The same functions, which release Ruby's lock while they run. They are for programs in which an emitting thread
    # may block until another thread frees space.
    module Patient
      extend FFI::Library
      ffi_lib ENV.fetch('SIGNALKIT_LIBRARY', 'libsignalkit.so.1')
      FUNCTIONS.each { |name, (given, returned)| attach_function name, given, returned, blocking: true }
    end
  end
end
