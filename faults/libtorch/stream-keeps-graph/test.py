import re

import oracle

status, output = oracle.execute(["./train", str(oracle.seed)])
oracle.check(status == 0, f"the program ended with status {status}")
reports = re.findall(r"^block \d+ mean error (\S+) peak memory (\S+) MB$", output, re.M)
oracle.check(len(reports) >= 4, "the program did not report on the stream")
oracle.check(float(reports[-1][0]) <= 0.2, f"mean error {reports[-1][0]}, expected at most 0.2")
growth = float(reports[-1][1]) - float(reports[0][1])
oracle.check(growth <= 30, f"peak memory grew by {growth:.0f} MB while streaming, expected at most 30")
