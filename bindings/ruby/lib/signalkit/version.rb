# frozen_string_literal: true

# Written by scripts/ruby.py from bindings/api.json.

module SignalKit
  # The library's.
  VERSION = '1.0.0'
end
