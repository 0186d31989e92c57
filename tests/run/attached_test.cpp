#include "base/file.hpp"
#include "run/attached.hpp"

#include <gtest/gtest.h>
#include <poll.h>

namespace faultline::run {

static int wait_for(Attached& program)
{
  for (int i = 0; i < 2000; ++i) {
    if (const std::optional<int> status = program.ended()) {
      return *status;
    }
    poll(nullptr, 0, 10);
  }
  return -1;
}

static Result<Attached> start(const std::string& script,
                              Attached::Output output = Attached::Output::inherited)
{
  return Attached::start(
      {.command = {"sh", "-c", script}, .variables = {}, .keep = -1, .output = output});
}

TEST(Attached, EndsWithTheStatusOfTheProgram)
{
  Result<Attached> program = start("exit 7");
  ASSERT_TRUE(program);
  EXPECT_EQ(wait_for(*program), 7);
}

TEST(Attached, ASignalIsSaidAsAShellSaysIt)
{
  Result<Attached> program = start("kill -KILL $$");
  ASSERT_TRUE(program);
  EXPECT_EQ(wait_for(*program), 128 + 9);
}

TEST(Attached, AProgramThatDoesNotExistIsAnErrorAtOnce)
{
  const Result<Attached> program =
      Attached::start({.command = {"no-such-program-here"}, .variables = {}, .keep = -1});
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error().line(),
            "cannot start `no-such-program-here`: No such file or directory");
}

TEST(Attached, SeesOurVariablesAndTheOnesOfTheOrder)
{
  const Result<TempDir> place = TempDir::create();
  ASSERT_TRUE(place);
  const std::string file = (place->path() / "seen").string();
  Result<Attached> program =
      Attached::start({.command = {"sh", "-c", "echo \"$MORE ${PATH:+path}\" >'" + file + "'"},
                       .variables = {{"MORE", "of it"}},
                       .keep = -1});
  ASSERT_TRUE(program);
  EXPECT_EQ(wait_for(*program), 0);
  EXPECT_EQ(*read_file(file), "of it path\n");
}

TEST(Attached, InheritsOneDescriptor)
{
  Result<Pipe> pipe = make_pipe();
  ASSERT_TRUE(pipe);
  Result<Attached> program =
      Attached::start({.command = {"sh", "-c", "echo hello >&$FD"},
                       .variables = {{"FD", std::to_string(pipe->write.get())}},
                       .keep = pipe->write.get()});
  ASSERT_TRUE(program);
  EXPECT_EQ(wait_for(*program), 0);
  char text[16] = {};
  EXPECT_EQ(read(pipe->read.get(), text, sizeof text), 6);
  EXPECT_STREQ(text, "hello\n");
}

TEST(Attached, ATerminalOfItsOwnIsOne)
{
  Result<Attached> program =
      start("test -t 1 && test -t 2 && echo both", Attached::Output::of_terminal);
  ASSERT_TRUE(program);
  std::string text;
  EXPECT_EQ(wait_for(*program), 0);
  char buffer[64];
  while (const ssize_t size = read(program->terminal(), buffer, sizeof buffer)) {
    if (size < 0) {
      break;
    }
    text.append(buffer, static_cast<size_t>(size));
  }
  EXPECT_EQ(text, "both\r\n");
}

TEST(Attached, IsKilledWithItsOwner)
{
  const Result<TempDir> place = TempDir::create();
  ASSERT_TRUE(place);
  const std::string file = (place->path() / "late").string();
  {
    const Result<Attached> program = start("trap '' TERM; sleep 1; touch '" + file + "'");
    ASSERT_TRUE(program);
  }
  poll(nullptr, 0, 1500);
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(Attached, EndsWhenAsked)
{
  Result<Attached> program = start("sleep 60");
  ASSERT_TRUE(program);
  program->terminate();
  EXPECT_EQ(wait_for(*program), 128 + 15);
}

} // namespace faultline::run
