import re

import oracle

status, output = oracle.execute(["./main"])

# Only here, as the standard library itself may load a module late.
import colorsys  # noqa: E402

oracle.check(colorsys.rgb_to_hsv(0, 0, 0) == (0.0, 0.0, 0), "colours are wrong")
answers = re.findall(r"^answer (\d+)$", output, re.M)
oracle.check(status == 0, f"the program ended with status {status}")
oracle.check(answers == ["42"], f"answers {answers}, expected 42")
