import re

import oracle

status, output = oracle.execute(["./train", str(oracle.seed)])
oracle.check(status == 0, f"the program ended with status {status}")
found = re.search(r"^test accuracy (\S+)$", output, re.M)
oracle.check(found is not None, "the program did not report an accuracy")
accuracy = float(found[1])
oracle.check(accuracy >= 0.6, f"test accuracy {accuracy:.3f}, expected at least 0.6")
