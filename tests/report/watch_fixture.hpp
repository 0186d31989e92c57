#pragma once

#include "trace/trace.hpp"

#include <cmath>
#include <string>

namespace faultline::report {

inline void add_layer(trace::Trace& trace, int id, const std::string& name)
{
  trace::Layer layer;
  layer.id = id;
  layer.order = id;
  layer.called = true;
  layer.name = name;
  layer.kind = "Linear";
  trace.add(layer);
}

inline void add_step(trace::Trace& trace, uint32_t step, double loss)
{
  trace::Step record;
  record.step = step;
  record.loss = loss;
  trace.add(record);
}

// Of ten numbers, `nan` of them none.
inline void add_numbers(trace::Trace& trace, uint32_t step, int layer, uint64_t nan)
{
  for (const trace::Role role :
       {trace::Role::output, trace::Role::weight, trace::Role::gradient, trace::Role::update}) {
    trace::TensorStats stats;
    stats.step = step;
    stats.layer = layer;
    stats.role = role;
    stats.count = 10;
    stats.nan = nan;
    stats.mean = stats.std = stats.norm = nan == stats.count ? NAN : 0.5;
    trace.add(stats);
  }
}

// Two layers; the loss is 2, 3e14, then not a number, like everything else.
inline trace::Trace lost_trace(uint32_t steps = 20)
{
  trace::Trace trace;
  add_layer(trace, 0, "fc0");
  add_layer(trace, 1, "fc1");
  for (uint32_t step = 0; step < steps; ++step) {
    for (const int layer : {0, 1}) {
      add_numbers(trace, step, layer, step < 2 ? 0 : 10);
    }
    trace.add(trace::Check{.step = step});
    add_step(trace, step, step == 0 ? 2 : step == 1 ? 3e14 : -NAN);
  }
  return trace;
}

} // namespace faultline::report
