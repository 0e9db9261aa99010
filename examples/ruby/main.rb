# frozen_string_literal: true

# The scenes that the examples of all languages run (docs/languages.md).
#
#     ruby -Ibindings/ruby/lib examples/ruby/main.rb               all scenes except the next two
#     ruby -Ibindings/ruby/lib examples/ruby/main.rb leaving       the program exits with a live subscription
#     ruby -Ibindings/ruby/lib examples/ruby/main.rb interrupted   Ctrl-C ends the waiting program
require 'signalkit'

module Scenes
  include SignalKit
  extend self

  Signal = SignalKit::Signal
  Queue = SignalKit::Queue

  def show(name, signal)
    signal.start(error: ->(e) { puts "#{name}: #{e.message}" }, completed: -> { puts "#{name}: end" }) do |value|
      puts "#{name}: #{value}"
    end
  end

  def halves
    pipe = Pipe.new
    show 'half', pipe.signal.filter(&:even?).map { |n| n / 2 }
    (1..6).each { |n| pipe << n }
    pipe.complete
  end

  def text = show('text', Signal.of('grün').map { |word| "#{word}!" })

  def stopped
    pipe = Pipe.new
    subscription = show('stopped', pipe.signal)
    pipe << 1
    subscription.dispose
    pipe << 2
  end

  def own_thread
    own = Thread.current
    place = -> { Thread.current == own ? 'own thread' : 'another thread' }
    completed = lambda do
      puts "#{place.call}: end"
      SignalKit.stop
    end
    numbers = Signal.of(1, 2, 3).run_on(Queue.new('elsewhere')).deliver_on(Queue.main)
    numbers.start(completed: completed) { |n| puts "#{place.call}: #{n}" }
    SignalKit.run
  end

  def failed = show('failed', Signal.of(1).concat_with(Signal.fail(RuntimeError.new('unplugged'))))

  def thrown = show('thrown', Signal.of(1, 2, 3, 4).map { |n| n == 3 ? raise('three is too many') : n * 10 })

  def misuse
    show 'misuse', Signal.of(1).take(-1)
  rescue UsageError => e
    puts "misuse: #{e.message}"
  end

  def closed_twice
    pipe = Pipe.new
    signal = pipe.signal
    subscription = show('closed twice', signal)
    pipe << 1
    pipe.complete
    pipe.complete
    2.times { subscription.dispose }
    2.times { subscription.close }
    pipe << 2 # after the end: dropped
    show 'used after close', signal
  end

  # A block exits by `throw`. Its subscription fails, and the pipe continues.
  def left
    pipe = Pipe.new
    pipe.signal.start(error: ->(_) { puts 'left: and out' }) do |value|
      puts "left: #{value}"
      throw :out
    end
    others = pipe.signal.filter { |n| n == 2 }.start { |n| puts "left: #{n} for the others" }
    catch(:out) do
      pipe << 1
    rescue LeftError
      nil # the target of the throw is no longer known
    end
    pipe << 2
    others.dispose
  end

  # Two timers are combined and throttled. The first attempt fails and is retried. All blocks run on the main thread.
  def timers
    attempts = 0
    attempt = lambda do
      puts "timers: attempt #{attempts += 1}"
      next Signal.fail(RuntimeError.new('not yet')) if attempts == 1

      Signal.combine_latest(Signal.interval(0.001), Signal.interval(0.002))
    end
    number = 0
    pairs = Signal.deferred(&attempt).retry(delay: 0.001, max_delay: 0.01).throttle(0.003)
    show 'timers', pairs.map { number += 1 }.take(3).after_completed { SignalKit.stop }
    SignalKit.run
  end

  # Memory is flat when it has grown by less than a kilobyte for each of the 10,000, after as many before.
  def subscriptions
    source = Pipe.new
    numbers = source.signal.map { |n| n + 1 }.take(2)
    make_and_drop = -> { 10_000.times { numbers.start { |n| puts n }.tap(&:dispose).close } }
    make_and_drop.call
    before = memory
    alive = SignalKit.live_total
    make_and_drop.call
    grown = memory - before
    puts "subscriptions: 10000 made, #{SignalKit.live_total - alive} left"
    puts "subscriptions: memory #{grown < 10_000 ? 'flat' : "#{grown} KiB more"}"
  end

  def memory
    GC.start
    File.read('/proc/self/status')[/VmRSS:\s+(\d+)/, 1].to_i
  end

  def own_run
    pipe = Pipe.new
    subscription = pipe.signal.take(3).start(completed: -> { puts 'own subscription: end' }) do |value|
      puts "own subscription: #{value}"
      subscription.dispose
    end
    pipe << 1
    pipe << 2
    puts 'own subscription: over'
  end

  # The program ends with a timer running that calls it all the time.
  def leaving
    ticks = Thread::Queue.new
    $kept = Signal.interval(0.0001, queue: Queue.new('ticks')).start { |n| ticks << n }
    ticks.pop
    puts 'leaving: with a live subscription'
  end

  # Waits until a signal ends the program. The test sends SIGINT after the line, and checks the exit status.
  def interrupted
    ticks = 0
    Signal.interval(0.001).start { puts 'interrupted: waiting' if (ticks += 1) == 2 }
    SignalKit.run
  end
end

$stdout.sync = true
case ARGV.first
when 'leaving' then Scenes.leaving
when 'interrupted' then Scenes.interrupted
else
  %i[halves text stopped own_thread failed thrown misuse closed_twice left timers subscriptions own_run].each do |scene|
    Scenes.public_send(scene)
  end
  deadline = Time.now + 60
  sleep 0.001 until SignalKit.live_total.zero? || Time.now > deadline
  puts "alive: #{SignalKit.live_total}"
end
