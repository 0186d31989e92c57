#include "base/terminal.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

namespace faultline {

namespace {

// A pseudo-terminal, a pipe, and the two variables as the test wants them.
class Terminal : public testing::Test {
protected:
  void SetUp() override
  {
    m_master = posix_openpt(O_RDWR | O_NOCTTY);
    ASSERT_GE(m_master, 0);
    ASSERT_EQ(grantpt(m_master), 0);
    ASSERT_EQ(unlockpt(m_master), 0);
    m_terminal = open(ptsname(m_master), O_RDWR | O_NOCTTY);
    ASSERT_GE(m_terminal, 0);
    ASSERT_EQ(pipe(m_pipe), 0);
    unsetenv("NO_COLOR");
    unsetenv("CLICOLOR_FORCE");
  }

  void TearDown() override
  {
    for (const int fd : {m_master, m_terminal, m_pipe[0], m_pipe[1]}) {
      close(fd);
    }
    unsetenv("NO_COLOR");
    unsetenv("CLICOLOR_FORCE");
  }

  int terminal() const { return m_terminal; }
  int no_terminal() const { return m_pipe[1]; }

private:
  int m_master = -1;
  int m_terminal = -1;
  int m_pipe[2] = {-1, -1};
};

} // namespace

TEST_F(Terminal, IsToldFromAPipe)
{
  EXPECT_TRUE(is_terminal(terminal()));
  EXPECT_FALSE(is_terminal(no_terminal()));
  EXPECT_FALSE(is_terminal(-1));
}

TEST_F(Terminal, ShowsColourAndAPipeDoesNot)
{
  EXPECT_TRUE(shows_colour(terminal(), ColourMode::automatic));
  EXPECT_FALSE(shows_colour(no_terminal(), ColourMode::automatic));
}

TEST_F(Terminal, NoColorForbidsColour)
{
  setenv("NO_COLOR", "1", 1);
  EXPECT_FALSE(shows_colour(terminal(), ColourMode::automatic));
}

TEST_F(Terminal, AnEmptyNoColorForbidsNothing)
{
  setenv("NO_COLOR", "", 1);
  EXPECT_TRUE(shows_colour(terminal(), ColourMode::automatic));
}

TEST_F(Terminal, ClicolorForceColoursAPipeToo)
{
  setenv("CLICOLOR_FORCE", "1", 1);
  EXPECT_TRUE(shows_colour(no_terminal(), ColourMode::automatic));
}

TEST_F(Terminal, AZeroForcesNothing)
{
  setenv("CLICOLOR_FORCE", "0", 1);
  EXPECT_FALSE(shows_colour(no_terminal(), ColourMode::automatic));
}

TEST_F(Terminal, NoColorIsStrongerThanClicolorForce)
{
  setenv("NO_COLOR", "1", 1);
  setenv("CLICOLOR_FORCE", "1", 1);
  EXPECT_FALSE(shows_colour(terminal(), ColourMode::automatic));
}

TEST_F(Terminal, WhatTheUserAsksForIsStrongerThanBoth)
{
  setenv("NO_COLOR", "1", 1);
  EXPECT_TRUE(shows_colour(no_terminal(), ColourMode::always));
  unsetenv("NO_COLOR");
  setenv("CLICOLOR_FORCE", "1", 1);
  EXPECT_FALSE(shows_colour(terminal(), ColourMode::never));
}

TEST_F(Terminal, TellsItsWidth)
{
  winsize size{};
  size.ws_col = 57;
  size.ws_row = 20;
  ASSERT_EQ(ioctl(terminal(), TIOCSWINSZ, &size), 0);
  EXPECT_EQ(terminal_width(terminal()), 57);
}

TEST_F(Terminal, WhatIsNoTerminalCountsAsAHundredColumns)
{
  EXPECT_EQ(terminal_width(no_terminal()), 100);
  winsize none{};
  ASSERT_EQ(ioctl(terminal(), TIOCSWINSZ, &none), 0);
  EXPECT_EQ(terminal_width(terminal()), 100);
}

TEST(Painter, PutsACodeBeforeTheTextAndResetsAfterIt)
{
  const Painter paint(true);
  EXPECT_EQ(paint(Colour::bold, "x"), "\x1b[1mx\x1b[0m");
  EXPECT_EQ(paint(Colour::dim, "x"), "\x1b[2mx\x1b[0m");
  EXPECT_EQ(paint(Colour::red, "x"), "\x1b[31mx\x1b[0m");
  EXPECT_EQ(paint(Colour::green, "x"), "\x1b[32mx\x1b[0m");
  EXPECT_EQ(paint(Colour::yellow, "x"), "\x1b[33mx\x1b[0m");
  EXPECT_EQ(paint(Colour::blue, "x"), "\x1b[34mx\x1b[0m");
  EXPECT_EQ(paint(Colour::cyan, "x"), "\x1b[36mx\x1b[0m");
}

TEST(Painter, LeavesPlainAndEmptyTextAlone)
{
  EXPECT_EQ(Painter(true)(Colour::plain, "x"), "x");
  EXPECT_EQ(Painter(true)(Colour::red, ""), "");
  EXPECT_EQ(Painter(false)(Colour::red, "x"), "x");
}

TEST_F(Terminal, NoColorForbidsColourWhateverItsValue)
{
  setenv("NO_COLOR", "0", 1);
  EXPECT_FALSE(shows_colour(terminal(), ColourMode::automatic));
}

} // namespace faultline
