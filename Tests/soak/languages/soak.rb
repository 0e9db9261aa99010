# frozen_string_literal: true

# The soak of the Ruby package (see run.py): threads, the garbage collector and interrupts at once. The handler can run
# in any line of the main thread. A block raises the exception.
require 'signalkit'

S = SignalKit::Signal
BOOM = Class.new(StandardError)
OVER = [] # an element ends the threads
INTERRUPTED = []

def expect(wanted, got)
  raise "#{got.inspect} instead of #{wanted.inspect}" unless wanted == got
end

# Returns an object that only the collector frees, and that holds a signal.
def cycle(value)
  holder = [value]
  holder << S.never.map { holder }
end

# Ruby runs the handler in the main thread, and calls this block in other threads, too.
def raise_interrupt
  return unless INTERRUPTED.any? && Thread.current == Thread.main

  INTERRUPTED.clear
  raise Interrupt
end

def sums
  S.of(*0..8).map { |n| raise_interrupt || (n + 1) }.filter(&:odd?).reduce(0) { |sum, n| sum + n }
end

def failing
  S.of(*0..8).map { |n| n == 7 ? raise(BOOM) : [n] }.catch { |error| error.is_a?(BOOM) ? S.of(:caught) : S.fail(error) }
end

def created
  arrays = S.create { |subscriber| 5.times { |n| subscriber.next([n]) } && subscriber.complete }
  arrays.concat_map { |value| S.of(value) }
end

def a_round(queue, pipe)
  expect(25, sums.get(60))
  expect(:caught, failing.take_last(1).get(60))
  expect([[0], [1], [2], [3], [4]], created.collect(60))
  expect(2, S.timer(0.0001, queue: queue).map { |n| cycle(n).size }.get(60))
  seen = []
  subscription = pipe.signal.take(3).map { |n| [n] }.deliver_on(queue).start { |value| seen << value }
  pipe.next(1)
  S.never.start { seen } # nobody disposes it
ensure
  subscription&.dispose
end

def work(queue, pipe)
  until OVER.any?
    a_round(queue, pipe)
    Thread.current[:rounds] = Thread.current[:rounds].to_i + 1
  end
end

def interrupted_work(queue, pipe)
  puts 'ready'
  work(queue, pipe)
rescue Interrupt
  puts 'interrupted'
end

def collect
  until OVER.any?
    GC.start
    sleep 0.01
  end
end

def main
  queues = [SignalKit::Queue.new, SignalKit::Queue.concurrent]
  pipe = SignalKit::Pipe.new
  threads = queues.map { |queue| Thread.new { work(queue, pipe) } }
  collector = Thread.new { collect }
  loop do
    interrupted_work(queues[0], pipe)
    break if $stdin.gets == "end\n"
  end
  OVER << true
  collector.join
  threads.each(&:join).push(Thread.current).sum { |thread| thread[:rounds].to_i }
end

$stdout.sync = true
trap('INT') { INTERRUPTED << true }
Thread.abort_on_exception = true
rounds = main
left = 600
# A block would keep objects alive that `main` has left on the stack.
sleep 0.1 until SignalKit.live_total.zero? || (left -= 1).zero?
puts "rounds #{rounds}", "alive #{SignalKit.live_total}"
