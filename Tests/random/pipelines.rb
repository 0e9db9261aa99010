# frozen_string_literal: true

# The pipelines of pipelines.py, run by the Ruby package.
require 'signalkit'

SECOND = 1e6 # of microseconds

PLAIN = {
  map: ->(s, n) { s.map { |v| v * 10 + n } }, filter: ->(s, n) { s.filter { |v| v % n != 0 } },
  take: ->(s, n) { s.take(n) },
  skip: ->(s, n) { s.skip(n) }, take_last: ->(s, n) { s.take_last(n) },
  scan: ->(s) { s.scan(0) { |a, b| a + b } },
  distinct: ->(s) { s.distinct_until_changed },
  take_while: ->(s, n) { s.take_while { |v| v < n } },
  skip_while: ->(s, n) { s.skip_while { |v| v < n } },
  start_with: ->(s, n) { s.start_with(n) },
  end_with: ->(s, n) { s.end_with(n) },
  default: ->(s, n) { s.default_if_empty(n) },
  first: ->(s) { s.take(1) },
  ignore: ->(s) { s.ignore_values },
  repeat: ->(s, n) { s.repeat(n) },
  catch_value: ->(s, n) { s.catch_and_return(n) }
}.freeze
TIMED = %i[delay_start debounce throttle take_for sample].freeze
JOINING = {
  merge: ->(a, b) { SignalKit::Signal.merge(a, b) },
  then: ->(a, b) { a.concat_with(b) },
  catch: ->(a, b) { a.catch { b } },
  combine: ->(a, b) { SignalKit::Signal.combine_latest(a, b) { |v, w| v * 100 + w } },
  zip: ->(a, b) { SignalKit::Signal.zip(a, b) { |v, w| v * 100 + w } },
  with_latest: ->(a, b) { a.with_latest_from(b) { |v, w| v * 100 + w } },
  race: ->(a, b) { SignalKit::Signal.race(a, b) },
  take_until: ->(a, b) { a.take_until(b) },
  skip_until: ->(a, b) { a.skip_until(b) },
  switch_if_empty: ->(a, b) { a.switch_if_empty(b) },
  switch: ->(a, b) { a.switch_map { b } },
  queue: ->(a, b) { a.concat_map { b } },
  merged: ->(a, b) { a.merge_map { b } },
  exhaust: ->(a, b) { a.exhaust_map { b } }
}.freeze

# What a queue's work emits.
def emit(subscriber, kind, value)
  case kind
  when '=' then subscriber.next(value)
  when '|' then subscriber.complete
  else subscriber.error(7)
  end
end

def cold(queue, times, events)
  SignalKit::Signal.create do |subscriber|
    times[0] << (queue.now * SECOND).round
    timers = events.map do |time, kind, value|
      queue.after(time.to_i / SECOND) { emit(subscriber, kind, value.to_i) }
    end
    lambda do
      times[1] << (queue.now * SECOND).round
      timers.each(&:dispose)
    end
  end
end

def pipeline(words, queue, log)
  words.each_with_object([]) do |word, stack|
    name, *arguments = word.split(':', -1)
    kind = name.to_sym
    stack << if kind == :cold
               number = arguments[0].to_i
               log[number] ||= [[], []]
               cold(queue, log[number], arguments[1].scan(/(\d+)([=|!])(\d*)/))
             elsif JOINING.key?(kind)
               upper = stack.pop
               JOINING[kind].call(stack.pop, upper)
             elsif TIMED.include?(kind)
               stack.pop.public_send(kind, arguments[0].to_i / SECOND, queue: queue)
             elsif kind == :delay
               stack.pop.delay(arguments[0].to_i / SECOND, queue: queue, limit: 1000)
             else
               PLAIN[kind].call(stack.pop, *arguments.map(&:to_i))
             end
  end.last
end

def run(line)
  over, *words = line.split
  queue = SignalKit::Queue.virtual
  log = {}
  seen = []
  signal = pipeline(words, queue, log)
  now = -> { (queue.now * SECOND).round }
  running = nil
  queue.dispatch do
    running = signal.start(error: ->(_) { seen << "#{now.call}!7" }, completed: -> { seen << "#{now.call}|" }) do |v|
      seen << "#{now.call}=#{v}"
    end
  end
  queue.after(over.to_i / SECOND) { running.dispose }
  queue.advance_to(60)
  started = log.select { |_, times| times[0].any? }
  sources = started.sort.flat_map do |number, times|
    ["#{number}+#{times[0].join(',')}", "#{number}-#{times[1].join(',')}"]
  end
  (seen + sources).join(' ')
end

$stdin.each_line { |line| puts run(line) }
10.times { GC.start }
deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 300
until SignalKit.live_total.zero? || Process.clock_gettime(Process::CLOCK_MONOTONIC) > deadline
  GC.start
  sleep 0.01
end
puts "alive #{SignalKit.live_total}"
