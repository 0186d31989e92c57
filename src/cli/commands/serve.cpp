#include "base/clock.hpp"
#include "base/format.hpp"
#include "base/progress.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/run_options.hpp"
#include "proof/committed.hpp"
#include "run/installation.hpp"
#include "run/interrupt.hpp"
#include "run/sandbox.hpp"
#include "serve/fault_worker.hpp"
#include "serve/knowledge.hpp"
#include "serve/routes.hpp"
#include "serve/server.hpp"
#include "serve/text_analysis.hpp"

#include <malloc.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <thread>

namespace faultline::cli {

namespace fs = std::filesystem;

namespace {

struct Options {
  serve::ServerConfig server;
  serve::QueueConfig queue;
  std::vector<std::string> allowed_hosts;
  std::string web;
  std::shared_ptr<RunOptions> run;
};

// Hundreds of idle clients each hold a file descriptor and a thread. With one malloc arena per
// thread, each would keep the memory of its largest answer.
void prepare_process()
{
  mallopt(M_ARENA_MAX, 4);
  constexpr rlim_t k_files = 4096;
  rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < k_files) {
    limit.rlim_cur = std::min(k_files, limit.rlim_max);
    setrlimit(RLIMIT_NOFILE, &limit);
  }
}

bool is_loopback(const std::string& host)
{
  return host == "localhost" || host == "::1" || host.starts_with("127.");
}

// Keeps the index up to date with the folders, and the proofs with the store and the record.
class Keeper {
public:
  Keeper(catalog::EntryIndex& entries,
         const fs::path& root,
         const catalog::Schemes& schemes,
         run::OutcomeStore& store)
      : m_entries(entries), m_root(root), m_schemes(schemes), m_store(store)
  {
    m_options.digest = proof::digest_of;
    m_options.stop = run::interrupted;
  }

  // Everything, with a bar if that takes a while. Where it would take long although all was read
  // once, what is known is shown at once, and `look_again` sees what has changed.
  Result<void> begin()
  {
    FL_TRY(const bool known, m_entries.is_of(m_root, m_schemes));
    if (known && m_entries.size() > k_many) {
      return mark_proofs();
    }
    std::optional<Progress> progress;
    size_t shown = 0;
    m_options.threads = std::max(1U, std::thread::hardware_concurrency());
    m_options.progress = [&progress, &shown](size_t done, size_t total) {
      if (!progress && done < total) {
        progress.emplace("index", total);
      }
      for (; progress && shown < done; ++shown) {
        progress->advance("");
      }
    };
    const Result<void> brought = bring_up_to_date();
    m_options.progress = {};
    m_options.threads = 1; // from now on, answering requests comes first
    return brought;
  }

  // Rescans now and then: often if that is quick, rarely if it takes long.
  void look_again()
  {
    if (const double now = monotonic_seconds(); now >= m_next) {
      if (const Result<void> brought = bring_up_to_date(); !brought) {
        std::cerr << "faultline: " << brought.error().line() << '\n';
      }
    }
  }

private:
  static constexpr size_t k_many = 5000;
  static constexpr double k_after_failure = 30; // seconds

  Result<void> bring_up_to_date()
  {
    const double start = monotonic_seconds();
    m_next = start + k_after_failure;
    FL_CHECK(m_entries.refresh(m_root, m_schemes, m_options));
    FL_CHECK(mark_proofs());
    const double end = monotonic_seconds();
    m_next = end + std::clamp(200 * (end - start), 3.0, 3600.0);
    return {};
  }

  Result<void> mark_proofs()
  {
    FL_TRY(const proof::CommittedProofs committed, proof::read_committed(m_root));
    FL_TRY(const std::vector<proof::KnownProof> known, proof::known_proofs(m_store));
    std::vector<catalog::ProvedMark> marks;
    for (const auto& [id, proof] : committed) {
      marks.push_back({id, proof.digest, catalog::Proved::recorded});
    }
    for (const proof::KnownProof& proof : known) { // these count more
      marks.push_back(
          {proof.id, proof.digest, proof.proved ? catalog::Proved::here : catalog::Proved::no});
    }
    if (marks != m_marks) {
      FL_CHECK(m_entries.set_proved(marks));
      m_marks = std::move(marks);
    }
    return {};
  }

  catalog::EntryIndex& m_entries;
  const fs::path& m_root;
  const catalog::Schemes& m_schemes;
  run::OutcomeStore& m_store;
  catalog::RefreshOptions m_options;
  std::vector<catalog::ProvedMark> m_marks;
  double m_next = 0;
};

void warn_if_open_to_others(const std::string& host, const Session& session)
{
  if (!is_loopback(host)) {
    std::cerr << "faultline: " << session.err()(Colour::red, "warning:") << " listening on " << host
              << ": ANYONE who can reach this machine can read the "
              << "faultload, its runs and their logs, and anyone with the token can run programs "
              << "here\n";
  }
}

// The host as it is written in a URL.
std::string shown_host(const std::string& host)
{
  return host == "0.0.0.0" || host == "::"     ? "127.0.0.1"
         : host.find(':') != std::string::npos ? "[" + host + "]"
                                               : host;
}

// What the guard answers to besides the names of this machine, which it knows.
std::vector<std::string> allowed_hosts(const Options& options, const std::string& shown)
{
  std::vector<std::string> hosts = options.allowed_hosts;
  if (shown != "127.0.0.1" && shown != "localhost" && shown != "[::1]") {
    hosts.push_back(shown);
  }
  return hosts;
}

// What handlers share that is there before anything was asked of the stores.
Result<void> fill(serve::Context& context, Session& session, const Options& options)
{
  FL_TRY(context.root, session.root());
  FL_TRY(context.tools, session.tools());
  FL_TRY(context.home, session.home());
  FL_TRY(context.environments, session.environments());
  FL_TRY(context.store, session.store());
  context.binary = run::own_executable();
  context.version = FL_VERSION;
  context.runner = options.run->config();
  if (const Result<void> can = check_can_run(*options.run); !can) {
    context.cannot_run = can.error().line();
  }
  return {};
}

// What those need that run what the browser asks for.
serve::WorkshopConfig workshop_of(const serve::Context& context)
{
  serve::Knowledge& knowledge = *context.knowledge;
  serve::WorkshopConfig workshop;
  workshop.environments = context.environments;
  workshop.schemes = context.schemes;
  workshop.outcomes = context.store;
  workshop.tool_runs = &knowledge.tool_runs();
  workshop.identities = &knowledge.identities();
  workshop.compiler = &knowledge.compiler();
  workshop.runner = context.runner;
  workshop.own = knowledge.own();
  workshop.tools = context.tools;
  workshop.load_fault = [&knowledge](const std::string& id) { return knowledge.fault(id); };
  return workshop;
}

void announce(const Session& session,
              const catalog::EntryIndex& entries,
              const std::string& address,
              bool has_pages)
{
  session.print(
      format("Faultline serves {} at\n  {}\n", count_of(entries.size(), "fault"), address));
  for (const std::string& problem : entries.problems()) {
    report_error({ErrorKind::bad_data, problem}, session.err());
  }
  if (!has_pages) {
    session.print("The web app is not built; only the API is available.\n");
  }
  session.print("Keep this address to yourself: anyone who has it can run programs here. Ctrl-C "
                "stops the server.\n");
  std::cout.flush();
}

void serve_until_interrupted(serve::Server& server, Keeper& keeper)
{
  std::thread answering([&server] { server.run(); });
  while (!run::interrupted()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    keeper.look_again();
  }
  server.stop();
  answering.join();
}

Result<int> run(Session& session, Options& options)
{
  // First of all, while there are no threads and little memory.
  FL_TRY(const std::unique_ptr<serve::TextAnalysis> analysis, serve::TextAnalysis::start());
  FL_TRY(const fs::path root, session.root());
  FL_TRY(const fs::path home, session.home());
  FL_TRY(const catalog::Schemes schemes, catalog::load_schemes(root / "taxonomy"));
  FL_TRY(run::OutcomeStore * store, session.store());
  FL_TRY(const std::unique_ptr<catalog::EntryIndex> entries,
         catalog::EntryIndex::open(home / "entries.sqlite"));
  prepare_process();

  // The port first: if it is taken, we should know before reading every fault.
  serve::Context context;
  const serve::FrontEnd front_end =
      serve::FrontEnd::load(options.web.empty() ? run::installation().web : fs::path(options.web));
  serve::Server server(context, front_end, serve::routes(), options.server);
  FL_TRY(const int port, server.bind());
  run::catch_interrupts();
  warn_if_open_to_others(options.server.host, session);
  const std::string host = shown_host(options.server.host);
  const serve::Guard guard({serve::random_hex(16), port, allowed_hosts(options, host)});

  Keeper keeper(*entries, root, schemes, *store);
  FL_CHECK(keeper.begin());
  if (run::interrupted()) {
    return k_exit_interrupted;
  }
  FL_CHECK(fill(context, session, options));
  context.schemes = &schemes;
  context.entries = entries.get();
  context.analysis = analysis.get();
  context.guard = &guard;

  FL_TRY(const std::unique_ptr<serve::Knowledge> knowledge, serve::Knowledge::open(context));
  context.knowledge = knowledge.get();
  FL_TRY(serve::RunLog log, serve::RunLog::open(home / "serve.sqlite"));
  FL_TRY(const std::unique_ptr<serve::RunQueue> queue,
         serve::RunQueue::open(
             std::move(log), options.queue, serve::fault_workers(workshop_of(context))));
  context.queue = queue.get();
  knowledge->warm_up();

  announce(session,
           *entries,
           format("http://{}:{}/?token={}", host, port, guard.token()),
           front_end.is_built());
  serve_until_interrupted(server, keeper);
  return k_exit_ok;
}

} // namespace

Action declare_serve(Arguments& arguments, Session& session)
{
  auto options = std::make_shared<Options>();
  arguments.option("--host", options->server.host, "listen on this address (127.0.0.1)")
      .named("ADDRESS");
  arguments.option("--port", options->server.port, "listen on this port (8600); 0 picks a free one")
      .within(0, 65535)
      .named("N");
  arguments
      .option("--allow-host",
              options->allowed_hosts,
              "also answer requests to this host name, such as that of a proxy")
      .repeated()
      .named("NAME");
  arguments
      .option("--workers", options->queue.workers, "runs in parallel (half the number of cores)")
      .within(1, 256)
      .named("N");
  arguments
      .option("--per-user",
              options->queue.per_user,
              "runs that one user may have waiting or running (8)")
      .within(1, 1000)
      .named("N");
  arguments
      .option(
          "--web", options->web, "the folder of the web app (the one installed with this program)")
      .named("FOLDER");
  options->run = add_run_options(arguments);
  return [options, &session] { return run(session, *options); };
}

} // namespace faultline::cli
