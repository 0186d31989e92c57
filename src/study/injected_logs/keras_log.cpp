// Logs of the Keras application: ten times "Epoch k/10" and a line of metrics, then
// "Training time:<seconds>". The metric is called val_accuracy, or after its layer
// (val_dense_2_accuracy) where a mutant renames it, or is missing where one disables validation.

#include "study/injected_logs/log_reader.hpp"

#include <algorithm>

namespace faultline::study::injected {

namespace {

// The value of the last metric whose name starts with "val_" and ends with "accuracy".
std::optional<double> validation_accuracy(std::string_view text)
{
  constexpr std::string_view k_label = "accuracy: ";
  std::optional<double> value;
  for (size_t at = text.find(k_label); at != std::string_view::npos;
       at = text.find(k_label, at + 1)) {
    const size_t space = text.rfind(' ', at);
    if (text.substr(space == std::string_view::npos ? 0 : space + 1).starts_with("val_")) {
      value = leading_number(text.substr(at + k_label.size()));
    }
  }
  return value;
}

class KerasLog final : public LogReader {
  void line(std::string_view text) override
  {
    if (text.starts_with("Training time:")) {
      m_finished = true;
      m_seconds = number_after(text, "Training time:");
    } else if (text.starts_with("Epoch ")) {
      if (const std::optional<size_t> epoch = leading_count(text.substr(6))) {
        m_epochs = std::max(m_epochs, *epoch);
      }
    } else if (const std::optional<double> accuracy = validation_accuracy(text)) {
      m_accuracy = accuracy;
    }
  }

  bool finished(std::string_view /*last*/) const override { return m_finished; }

  void describe(LogFacts& facts) const override
  {
    facts.accuracy = m_accuracy;
    facts.training_seconds = m_seconds;
    facts.epochs_or_steps = m_epochs;
  }

  bool m_finished = false;
  size_t m_epochs = 0;
  std::optional<double> m_accuracy;
  std::optional<double> m_seconds;
};

} // namespace

std::unique_ptr<LogReader> keras_log()
{
  return std::make_unique<KerasLog>();
}

} // namespace faultline::study::injected
