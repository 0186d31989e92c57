#include "program/interpreter/prepare.hpp"

#include "program/record/program.hpp"

namespace faultline::program {

void prepare()
{
  analyse("prepare.py", "import torch\nimport keras\nimport numpy\nnumpy.zeros(3).mean()\n");
}

} // namespace faultline::program
