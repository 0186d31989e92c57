import re

import oracle

status, output = oracle.execute(["./train", str(oracle.seed)])
oracle.check(status == 0, f"the program ended with status {status}")
steps = [int(n) for n in re.findall(r"^episode \d+ balanced (\d+) of 200 steps$", output, re.M)]
oracle.check(len(steps) == 5, "the program did not report five episodes")
mean = sum(steps) / 5
oracle.check(mean >= 120, f"the pole stays up for {mean:.0f} steps on average, expected at least 120 of 200")
