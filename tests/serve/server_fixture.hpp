#pragma once

// A server on a free port, over a small project in a temporary folder.

#include "base/gzip.hpp"
#include "catalog/fault_fixture.hpp"
#include "proof/record.hpp"
#include "serve/api/handlers.hpp"
#include "serve/knowledge.hpp"
#include "serve/routes.hpp"
#include "serve/server.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <httplib.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <thread>

namespace faultline::serve {

inline constexpr std::string_view k_token = "0123456789abcdef0123456789abcdef";

class ServerTest : public catalog::ProjectTest {
protected:
  void SetUp() override
  {
    ProjectTest::SetUp();
    Result<std::unique_ptr<catalog::EntryIndex>> opened =
        catalog::EntryIndex::open(root() / "home/entries.sqlite");
    ASSERT_TRUE(opened) << opened.error().line();
    m_entries = *std::move(opened);
    Result<run::OutcomeStore> store = run::OutcomeStore::open(root() / "home/store.sqlite");
    ASSERT_TRUE(store) << store.error().line();
    m_store.emplace(*std::move(store));
    run::Environment bare;
    bare.root = root();
    bare.probes = std::string(FL_SOURCE_DIR) + "/probes";
    m_environments.emplace(bare, std::vector<environment::Description>());
    context.root = root();
    context.home = root() / "home";
    context.version = "0.0.0";
    context.environments = &*m_environments;
    context.schemes = &catalog::project_schemes();
    context.entries = m_entries.get();
    context.store = &*m_store;
    Result<std::unique_ptr<Knowledge>> knowledge = Knowledge::open(context);
    ASSERT_TRUE(knowledge) << knowledge.error().line();
    m_knowledge = *std::move(knowledge);
    context.knowledge = m_knowledge.get();
  }

  void TearDown() override { stop(); }

  void index()
  {
    catalog::RefreshOptions options;
    options.digest = proof::digest_of;
    const auto report = context.entries->refresh(root(), catalog::project_schemes(), options);
    ASSERT_TRUE(report) << report.error().line();
  }

  // `web` is the folder of the front end.
  void start(ServerConfig config = {}, const std::filesystem::path& web = "/nonexistent")
  {
    index();
    config.port = 0;
    m_front_end.emplace(FrontEnd::load(web));
    m_server = std::make_unique<Server>(context, *m_front_end, table, config);
    const Result<int> bound = m_server->bind();
    ASSERT_TRUE(bound) << bound.error().line();
    port = *bound;
    m_guard.emplace(GuardConfig{std::string(k_token), port, {"faults.example.org"}});
    context.guard = &*m_guard;
    m_thread = std::thread([this] { m_server->run(); });
    while (!client().Get("/api/v1/session")) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }

  void stop()
  {
    if (m_thread.joinable()) {
      m_server->stop();
      m_thread.join();
    }
  }

  httplib::Client client() const
  {
    httplib::Client made("127.0.0.1", port);
    made.set_read_timeout(20);
    return made;
  }

  std::string host() const { return "127.0.0.1:" + std::to_string(port); }
  httplib::Headers own_origin() const { return {{"Origin", "http://" + host()}}; }

  // A connection of its own, for what no proper client would send.
  class Raw {
  public:
    explicit Raw(int port) : m_socket(::socket(AF_INET, SOCK_STREAM, 0))
    {
      sockaddr_in address = {};
      address.sin_family = AF_INET;
      address.sin_port = htons(static_cast<uint16_t>(port));
      inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
      m_connected =
          ::connect(m_socket, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0;
    }
    Raw(Raw&& other) noexcept
        : m_socket(std::exchange(other.m_socket, -1)), m_connected(other.m_connected)
    {
    }
    ~Raw()
    {
      if (m_socket >= 0) {
        ::close(m_socket);
      }
    }

    bool connected() const { return m_connected; }

    // False once the other side has closed.
    bool send(std::string_view bytes) const
    {
      while (!bytes.empty()) {
        const ssize_t sent = ::send(m_socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent <= 0) {
          return false;
        }
        bytes.remove_prefix(static_cast<size_t>(sent));
      }
      return true;
    }

    // What comes until the other side closes, `mark` has come, or `seconds` have passed.
    std::string receive(double seconds, std::string_view mark = {})
    {
      const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
      std::string text;
      closed = false;
      while (std::chrono::steady_clock::now() < end &&
             (mark.empty() || text.find(mark) == std::string::npos)) {
        pollfd waiting = {m_socket, POLLIN, 0};
        if (poll(&waiting, 1, 50) <= 0) {
          continue;
        }
        std::array<char, 4096> piece;
        const ssize_t got = ::recv(m_socket, piece.data(), piece.size(), 0);
        if (got <= 0) {
          closed = true;
          break;
        }
        text.append(piece.data(), static_cast<size_t>(got));
      }
      return text;
    }

    bool closed = false;

  private:
    int m_socket;
    bool m_connected = false;
  };

  Raw raw() const { return Raw(port); }

  // Send bytes on a connection of their own; the status of the answer, 0 if there is none.
  int status_of(const std::string& bytes, double seconds = 5) const
  {
    Raw connection(port);
    connection.send(bytes);
    const std::string answer = connection.receive(seconds, "\r\n\r\n");
    return answer.size() > 12 ? std::stoi(answer.substr(9, 3)) : 0;
  }

  Context context;
  std::span<const Route> table = routes();
  int port = 0;

private:
  std::unique_ptr<catalog::EntryIndex> m_entries;
  std::optional<run::OutcomeStore> m_store;
  std::optional<run::Environments> m_environments;
  std::unique_ptr<Knowledge> m_knowledge;
  std::optional<FrontEnd> m_front_end;
  std::optional<Guard> m_guard;
  std::unique_ptr<Server> m_server;
  std::thread m_thread;
};

} // namespace faultline::serve
