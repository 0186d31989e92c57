#pragma once

#include "base/file.hpp"
#include "proof/record.hpp"
#include "serve/fault_worker.hpp"
#include "serve/knowledge.hpp"
#include "serve/routes.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>

namespace faultline::serve {

// A fault whose program is `answer = 41`, with this test.
inline void
write_fault(const std::filesystem::path& root, const std::string& name, const std::string& test)
{
  FileTree tree;
  // Each a program of its own, so that what is stored of one says nothing of the others.
  const std::string print = "print('answer', answer) # " + name + "\n";
  tree["program/main.py"] = "answer = 41\n" + print;
  tree["fix.patch"] =
      "--- a/main.py\n+++ b/main.py\n@@ -1,2 +1,2 @@\n-answer = 41\n+answer = 42\n " + print;
  tree["test.py"] = test;
  tree["fault.toml"] =
      "id = 'pytorch-" + name +
      "'\ntitle = 'The answer is wrong'\nframework = 'pytorch'\nsplit = 'dev'\nsummary = 's'\n"
      "general = 'g'\n[origin]\nkind = 'github'\nurl = 'https://example.org/1'\n"
      "[labels]\ntype = 'api/wrong-api-usage'\ncategory = 'api-misuse'\n"
      "fix_pattern = 'api-contract'\nsymptom = 'incorrect-functionality'\n"
      "property = 'correctness'\nphase = 'learning'\nlevel = 'ml-component'\n"
      "[location]\nfile = 'main.py'\nlines = [1]\n"
      "[run]\ncommand = ['python3', 'main.py']\ntest = ['python3', '../test.py']\n"
      "timeout_seconds = 30\n[oracle]\nevidence = 'answer 41'\n"
      "[environment]\n"
      "[realism]\napi = 'same'\ndata = 'same'\nfix = 'equivalent'\n";
  ASSERT_TRUE(write_tree(root / "faults/pytorch" / name, tree));
}

// A whole server but for its sockets: a project with three faults and three tools, in the real
// sandbox.
class SmallProject : public testing::Test {
protected:
  void SetUp() override
  {
    namespace fs = std::filesystem;
    m_context.root = m_folder->path() / "project";
    m_context.tools = m_context.root / "tools";
    m_context.home = m_folder->path() / "home";
    write_fault(m_context.root,
                "answer",
                "import oracle\n"
                "answer = oracle.run('main.py').answer\n"
                "oracle.check(answer == 42, 'wrong answer')\n");
    write_fault(
        m_context.root, "slow", "import time\nprint('begun', flush=True)\ntime.sleep(25)\n");
    write_fault(m_context.root,
                "loud",
                "import sys\nout = sys.stdout.buffer\n"
                "out.write(b'<script>alert(1)</script>\\xff\\xfe\\n')\n"
                "for _ in range(160):\n    out.write(b'\\xe2' * 65535 + b'\\n')\n");
    FileTree tools;
    tools["finder.toml"] =
        "name = 'finder'\nsummary = 'Finds the wrong answer'\nkind = 'static'\n"
        "command = ['sh', '-c', '''echo looking >&2; if grep -q 41 \"$1\"; then echo "
        "'[{\"rule\":\"R\",\"file\":\"main.py\",\"line\":1,\"message\":\"<b>41</b>\","
        "\"severity\":\"error\"}]'; else echo '[]'; fi''', 'sh', '{entry}']\n"
        "[output]\nformat = 'json'\n";
    tools["blind.toml"] = "name = 'blind'\nsummary = 'Sees nothing'\nkind = 'static'\n"
                          "command = ['echo', '[]']\n[output]\nformat = 'json'\n";
    tools["scripts.toml"] = "name = 'scripts'\nsummary = 'For JavaScript'\nkind = 'static'\n"
                            "command = ['echo', '[]']\n[applies]\nlanguages = ['javascript']\n"
                            "[output]\nformat = 'json'\n";
    tools["all.toml"] = "name = 'all'\nsummary = 'Both'\nunion = ['finder', 'blind']\n";
    ASSERT_TRUE(write_tree(m_context.root / "tools", tools));
    fs::create_directory_symlink(std::string(FL_SOURCE_DIR) + "/taxonomy",
                                 m_context.root / "taxonomy");
    m_schemes = catalog::load_schemes(m_context.root / "taxonomy");
    ASSERT_TRUE(m_schemes);
    m_entries = *catalog::EntryIndex::open(m_context.home / "entries.sqlite");
    catalog::RefreshOptions refresh;
    refresh.digest = proof::digest_of;
    ASSERT_TRUE(m_entries->refresh(m_context.root, *m_schemes, refresh));
    m_store.emplace(*run::OutcomeStore::open(m_context.home / "store.sqlite"));
    m_context.binary = FL_BINARY;
    m_context.version = "test";
    m_context.environments = &environments();
    m_context.schemes = &*m_schemes;
    m_context.entries = m_entries.get();
    m_context.store = &*m_store;
    start();
  }

  static const run::Environments& environments()
  {
    static const run::Environments k_environments =
        *run::discover_environments(FL_SOURCE_DIR, FL_SOURCE_DIR, {});
    return k_environments;
  }

  // Stop the queue and start it again, as a restart of the server does.
  void start()
  {
    m_queue.reset();
    m_knowledge = *Knowledge::open(m_context);
    m_context.knowledge = m_knowledge.get();
    WorkshopConfig workshop;
    workshop.environments = m_context.environments;
    workshop.schemes = m_context.schemes;
    workshop.outcomes = m_context.store;
    workshop.tool_runs = &m_knowledge->tool_runs();
    workshop.identities = &m_knowledge->identities();
    workshop.compiler = &m_knowledge->compiler();
    workshop.runner = m_context.runner;
    workshop.own = m_knowledge->own();
    workshop.tools = m_context.root / "tools";
    workshop.load_fault = [this](const std::string& id) { return m_knowledge->fault(id); };
    m_queue = *RunQueue::open(
        *RunLog::open(m_context.home / "serve.sqlite"), {1, 8}, fault_workers(std::move(workshop)));
    m_context.queue = m_queue.get();
  }

  Reply call(const std::string& method,
             const std::string& target,
             const Json& body = {},
             const std::map<std::string, std::string>& headers = {})
  {
    Request request;
    request.method = method;
    request.user = "u";
    request.headers = headers;
    request.body = body.is_null() ? std::string() : print_json_compact(body);
    EXPECT_TRUE(read_target("/api/v1" + target, request));
    const Match found = match(routes(), request);
    if (found.route == nullptr) {
      ADD_FAILURE() << "no route for " << method << " " << target;
      return error_reply(404, "no route");
    }
    return found.route->handler(m_context, request);
  }

  // The JSON of an answer that must have this status.
  Json json(const std::string& method,
            const std::string& target,
            const Json& body = {},
            int status = 200)
  {
    const Reply reply = call(method, target, body);
    EXPECT_EQ(reply.status, status) << target << ": " << reply.body;
    EXPECT_TRUE(Json::accept(reply.body)) << target;
    return parse_json(reply.body);
  }
  Json get(const std::string& target, int status = 200) { return json("GET", target, {}, status); }
  std::string
  error(const std::string& method, const std::string& target, const Json& body, int status)
  {
    return json(method, target, body, status)["error"]["message"].get<std::string>();
  }

  std::string start_run(const Json& body)
  {
    return json("POST", "/runs", body, 202)["id"].get<std::string>();
  }
  Json wait_for(const std::string& id)
  {
    Json run;
    for (int i = 0; i < 1200; ++i) {
      run = get("/runs/" + id);
      if (run["state"] != "waiting" && run["state"] != "running") {
        return run;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    ADD_FAILURE() << "run " << id << " does not end";
    return run;
  }

  Result<TempDir> m_folder = TempDir::create();
  Context m_context;
  Result<catalog::Schemes> m_schemes = Error{};
  std::unique_ptr<catalog::EntryIndex> m_entries;
  std::optional<run::OutcomeStore> m_store;
  std::unique_ptr<Knowledge> m_knowledge;
  std::unique_ptr<RunQueue> m_queue;
};

} // namespace faultline::serve
