# frozen_string_literal: true

require 'minitest/autorun'
require 'json'
require 'signalkit'

# After all tests no object is alive. The garbage collector and the queues may need some time for that.
Minitest.after_run do
  deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 60
  sleep 0.001 until SignalKit.live_total.zero? || Process.clock_gettime(Process::CLOCK_MONOTONIC) > deadline
  unless SignalKit.live_total.zero?
    warn "#{SignalKit.live_total} objects are alive"
    exit! 1
  end
end

class SignalKitTest < Minitest::Test
  Signal = SignalKit::Signal
  Queue = SignalKit::Queue
  Pipe = SignalKit::Pipe

  # Returns the events of a subscription, as an array that grows.
  def record(signal)
    events = []
    run = signal.start(error: ->(e) { events << [:error, e] }, completed: -> { events << :end }) { |v| events << v }
    (@runs ||= []) << run
    events
  end

  def teardown = @runs&.each(&:dispose)

  # Calls each method in a separate frame, so that values left on the stack retain nothing.
  def run
    result = nil
    Thread.new { result = super }.join
    result
  end

  def eventually(seconds = 60)
    deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + seconds
    until yield
      flunk 'nothing has come of it' if Process.clock_gettime(Process::CLOCK_MONOTONIC) > deadline
      sleep 0.001
    end
  end

  # Returns the text that the handler of undeliverable exceptions writes to stderr during the block.
  def unheard
    heard = []
    SignalKit.on_unheard { |where, error| heard << [where, error] }
    yield
    heard
  ensure
    SignalKit.on_unheard
  end
end
