#include "watch/session.hpp"

#include "base/clock.hpp"
#include "base/format.hpp"
#include "run/counted_interrupts.hpp"
#include "run/descriptors.hpp"
#include "run/installation.hpp"
#include "run/torch_probe.hpp"
#include "trace/reader.hpp"
#include "watch/native.hpp"

#include <fcntl.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <utility>

namespace faultline::watch {

namespace {

constexpr int k_tick_milliseconds = 100;
constexpr size_t k_chunk = 1 << 16;
// How long a program may take to end once it was asked to.
constexpr double k_farewell_seconds = 5;

std::string old_value(const char* name)
{
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

void tell(const Observer& observer, const std::string& note)
{
  if (observer.noted) {
    observer.noted(note);
  }
}

// The library to preload into the program. None if the program does not use LibTorch, which would
// then be loaded for nothing, or uses another version, which would call the wrong functions.
std::filesystem::path preload_for(const Order& order, const Observer& observer)
{
  const std::filesystem::path own = run::own_executable();
  const std::filesystem::path probe = run::torch_probe_beside(own);
  if (probe.empty() || order.command.empty()) {
    return {};
  }
  const std::filesystem::path program = file_of_command(order.command.front());
  if (!uses_libtorch(program)) {
    return {};
  }
  if (!has_libtorch_of(program, probe)) {
    tell(observer, "the program is built with another LibTorch than the probe: nothing is seen");
    return {};
  }
  return probe;
}

std::map<std::string, std::string>
variables_for(const Order& order, const std::filesystem::path& preload, int fd)
{
  const std::filesystem::path folder = order.probes / "faultline_watch";
  const std::string python = old_value("PYTHONPATH");
  const std::string node = old_value("NODE_OPTIONS");
  std::map<std::string, std::string> variables = {
      {"FAULTLINE_WATCH_FD", format("{}", fd)},
      {"PYTHONPATH", (folder / "attach").string() + (python.empty() ? "" : ":" + python)},
      {"NODE_OPTIONS",
       format("--require \"{}\"{}", (folder / "tfjs.js").string(), node.empty() ? "" : " " + node)},
  };
  if (!preload.empty()) {
    const std::string others = old_value("LD_PRELOAD");
    variables["LD_PRELOAD"] = preload.string() + (others.empty() ? "" : ":" + others);
  }
  if (order.every > 0) {
    variables["FAULTLINE_WATCH_EVERY"] = format("{}", order.every);
  }
  if (!order.experiments) {
    variables["FAULTLINE_WATCH_EXPERIMENTS"] = "0";
  }
  return variables;
}

// Bytes of the stream in, detections out.
class Intake {
public:
  explicit Intake(const Observer& observer)
      : m_observer(observer), m_analyser(std::make_unique<trace::Analyser>())
  {
  }

  Result<void> take(std::string_view bytes)
  {
    m_bytes += bytes.size();
    FL_TRY(std::vector<trace::Event> events, m_reader.feed(bytes));
    for (trace::Event& event : events) {
      add(std::move(event));
    }
    return {};
  }

  Outcome finish()
  {
    for (trace::Event& event : m_reader.finish()) { // a last line without a line feed
      add(std::move(event));
    }
    note(m_analyser->finish());
    Outcome outcome;
    outcome.bytes = m_bytes;
    outcome.skipped = m_reader.skipped();
    outcome.detections = std::move(m_detections);
    outcome.analyser = std::move(m_analyser);
    return outcome;
  }

  const trace::Trace& trace() const { return m_analyser->trace(); }

  bool has(source::Severity severity) const
  {
    return std::ranges::any_of(m_detections, [severity](const trace::Detection& detection) {
      return detection.finding.severity >= severity;
    });
  }

private:
  void add(trace::Event event)
  {
    if (std::holds_alternative<trace::Start>(event) && std::exchange(m_started, true)) {
      another_run();
    }
    if (m_follows) {
      note(m_analyser->add(std::move(event)));
    }
  }

  // All programs that a script starts write here. Only the first one that trains is followed: what
  // the others write would be mistaken for its own.
  void another_run()
  {
    if (!m_follows) {
      return;
    }
    if (trace().ended() && trace().steps().empty()) {
      note(m_analyser->finish());
      m_analyser = std::make_unique<trace::Analyser>();
      return;
    }
    m_follows = false;
    tell(m_observer, "another program has begun to train: only the first one is watched");
  }

  void note(std::vector<trace::Detection> found)
  {
    for (trace::Detection& detection : found) {
      if (m_observer.detected) {
        m_observer.detected(detection);
      }
      m_detections.push_back(std::move(detection));
    }
  }

  const Observer& m_observer;
  trace::Reader m_reader;
  std::unique_ptr<trace::Analyser> m_analyser;
  std::vector<trace::Detection> m_detections;
  size_t m_bytes = 0;
  bool m_started = false;
  bool m_follows = true;
};

// Reads what is available. False at the end, when no writer is left.
bool drain(int fd, const std::function<void(std::string_view)>& use)
{
  std::array<char, k_chunk> buffer;
  for (;;) {
    const ssize_t size = read(fd, buffer.data(), buffer.size());
    if (size <= 0) {
      return size < 0 && (errno == EAGAIN || errno == EINTR);
    }
    use(std::string_view(buffer.data(), static_cast<size_t>(size)));
  }
}

class Session {
public:
  Session(const Order& order, const Observer& observer)
      : m_order(order), m_observer(observer), m_intake(observer)
  {
  }

  Result<Outcome> run()
  {
    if (!m_order.keep.empty()) {
      FL_CHECK(open_kept());
    }
    const run::CountedInterrupts
        interrupts; // up to here, an interrupt may end us: nothing has started yet
    FL_TRY(run::Pipe stream, run::make_pipe());
    FL_TRY(run::Attached program,
           run::Attached::start({.command = m_order.command,
                                 .variables = variables_for(
                                     m_order, preload_for(m_order, m_observer), stream.write.get()),
                                 .keep = stream.write.get(),
                                 .output = m_order.output}));
    stream.write.reset();
    follow(program, stream.read.get(), interrupts);
    Outcome outcome = m_intake.finish();
    outcome.status = program.ended();
    outcome.stopped = m_stopped;
    outcome.interrupted = interrupts.count() > 0;
    if (!m_order.keep.empty() && !m_kept.flush()) {
      return Error{ErrorKind::io, format("cannot write {}", m_order.keep.string())};
    }
    return outcome;
  }

private:
  Result<void> open_kept()
  {
    errno = 0;
    m_kept.open(m_order.keep, std::ios::binary | std::ios::trunc);
    if (!m_kept) {
      return Error{ErrorKind::usage,
                   format("cannot write {}: {}", m_order.keep.string(), std::strerror(errno))};
    }
    return {};
  }

  void follow(run::Attached& program, int stream, const run::CountedInterrupts& interrupts)
  {
    bool has_stream = true;
    double asked = 0;
    for (;;) {
      const bool ended = program.ended().has_value();
      std::array<pollfd, 2> polled = {
          {{has_stream ? stream : -1, POLLIN, 0}, {program.terminal(), POLLIN, 0}}};
      if (!ended) {
        poll(polled.data(), polled.size(), k_tick_milliseconds);
      }
      if (program.terminal() >= 0) {
        drain(program.terminal(), [this](std::string_view text) { m_observer.printed(text); });
      }
      if (has_stream) {
        has_stream = drain(stream, [this](std::string_view bytes) { take(bytes); });
      }
      if (ended) {
        return;
      }
      if (!has_stream) {
        poll(nullptr, 0, k_tick_milliseconds / 10); // the program goes on without a probe
      }
      if (m_observer.tick) {
        m_observer.tick(m_intake.trace());
      }
      heed(interrupts, program);
      asked = stop_at_finding(program, asked);
      if (asked > 0 && monotonic_seconds() > asked + k_farewell_seconds) {
        program.kill_all();
      }
    }
  }

  // A malformed stream is no reason to end the program: its output is discarded, so that the
  // program need not wait for a reader.
  void take(std::string_view bytes)
  {
    if (m_broken) {
      return;
    }
    if (m_kept.is_open()) {
      m_kept.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    }
    if (const Result<void> taken = m_intake.take(bytes); !taken) {
      m_broken = true;
      tell(m_observer, format("what the probe says is not read on: {}", taken.error().line()));
    }
  }

  // The first interrupt is for the program, which may have something to save; we follow it to its
  // end, however long it takes. The second one kills it.
  void heed(const run::CountedInterrupts& interrupts, run::Attached& program)
  {
    const int before = std::exchange(m_interrupts, interrupts.count());
    if (before == 0 && m_interrupts > 0) {
      program.pass_on(interrupts.signal());
      tell(m_observer, "interrupted: waiting for the program to end; once more kills it");
    }
    if (before < 2 && m_interrupts >= 2) {
      program.kill_all();
    }
  }

  // When the program was asked to end because of a finding; 0 if it was not. A program that the
  // user has interrupted is ending already, and may be saving its work.
  double stop_at_finding(run::Attached& program, double asked)
  {
    if (asked > 0 || m_interrupts > 0 || !m_order.stop_on || !m_intake.has(*m_order.stop_on)) {
      return asked;
    }
    m_stopped = true;
    program.terminate();
    return monotonic_seconds();
  }

  const Order& m_order;
  const Observer& m_observer;
  Intake m_intake;
  std::ofstream m_kept;
  bool m_broken = false; // the stream
  bool m_stopped = false;
  int m_interrupts = 0; // that were acted on
};

} // namespace

Result<Outcome> watch(const Order& order, const Observer& observer)
{
  return Session(order, observer).run();
}

Result<Outcome> replay(const std::filesystem::path& file, const Observer& observer)
{
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    return Error{ErrorKind::not_found, format("cannot read {}", file.string())};
  }
  Intake intake(observer);
  std::array<char, k_chunk> buffer;
  while (stream.read(buffer.data(), buffer.size()) || stream.gcount() > 0) {
    const std::string_view bytes(buffer.data(), static_cast<size_t>(stream.gcount()));
    if (Result<void> taken = intake.take(bytes); !taken) {
      return std::move(taken).error().in(file.string());
    }
  }
  Outcome outcome = intake.finish();
  if (outcome.bytes == 0) {
    return Error{ErrorKind::bad_data, format("{}: the trace is empty", file.string())};
  }
  const std::optional<trace::End>& end = outcome.analyser->trace().end();
  if (end && end->status >= 0) {
    outcome.status = end->status;
  }
  return outcome;
}

} // namespace faultline::watch
