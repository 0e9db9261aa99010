# frozen_string_literal: true

require_relative 'lib/signalkit/version'

Gem::Specification.new do |gem|
  gem.name = 'signalkit'
  gem.version = SignalKit::VERSION
  gem.summary = 'Signals (cold streams of values), their subscriptions, pipes, queues and timers'
  gem.description = 'Reactive streams by the C library libsignalkit, which has to be installed.'
  gem.authors = ['The SignalKit authors']
  gem.license = 'MIT'
  gem.required_ruby_version = '>= 3.0'
  gem.files = Dir.chdir(__dir__) { Dir['lib/**/*.rb', 'README.md', 'LICENSE', '.yardopts'] }
  gem.add_runtime_dependency 'ffi', '~> 1.15'
  gem.metadata['rubygems_mfa_required'] = 'true'
end
