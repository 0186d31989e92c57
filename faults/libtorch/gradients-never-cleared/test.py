import re

import oracle

status, output = oracle.execute(["./train", str(oracle.seed)])
oracle.check(status == 0, f"the program ended with status {status}")
distances = [float(d) for d in re.findall(r"^epoch \d+ loss \S+ test distance (\S+)$", output, re.M)]
oracle.check(len(distances) >= 10, "the program did not report its epochs")
last = sum(distances[-5:]) / 5
oracle.check(last <= 0.35, f"the hand is off by {last:.3f} on average at the end of training, expected at most 0.35")
