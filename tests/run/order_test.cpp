#include "run/order.hpp"

#include <gtest/gtest.h>

namespace faultline::run {

TEST(Order, IsASequenceOfNetstrings)
{
  Job job;
  job.files = {{"a", "x:y"}};
  job.executables = {"a"};
  job.links = {{"l", "/t"}};
  job.command = {"cmd"};
  job.variables = {{"K", "V"}};
  job.limits = {};
  EXPECT_EQ(encode_order(job, "/fault"),
            "4:root6:/fault3:dir1:.3:arg3:cmd3:var3:K=V"
            "5:limit4:data10:10737418245:limit3:cpu2:605:limit5:fsize9:268435456"
            "5:limit5:nproc3:1925:limit5:tmpfs9:268435456"
            "4:file1:a3:7553:x:y4:link1:l2:/t");
}

} // namespace faultline::run
