#include "run/isolated.hpp"

#include "base/format.hpp"
#include "run/descriptors.hpp"
#include "run/frame.hpp"
#include "run/nursery.hpp"

#include <sys/socket.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace faultline::run {

static Error gone()
{
  return {ErrorKind::machine, "the process that starts others is gone"};
}

Result<std::unique_ptr<Isolated>>
Isolated::start(Work work, const IsolationLimits& limits, const std::function<void()>& warm_up)
{
  FL_TRY(auto ends, make_socket_pair());
  std::fflush(nullptr); // what is waiting to be printed must not be printed twice
  const pid_t nursery = fork();
  if (nursery < 0) {
    return Error{ErrorKind::machine, format("cannot start a process: {}", std::strerror(errno))};
  }
  if (nursery == 0) {
    ends.first.reset();
    if (warm_up) {
      warm_up();
    }
    run_nursery(std::move(ends.second), work, limits);
  }
  std::unique_ptr<Isolated> made(new Isolated(std::move(ends.first)));
  made->m_nursery = nursery;
  return made;
}

Isolated::~Isolated()
{
  m_idle.clear();
  m_control.reset();
  waitpid(m_nursery, nullptr, 0);
}

Result<Fd> Isolated::new_worker()
{
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return Error{ErrorKind::machine, format("cannot make a socket: {}", std::strerror(errno))};
  }
  Fd own(ends[0]);
  const Fd other(ends[1]);
  if (!send_with_descriptors(m_control.get(), "w", {other.get()})) {
    return gone();
  }
  return own;
}

Fd Isolated::idle_worker()
{
  const std::lock_guard lock(m_mutex);
  if (m_idle.empty()) {
    return {};
  }
  Fd worker = std::move(m_idle.back());
  m_idle.pop_back();
  return worker;
}

Result<std::string> Isolated::ask(std::string_view request)
{
  std::optional<Frame> reply;
  Fd worker = idle_worker();
  // One that waited for work may have been killed meanwhile; it did not die of this request.
  const bool sent = worker && write_frame(worker.get(), k_answer, request);
  if (!sent) {
    FL_TRY(worker, new_worker());
    if (!write_frame(worker.get(), k_answer, request)) {
      return gone();
    }
  }
  reply = read_frame(worker.get());
  if (!reply || reply->kind == k_died) {
    return Error{ErrorKind::internal,
                 "the process " + (reply ? reply->bytes : std::string("ended unexpectedly"))};
  }
  const std::lock_guard lock(m_mutex);
  m_idle.push_back(std::move(worker));
  return std::move(reply->bytes);
}

} // namespace faultline::run
