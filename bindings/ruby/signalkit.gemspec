# frozen_string_literal: true

require_relative 'lib/signalkit/version'

Gem::Specification.new do |gem|
  gem.name = 'signalkit'
  gem.version = SignalKit::VERSION
  gem.summary = 'Signals (cold streams of values), their subscriptions, pipes, queues and timers'
  gem.description = 'Reactive streams by the C library libsignalkit, which has to be installed.'
  gem.authors = ['The SignalKit authors']
  gem.email = 'maintainers@signalkit.dev'
  gem.homepage = SignalKit::SITE
  gem.license = 'MIT'
  gem.required_ruby_version = '>= 3.0'
  gem.requirements << "libsignalkit #{SignalKit::VERSION[/\A\d+/]}"
  gem.files = Dir.chdir(__dir__) { Dir['lib/**/*.rb', 'README.md', 'LICENSE', '.yardopts'] }
  gem.extra_rdoc_files = ['README.md']
  gem.add_runtime_dependency 'ffi', '~> 1.15'
  gem.metadata['homepage_uri'] = gem.homepage
  gem.metadata['documentation_uri'] = gem.homepage
  gem.metadata['source_code_uri'] = "#{gem.homepage}/signalkit"
  gem.metadata['bug_tracker_uri'] = "#{gem.homepage}/signalkit/issues"
  gem.metadata['rubygems_mfa_required'] = 'true'
end
