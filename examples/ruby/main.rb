# frozen_string_literal: true

# The scenes that every language of `examples` plays (docs/languages.md).
require_relative 'signalkit'

def show(name, signal)
  signal.start(error: ->(message) { puts "#{name}: #{message}" }, completed: -> { puts "#{name}: end" }) { |value| puts "#{name}: #{value}" }
end

def halves
  pipe = SignalKit::Pipe.new
  show 'half', pipe.signal.select(&:even?).map { |n| n / 2 }
  (1..6).each { |n| pipe << n }
  pipe.complete
end

def text = show('text', SignalKit::Signal.of('grün').map { |word| "#{word}!" })

def stopped
  pipe = SignalKit::Pipe.new
  run = show('stopped', pipe.signal)
  pipe << 1
  run.dispose
  pipe << 2
end

def own_thread
  own = Thread.current
  place = -> { Thread.current == own ? 'own thread' : 'another thread' }
  completed = lambda do
    puts "#{place.call}: end"
    SignalKit.stop
  end
  SignalKit::Signal.of(1, 2, 3).run_on(SignalKit::Queue.new('elsewhere')).start(completed:) { |n| puts "#{place.call}: #{n}" }
  SignalKit.run
end

def failed = show('failed', SignalKit::Signal.of(1).followed_by(SignalKit::Signal.fail('unplugged')))

def thrown = show('thrown', SignalKit::Signal.of(1, 2, 3, 4).map { |n| n == 3 ? raise('three is too many') : n * 10 })

def misuse
  show 'misuse', SignalKit::Signal.of(1).take(-1)
rescue SignalKit::Error => e
  puts "misuse: #{e.message}"
end

SignalKit.scope do
  halves
  text
  stopped
  own_thread
  failed
  thrown
  misuse
end
alive = SignalKit.close
puts "alive: #{alive}"
exit alive.zero?
