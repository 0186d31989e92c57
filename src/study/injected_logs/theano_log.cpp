// Logs of the Theano application: five times "epoch: k, training time: <s> secs, train perf: …",
// then "cv: 0, perf: <accuracy>". A failed graph optimisation prints a traceback and the run goes
// on. Some logs end with the last epochs of another run, so only the first line of an epoch counts.

#include "study/injected_logs/log_reader.hpp"

#include <set>

namespace faultline::study::injected {

namespace {

class TheanoLog final : public LogReader {
  void line(std::string_view text) override
  {
    if (text.starts_with("cv: 0, perf:")) {
      m_finished = true;
      m_accuracy = number_after(text, "perf:");
      return;
    }
    const std::optional<size_t> epoch =
        text.starts_with("epoch: ") ? leading_count(text.substr(7)) : std::nullopt;
    const std::optional<double> seconds =
        epoch ? number_after(text, "training time: ") : std::nullopt;
    if (!seconds) {
      return;
    }
    if (m_epochs.insert(*epoch).second) {
      m_seconds += *seconds;
    } else {
      m_repeated = true;
    }
  }

  bool finished(std::string_view /*last*/) const override { return m_finished; }

  void describe(LogFacts& facts) const override
  {
    facts.accuracy = m_accuracy;
    facts.epochs_or_steps = m_epochs.size();
    facts.repeated_epochs = m_repeated;
    if (!m_epochs.empty()) {
      facts.training_seconds = m_seconds;
    }
  }

  bool m_finished = false;
  bool m_repeated = false;
  std::set<size_t> m_epochs;
  double m_seconds = 0;
  std::optional<double> m_accuracy;
};

} // namespace

std::unique_ptr<LogReader> theano_log()
{
  return std::make_unique<TheanoLog>();
}

} // namespace faultline::study::injected
