# frozen_string_literal: true

require 'minitest/autorun'
require 'json'
require 'signalkit'

# Nothing is alive when all tests have run: what the garbage collector lets go of, and the queues, takes its time.
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

  # What a run says, as an array that grows.
  def record(signal)
    events = []
    run = signal.start(error: ->(e) { events << [:error, e] }, completed: -> { events << :end }) { |v| events << v }
    (@runs ||= []) << run
    events
  end

  def teardown = @runs&.each(&:dispose)

  # Every method stands in a frame of its own: what it has left on the stack is no reason to keep anything.
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

  # What is written to stderr meanwhile by the handler of what cannot be heard.
  def unheard
    heard = []
    SignalKit.on_unheard { |where, error| heard << [where, error] }
    yield
    heard
  ensure
    SignalKit.on_unheard
  end
end
