# frozen_string_literal: true

# A map and a filter in Ruby, as described in ../python/languages.py.
require 'ffi'
require 'observer'
require 'signalkit'

# A source of values, or a stage: it notifies its observers of what the block returns, unless that is nil.
class Stage
  include Observable

  def initialize(source = nil, &block)
    @block = block
    source&.add_observer(self)
  end

  def emit(value)
    changed
    notify_observers(value)
  end

  def update(value)
    result = @block.call(value)
    emit(result) unless result.nil?
  end
end

def range(count)
  sum = 0
  SignalKit::Signal.range(0, count).map { |n| n + 1 }.filter(&:even?).start { |n| sum += n }
  sum
end

def pipe(count)
  sum = 0
  pipe = SignalKit::Pipe.new
  pipe.signal.map { |n| n + 1 }.filter(&:even?).start { |n| sum += n }
  count.times { |n| pipe << n }
  pipe.close
  sum
end

def peer(count)
  sum = 0
  source = Stage.new
  filter = Stage.new(Stage.new(source) { |n| n + 1 }) { |n| n if n.even? }
  Stage.new(filter) do |n|
    sum += n
    nil
  end
  count.times { |n| source.emit(n) }
  sum
end

# Functions of C.
module LibC
  extend FFI::Library
  ffi_lib FFI::Library::LIBC
  callback :compare, %i[pointer pointer], :int
  attach_function :lfind, %i[pointer pointer pointer size_t compare], :pointer
end

# A function of C calls a block for each value, which counts the calls.
def call(count)
  sum = 0
  number = FFI::MemoryPointer.new(:size_t).tap { |place| place.write(:size_t, count) }
  LibC.lfind(nil, nil, number, 0, proc do
    sum += 1
    1
  end)
  sum
end

name, warm, count = ARGV[0], ARGV[1].to_i, ARGV[2].to_i
send(name, warm)
start = Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond)
sum = send(name, count)
puts "#{(Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond) - start).fdiv(count)} #{sum}"
