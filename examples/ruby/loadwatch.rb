# frozen_string_literal: true

# Watches this machine: how busy the processors are, how much memory is free, and a warning when they stay busy.
#
#     ruby -Ibindings/ruby/lib examples/ruby/loadwatch.rb [SECONDS]
require 'signalkit'

SECONDS = Float(ARGV.fetch(0, 10))

def every(seconds) = SignalKit::Signal.interval(seconds).start_with(-1)

def busy_and_idle
  user, nice, system, idle, waiting, *rest = File.read('/proc/stat').lines.first.split.drop(1).map(&:to_i)
  [user + nice + system + rest.first(3).sum, idle + waiting]
end

# The part of the time, between two looks, in which the processors were busy.
def load_of_processors
  every(0.25).map { busy_and_idle }.pairwise.compact_map do |before, after|
    busy, idle = after.zip(before).map { |now, then_| now - then_ }
    busy.fdiv(busy + idle) if (busy + idle).positive?
  end
end

def free_memory
  every(0.5).map { File.read('/proc/meminfo')[/MemAvailable:\s+(\d+)/, 1].to_i / 1024 }.distinct_until_changed
end

load = load_of_processors.share
shown = SignalKit::Signal.combine_latest(load, free_memory).throttle(0.5).start do |busy, free|
  puts format('cpu %<busy>3d %%   %<free>6d MB free', busy: busy * 100, free: free)
end
warned = load.scan(0) { |times, busy| busy > 0.9 ? times + 1 : 0 }.filter { |times| times == 8 }.start do
  puts 'busy for two seconds'
end
SignalKit::Signal.timer(SECONDS).start { SignalKit.stop }

begin
  SignalKit.run
rescue Interrupt
  puts
end
[shown, warned].each(&:dispose)
