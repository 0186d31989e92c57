#include "run/job_fixture.hpp"

namespace faultline::run {

// Programs whose whole behaviour a job can show: each must end alike from nothing and from the
// server, to the byte of its log.
struct Same {
  const char* name;
  const char* code;
};

class WarmAndCold : public testing::TestWithParam<Same> {};

static const Same k_programs[] = {
    {"PrintsAndEnds", "print('hello')\n"},
    {"ArgumentsAndPaths",
     "import os, sys\nprint(sys.argv, sys.path[0], __name__, __file__, os.getcwd(), "
     "sorted(os.environ))\n"},
    {"ExitStatus", "import sys\nprint('a')\nsys.exit(7)\n"},
    {"ExitMessage", "import sys\nsys.exit('no good')\n"},
    {"ExitNothing", "import sys\nsys.exit()\n"},
    {"Exception", "def f():\n    return 1 / 0\n\nprint('before')\nf()\n"},
    {"ChainedException",
     "try:\n    {}['x']\nexcept KeyError as error:\n    raise ValueError('y') from error\n"},
    {"SyntaxError", "print('a'\nprint('b')\n"},
    {"Training",
     "import torch\n"
     "torch.manual_seed(3)\n"
     "net = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 1))\n"
     "optimizer = torch.optim.Adam(net.parameters())\n"
     "x, y = torch.randn(64, 4), torch.randn(64, 1)\n"
     "for _ in range(50):\n"
     "    optimizer.zero_grad()\n"
     "    loss = torch.nn.functional.mse_loss(net(x), y)\n"
     "    loss.backward()\n"
     "    optimizer.step()\n"
     "print(repr(loss.item()), [p.sum().item() for p in net.parameters()])\n"},
    {"Digits",
     "import numpy as np\n"
     "from sklearn.datasets import load_digits\n"
     "np.random.seed(1)\n"
     "digits = load_digits()\n"
     "print(digits.data.sum(), np.random.rand(3))\n"},
    {"Threads", "import torch\nprint(torch.get_num_threads())\n"},
    {"AtExit", "import atexit\natexit.register(print, 'at exit')\nprint('end')\n"},
    {"Destructor", "class A:\n    def __del__(self): print('gone')\n\na = A()\nprint('end')\n"},
    {"BackgroundThread",
     "import threading, time\n"
     "threading.Thread(target=lambda: (time.sleep(0.2), print('thread'))).start()\n"
     "print('main')\n"},
    {"Workers",
     "import torch\n"
     "from torch.utils.data import DataLoader, TensorDataset\n"
     "data = TensorDataset(torch.arange(12.0))\n"
     "print([batch[0].sum().item() for batch in DataLoader(data, batch_size=4, num_workers=2)])\n"},
    {"Hashes", "print(hash('faultline'), [*{'a', 'b', 'c', 'd'}])\n"},
};

INSTANTIATE_TEST_SUITE_P(Programs,
                         WarmAndCold,
                         testing::ValuesIn(k_programs),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(WarmAndCold, EndAlike)
{
  Job job = python_job(GetParam().code);
  job.limits.wall_seconds = 60; // importing torch in two workers takes long on a busy machine
  const RunOutcome cold = run_as(Start::cold, job);
  const RunOutcome warm = run_as(Start::warm, job);
  EXPECT_FALSE(cold.warm);
  EXPECT_TRUE(warm.warm) << warm.reason;
  EXPECT_EQ(describe(cold), describe(warm));
  EXPECT_EQ(cold.log, warm.log);
}

TEST(ForkServer, GivesEveryJobFreshRandomNumbers)
{
  Job job = python_job("import random, numpy, torch\n"
                       "print(random.random(), numpy.random.rand(), torch.rand(1).item())\n");
  job.warm = WarmStart::python;
  Runner runner({});
  const RunOutcome first = runner.run(job, machine());
  const RunOutcome second = runner.run(job, machine());
  EXPECT_TRUE(first.succeeded()) << first.log;
  EXPECT_NE(first.log, second.log);
}

TEST(ForkServer, FollowsTheLogAsItComes)
{
  Job job = python_job("print('one', flush=True)\nprint('two', flush=True)\n");
  job.warm = WarmStart::python;
  std::string seen;
  Runner runner({});
  const RunOutcome outcome =
      runner.run(job, machine(), [&seen](std::string_view text) { seen += text; });
  EXPECT_EQ(seen, outcome.log);
}

TEST(ForkServer, SaysWhyItCannotStart)
{
  ForkServerConfig config;
  config.interpreter = machine().python->path.string();
  config.script = machine().root / "probes/fork_server.py";
  config.modules = {"a_module_that_is_not_there"};
  const Result<ForkServer> server = ForkServer::start(config);
  ASSERT_FALSE(server);
  EXPECT_NE(server.error().line().find("No module named 'a_module_that_is_not_there'"),
            std::string::npos)
      << server.error().line();
}

} // namespace faultline::run
