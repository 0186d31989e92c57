#include "settings.hpp"

#include "json.hpp"

#include <cxxabi.h>
#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>
#include <torch/optim/rmsprop.h>
#include <torch/optim/sgd.h>

#include <cstdlib>
#include <limits>

namespace faultline_watch {

std::string readable(const char* type)
{
  int status = 0;
  char* text = abi::__cxa_demangle(type, nullptr, nullptr, &status);
  const std::string name = text == nullptr ? type : text;
  std::free(text);
  return name;
}

std::string kind_of(const torch::optim::Optimizer& optimizer)
{
  const std::string type = readable(typeid(optimizer).name());
  const size_t colon = type.rfind(':');
  return colon == std::string::npos ? type : type.substr(colon + 1);
}

double rate_of(const torch::optim::Optimizer& optimizer)
{
  const auto& groups = optimizer.param_groups();
  try {
    return groups.empty() || !groups[0].has_options() ? optimizer.defaults().get_lr()
                                                      : groups[0].options().get_lr();
  } catch (const std::exception&) {
    return std::numeric_limits<double>::quiet_NaN(); // options of the program's own that have none
  }
}

std::string settings_of(const torch::optim::Optimizer& optimizer)
{
  Object settings;
  settings.number("lr", rate_of(optimizer));
  const torch::optim::OptimizerOptions& given = optimizer.defaults();
  const std::string type = readable(typeid(given).name());
  if (type == "torch::optim::SGDOptions") {
    const auto& options = static_cast<const torch::optim::SGDOptions&>(given);
    settings.number("momentum", options.momentum()).number("weight_decay", options.weight_decay());
  } else if (type == "torch::optim::AdamOptions") {
    const auto& options = static_cast<const torch::optim::AdamOptions&>(given);
    settings.number("eps", options.eps()).number("weight_decay", options.weight_decay());
  } else if (type == "torch::optim::AdamWOptions") {
    const auto& options = static_cast<const torch::optim::AdamWOptions&>(given);
    settings.number("eps", options.eps()).number("weight_decay", options.weight_decay());
  } else if (type == "torch::optim::RMSpropOptions") {
    const auto& options = static_cast<const torch::optim::RMSpropOptions&>(given);
    settings.number("eps", options.eps()).number("weight_decay", options.weight_decay());
  }
  return settings.done();
}

} // namespace faultline_watch
