// Programs that misbehave in every way we know. Each ends as what it is, and nothing of it is left.

#include "run/job_fixture.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <csignal>

namespace faultline::run {

class Hostile : public testing::TestWithParam<Start> {};

INSTANTIATE_TEST_SUITE_P(Starts,
                         Hostile,
                         testing::Values(Start::cold, Start::warm),
                         [](const auto& tested) {
                           return tested.param == Start::cold ? "Cold" : "Warm";
                         });

TEST_P(Hostile, NetworkConnectionIsRefused)
{
  // A real server on this machine that the program could reach if it had the network.
  const Fd server(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ASSERT_EQ(bind(server.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(listen(server.get(), 1), 0);
  ASSERT_EQ(getsockname(server.get(), reinterpret_cast<sockaddr*>(&address), &size), 0);
  const std::string port = std::to_string(ntohs(address.sin_port));
  const RunOutcome outcome = run_as(GetParam(),
                                    python_job("import socket\n"
                                               "try:\n"
                                               "    socket.create_connection(('127.0.0.1', " +
                                               port +
                                               "), 2)\n"
                                               "    print('connected')\n"
                                               "except OSError as error:\n"
                                               "    print('refused')\n"));
  EXPECT_EQ(outcome.log, "refused\n");
}

TEST_P(Hostile, NothingOutsideItsFolderCanBeWritten)
{
  const std::string target = testing::TempDir() + "faultline-outside";
  std::filesystem::remove(target);
  const RunOutcome outcome =
      run_as(GetParam(),
             python_job("import os\n"
                        "for path in ('/usr/x', '/etc/x', '/x', '/dev/x', '/faultline-init', '" +
                        target +
                        "',\n"
                        "             '/data/x', '/modules/x', '/root/x', '/home/x', "
                        "'/proc/sys/kernel/hostname'):\n"
                        "    try:\n"
                        "        open(path, 'w').write('x')\n"
                        "        print('wrote', path)\n"
                        "    except OSError:\n"
                        "        pass\n"
                        "open('inside', 'w').write('x')\n"
                        "open('/tmp/inside', 'w').write('x')\n"
                        "print('done')\n"));
  // What the program calls /tmp is its own, so a path below it may be written, but not ours.
  EXPECT_FALSE(std::filesystem::exists(target));
  EXPECT_NE(outcome.log.find("done\n"), std::string::npos) << outcome.log;
  EXPECT_EQ(outcome.log.find("wrote /usr"), std::string::npos) << outcome.log;
  EXPECT_EQ(outcome.log.find("wrote /etc"), std::string::npos) << outcome.log;
  EXPECT_EQ(outcome.log.find("wrote /x"), std::string::npos) << outcome.log;
  EXPECT_EQ(outcome.log.find("wrote /dev"), std::string::npos) << outcome.log;
  EXPECT_EQ(outcome.log.find("wrote /faultline-init"), std::string::npos) << outcome.log;
  EXPECT_EQ(outcome.log.find("wrote /proc"), std::string::npos) << outcome.log;
}

TEST_P(Hostile, FilesThatAreOpenHereAreNotOpenThere)
{
  const std::string path = testing::TempDir() + "faultline-left-open";
  const Fd left_open(open(path.c_str(), O_RDWR | O_CREAT, 0600)); // not close-on-exec, as others do
  ASSERT_GE(left_open.get(), 0);
  const RunOutcome outcome =
      run_as(GetParam(),
             python_job("import os\n"
                        "for fd in os.listdir('/proc/self/fd'):\n"
                        "    try:\n"
                        "        if 'left-open' in os.readlink('/proc/self/fd/' + fd):\n"
                        "            print('open', fd)\n"
                        "    except OSError:\n"
                        "        pass\n"
                        "print('done')\n"));
  EXPECT_EQ(outcome.log, "done\n");
  std::filesystem::remove(path);
}

TEST_P(Hostile, SecretsOfTheMachineAreNotVisible)
{
  const RunOutcome outcome =
      run_as(GetParam(),
             python_job("import os\n"
                        "print([p for p in ('/root', '/home', '/etc/shadow', '/var', '/sys')\n"
                        "       if os.path.exists(p)])\n"
                        "print(sorted(k for k in os.environ if 'FAULTLINE' in k))\n"));
  EXPECT_EQ(outcome.log, "[]\n[]\n");
}

TEST_P(Hostile, ForkBombIsStopped)
{
  Job job = python_job("import os\n"
                       "while True:\n"
                       "    try:\n"
                       "        os.fork()\n"
                       "    except OSError:\n"
                       "        pass\n");
  job.command.push_back("mark-of-the-bomb");
  const RunOutcome outcome = run_as(GetParam(), job);
  EXPECT_TRUE(outcome.ending == Ending::process_limit || outcome.ending == Ending::timed_out)
      << describe(outcome);
  EXPECT_EQ(count_processes("mark-of-the-bomb"), 0);
}

TEST_P(Hostile, MemoryBombIsOutOfMemory)
{
  const RunOutcome outcome = run_as(GetParam(),
                                    python_job("keep = []\n"
                                               "while True:\n"
                                               "    keep.append(bytearray(8 * 1024 * 1024))\n"));
  EXPECT_EQ(outcome.ending, Ending::out_of_memory) << describe(outcome) << outcome.log;
}

TEST_P(Hostile, MemoryBombOfManyProcessesIsOutOfMemory)
{
  const RunOutcome outcome = run_as(GetParam(),
                                    python_job("import os, time\n"
                                               "for i in range(6):\n"
                                               "    if os.fork() == 0:\n"
                                               "        keep = b'x' * (200 * 1024 * 1024)\n"
                                               "        time.sleep(30)\n"
                                               "time.sleep(30)\n"));
  EXPECT_EQ(outcome.ending, Ending::out_of_memory) << describe(outcome) << outcome.log;
}

TEST_P(Hostile, OutputBombIsCut)
{
  Job job = python_job("while True:\n    print('x' * 1000)\n");
  job.limits.output_kib = 256;
  const RunOutcome outcome = run_as(GetParam(), job);
  EXPECT_EQ(outcome.ending, Ending::output_limit) << describe(outcome);
  EXPECT_EQ(outcome.log.size(), 256U * 1024);
}

TEST_P(Hostile, FullScratchSpaceIsTheProgramsOwnProblem)
{
  Job job = python_job("try:\n"
                       "    with open('big', 'wb') as out:\n"
                       "        while True:\n"
                       "            out.write(b'x' * 1000000)\n"
                       "except OSError as error:\n"
                       "    print(error.errno)\n");
  job.limits.disk_mib = 16;
  const RunOutcome outcome = run_as(GetParam(), job);
  EXPECT_EQ(outcome.ending, Ending::exited) << describe(outcome);
  EXPECT_TRUE(outcome.log == "28\n" || outcome.log == "27\n") << outcome.log; // ENOSPC or EFBIG
}

TEST_P(Hostile, SignalsAreOfNoUseAgainstTheTimeLimit)
{
  Job job = python_job("import signal, time\n"
                       "for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):\n"
                       "    signal.signal(number, signal.SIG_IGN)\n"
                       "print('up', flush=True)\n"
                       "while True:\n"
                       "    time.sleep(1)\n");
  job.limits.wall_seconds = 1;
  const RunOutcome outcome = run_as(GetParam(), job);
  EXPECT_EQ(outcome.ending, Ending::timed_out) << describe(outcome);
  EXPECT_EQ(outcome.log, "up\n");
  EXPECT_LT(outcome.wall_seconds, 5);
}

TEST_P(Hostile, CpuTimeIsLimited)
{
  Job job = python_job("while True:\n    pass\n");
  job.limits.cpu_seconds = 1;
  const RunOutcome outcome = run_as(GetParam(), job);
  EXPECT_EQ(outcome.ending, Ending::timed_out) << describe(outcome);
}

TEST_P(Hostile, OrphanedGrandchildDiesWithTheJob)
{
  Job job = python_job("import os, subprocess, sys\n"
                       "if os.fork() == 0:\n"
                       "    os.setsid()\n"
                       "    if os.fork() == 0:\n"
                       "        subprocess.run(['sleep', '98765'])\n"
                       "    os._exit(0)\n"
                       "os.wait()\n"
                       "print('parent ends')\n");
  const RunOutcome outcome = run_as(GetParam(), job);
  EXPECT_EQ(outcome.ending, Ending::exited) << describe(outcome);
  EXPECT_EQ(outcome.log, "parent ends\n");
  EXPECT_EQ(count_processes("98765"), 0);
}

TEST_P(Hostile, SegmentationFaultIsASignal)
{
  const RunOutcome outcome = run_as(GetParam(), python_job("import ctypes\nctypes.string_at(0)\n"));
  EXPECT_EQ(outcome.ending, Ending::signalled) << describe(outcome);
  EXPECT_EQ(outcome.code, SIGSEGV);
}

TEST_P(Hostile, AbortIsASignal)
{
  const RunOutcome outcome = run_as(GetParam(), python_job("import os\nos.abort()\n"));
  EXPECT_EQ(outcome.ending, Ending::signalled) << describe(outcome);
  EXPECT_EQ(outcome.code, SIGABRT);
}

TEST_P(Hostile, LeavesNothingForTheNextJob)
{
  run_as(GetParam(),
         python_job("for path in ('/tmp/left', 'left', '/dev/shm/left'):\n    open(path, 'w')\n"));
  const RunOutcome outcome =
      run_as(GetParam(),
             python_job("import os\n"
                        "print(os.listdir('/tmp'), os.listdir('.'), os.listdir('/dev/shm'))\n"));
  EXPECT_EQ(outcome.log, "[] ['main.py'] []\n");
}

TEST(HostileToServer, KillingEverythingInReachDoesNotReachTheServer)
{
  Job job = python_job("import os, signal\n"
                       "for pid in range(1, 400):\n"
                       "    if pid != os.getpid():\n"
                       "        try:\n"
                       "            os.kill(pid, signal.SIGKILL)\n"
                       "        except OSError:\n"
                       "            pass\n"
                       "print('tried')\n");
  job.warm = WarmStart::python;
  Runner runner({});
  EXPECT_EQ(runner.run(job, machine()).log, "tried\n");
  const RunOutcome after = runner.run(job, machine());
  EXPECT_TRUE(after.warm);
  EXPECT_EQ(after.log, "tried\n");
}

TEST(MachineFailure, MissingInterpreterIsNoVerdict)
{
  Job job = python_job("print(1)\n");
  job.command = {"python-that-is-not-there", "main.py"};
  const RunOutcome outcome = run_cold(job, Isolation::sandbox);
  EXPECT_EQ(outcome.ending, Ending::machine_failure);
  EXPECT_EQ(outcome.reason, "cannot start python-that-is-not-there: No such file or directory");
  EXPECT_FALSE(outcome.is_verdict());
}

TEST(WithoutSandbox, LimitsHoldAndOrphansDie)
{
  Job job = python_job("import os, subprocess\n"
                       "if os.fork() == 0:\n"
                       "    os.setsid()\n"
                       "    subprocess.Popen(['sleep', '87654'])\n"
                       "    os._exit(0)\n"
                       "os.wait()\n"
                       "print('end')\n");
  const RunOutcome ended = run_cold(job, Isolation::none);
  EXPECT_EQ(ended.log, "end\n") << describe(ended);
  EXPECT_EQ(count_processes("87654"), 0);
  job = python_job("import time\nwhile True: time.sleep(1)\n");
  job.limits.wall_seconds = 0.5;
  EXPECT_EQ(run_cold(job, Isolation::none).ending, Ending::timed_out);
}

} // namespace faultline::run
