# frozen_string_literal: true

# Written by scripts/ruby.py from bindings/api.json.

module SignalKit
  module Border
    # By shape: the roles of what a block is given, and that of what it returns.
    SHAPES = {
      log: [%i[text], :none],
      write: [%i[text length], :none],
      trace: [%i[pointer], :none],
      action: [%i[], :none],
      map_array: [%i[values length], :value],
      map_to_signal: [%i[value], :signal],
      reduce_generator: [%i[value value], :signal],
      pipeline: [%i[value signal], :signal],
      map: [%i[value], :value],
      filter: [%i[value], :flag],
      equal: [%i[value value], :flag],
      compact_map: [%i[value out_value], :flag],
      reduce: [%i[value value], :value],
      reduce_emitting: [%i[value value emitter], :value],
      try_map: [%i[value out_value], :status],
      try_filter: [%i[value out_flag out_value], :status],
      deferred: [%i[], :signal],
      loop: [%i[optional_value], :signal],
      restart: [%i[value out_value], :flag],
      retry_when: [%i[value integer], :signal],
      take_until: [%i[value], :sgk_take_action],
      modify: [%i[value out_value], :status],
      work: [%i[], :none],
      make_object: [%i[], :pointer],
      use_object: [%i[pointer], :none],
      object_generator: [%i[pointer subscriber], :disposable],
      generator: [%i[subscriber], :disposable],
      transform: [%i[value], :value],
      next: [%i[value], :none],
      error: [%i[value], :none],
      completed: [%i[], :none],
      unhandled_error: [%i[value text], :none],
      iterator: [%i[out_value], :flag],
      acquire: [%i[], :pointer],
      use: [%i[pointer], :signal]
    }.freeze
  end
end
