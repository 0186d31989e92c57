#include "report/finding_fixture.hpp"
#include "report/finding_json.hpp"

#include <gtest/gtest.h>

namespace faultline::report {

TEST(FindingJson, HasEveryFieldOfTheFinding)
{
  EXPECT_EQ(print_json(finding_json(example_finding(), example_files())), R"text({
  "rule": "DL213",
  "severity": "error",
  "confidence": "high",
  "file": "train.py",
  "line": 6,
  "column": 28,
  "end_line": 6,
  "end_column": 41,
  "message": "probabilities passed to a loss that expects logits",
  "type": "model/layers/missing-redundant-wrong-layer/redundant-softmax-layer",
  "fix_pattern": "activation",
  "notes": [
    {
      "text": "`nn.Softmax` is applied here",
      "file": "train.py",
      "line": 3,
      "column": 5,
      "end_line": 3,
      "end_column": 22
    },
    {
      "text": "seen in every run"
    }
  ],
  "help": "pass the raw scores"
}
)text");
}

TEST(FindingJson, OfANotebookTheCellAndTheFixInIt)
{
  EXPECT_EQ(print_json(finding_json(notebook_finding(), example_files())), R"text({
  "rule": "NU001",
  "severity": "info",
  "confidence": "medium",
  "file": "net.ipynb",
  "cell": 1,
  "line": 2,
  "column": 7,
  "end_line": 2,
  "end_column": 10,
  "message": "a, b: 100 %",
  "type": "",
  "fix_pattern": "",
  "notes": [],
  "fix": {
    "description": "call g",
    "safe": true,
    "edits": [
      {
        "file": "net.ipynb",
        "cell": 1,
        "line": 2,
        "column": 7,
        "end_line": 2,
        "end_column": 10,
        "text": "\"b\""
      }
    ]
  }
}
)text");
}

} // namespace faultline::report
