#pragma once

// The two events that come in both forms: their fields in the order of the packed records, each
// with its type there. docs/trace-format.md has the same list.

#include "trace/event.hpp"

#include <cstdint>

namespace faultline::trace {

template <typename Source> void read_fields(Source& in, Step& step)
{
  in.template field<uint32_t>("step", step.step);
  in.template field<uint32_t>("epoch", step.epoch);
  in.template field<double>("loss", step.loss);
  in.template field<double>("rate", step.rate);
  in.template field<float>("accuracy", step.accuracy);
  in.template field<float>("seconds", step.seconds);
  in.template field<uint32_t>("samples", step.samples);
}

template <typename Source> void read_fields(Source& in, TensorStats& stats)
{
  in.template field<uint32_t>("step", stats.step);
  in.template field<uint32_t>("layer", stats.layer);
  in.template field<uint8_t>("role", stats.role);
  in.template field<uint8_t>("slot", stats.slot);
  in.template padding<uint16_t>();
  in.template field<uint64_t>("count", stats.count);
  in.template field<uint64_t>("nan", stats.nan);
  in.template field<uint64_t>("inf", stats.inf);
  in.template field<float>("zeros", stats.zeros);
  in.template field<float>("mean", stats.mean);
  in.template field<float>("std", stats.std);
  in.template field<float>("min", stats.min);
  in.template field<float>("max", stats.max);
  in.template field<float>("norm", stats.norm);
  in.template field<uint32_t>("units", stats.units);
  in.template field<uint32_t>("dead", stats.dead);
  in.template field<float>("saturated", stats.saturated);
}

} // namespace faultline::trace
