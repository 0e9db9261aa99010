# frozen_string_literal: true

# Signals (cold streams of values), their subscriptions, pipes, queues and timers, by the C library of the same name.
#
#     pipe = SignalKit::Pipe.new
#     run = pipe.signal.filter(&:even?).map { |n| n / 2 }.start { |n| puts n }
#     (1..6).each { |n| pipe << n }
module SignalKit
end

require_relative 'signalkit/version'
require_relative 'signalkit/c'
require_relative 'signalkit/errors'
require_relative 'signalkit/handle'
require_relative 'signalkit/disposable'
require_relative 'signalkit/signal'
require_relative 'signalkit/operators'
require_relative 'signalkit/values'
require_relative 'signalkit/border'
require_relative 'signalkit/pipe'
require_relative 'signalkit/promise'
require_relative 'signalkit/sharing'
require_relative 'signalkit/queues'
require_relative 'signalkit/reader'
require_relative 'signalkit/links'

module SignalKit
  # @private After `include SignalKit`, the Signal and Queue of Ruby explain themselves. At the top level, and in a class
  # inside a module that includes SignalKit, Ruby finds them first.
  module NamedAlike
    def method_missing(name, ...)
      ours = SignalKit.const_get(self == ::Signal ? :Signal : :Queue)
      return super unless ours.respond_to?(name)

      raise UsageError, "#{name}: #{self} is Ruby's here; write #{ours}"
    end
  end
  private_constant :NamedAlike

  class << self
    # Sets the receiver of exceptions that no signal can deliver: from blocks for errors, from work of queues, from
    # released objects. By default they are written to stderr.
    # @yieldparam where [String]
    # @yieldparam error [Exception]
    def on_unheard(&block) = @unheard = block

    # @private
    def append_features(base)
      super
      [::Signal, ::Queue].each { |ruby| ruby.extend(NamedAlike) }
    end

    # @private Constants are not found through a singleton class.
    def extend_object(_object) = raise(UsageError, 'extend: SignalKit has classes and no methods; include it')

    # @private
    def unheard(where, error)
      @unheard ? @unheard.call(where.to_s, error) : warn("signalkit: #{where}: #{error.full_message(highlight: false)}")
    end

    # Sets the receiver of errors of subscriptions without an error block. It also receives the name of the signal
    # ({Signal#named}), or nil. If there is no block, the errors are logged again.
    def on_unhandled_error(&block)
      return C.sgk_set_unhandled_error_handler(nil, 0, nil) unless block

      receiver = Border::Receiver.new(:on_unhandled_error, block)
      Border.registered(receiver, :unhandled_error) { |*callback| C.sgk_set_unhandled_error_handler(*callback) }
    end

    # Gets the messages of the library, instead of stderr.
    def on_log(&block)
      return C.sgk_set_log_handler(nil, 0, nil) unless block

      receiver = Border::Receiver.new(:on_log, block)
      Border.registered(receiver, :log) { |*callback| C.sgk_set_log_handler(*callback) }
    end

    # How many objects of the library are alive, after Ruby's garbage and the queues' work.
    def live_total
      GC.start
      C.sgk_drain(0.1)
      C.sgk_live_total
    end

    # The version of the library, that of the gem being {VERSION}.
    def library_version = C.sgk_version
  end
end
