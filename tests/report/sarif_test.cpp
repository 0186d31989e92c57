#include "report/finding_fixture.hpp"
#include "report/sarif.hpp"

#include <gtest/gtest.h>

namespace faultline::report {

TEST(Sarif, AnEmptyRunSaysThatAllWentWell)
{
  EXPECT_EQ(print_json(sarif({"1.2.3", {}, {}, {}}, example_files())), R"text({
  "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
  "version": "2.1.0",
  "runs": [
    {
      "tool": {
        "driver": {
          "name": "faultline",
          "version": "1.2.3",
          "rules": []
        }
      },
      "columnKind": "unicodeCodePoints",
      "invocations": [
        {
          "executionSuccessful": true
        }
      ],
      "results": []
    }
  ]
}
)text");
}

TEST(Sarif, HasRulesResultsAndWhatCouldNotBeRead)
{
  SarifRun run;
  run.version = "1.2.3";
  run.rules = {{"DL213",
                "probabilities-into-cross-entropy",
                "Finds probabilities",
                "## What it finds",
                source::Severity::warning,
                source::Confidence::high,
                {"loss", "torch"}}};
  run.findings = {example_finding()};
  run.unreadable = {{"a b.py", "cannot read a b.py"}};
  const Json json = sarif(run, example_files())["runs"][0];
  EXPECT_EQ(print_json(json["tool"]["driver"]["rules"]), R"text([
  {
    "id": "DL213",
    "name": "probabilities-into-cross-entropy",
    "shortDescription": {
      "text": "Finds probabilities"
    },
    "help": {
      "text": "## What it finds",
      "markdown": "## What it finds"
    },
    "defaultConfiguration": {
      "level": "warning"
    },
    "properties": {
      "precision": "high",
      "tags": [
        "loss",
        "torch"
      ]
    }
  }
]
)text");
  EXPECT_EQ(print_json(json["results"]), R"text([
  {
    "ruleId": "DL213",
    "ruleIndex": 0,
    "level": "error",
    "message": {
      "text": "probabilities passed to a loss that expects logits\nhelp: pass the raw scores"
    },
    "locations": [
      {
        "physicalLocation": {
          "artifactLocation": {
            "uri": "train.py"
          },
          "region": {
            "startLine": 6,
            "startColumn": 28,
            "endLine": 6,
            "endColumn": 41
          }
        }
      }
    ],
    "relatedLocations": [
      {
        "physicalLocation": {
          "artifactLocation": {
            "uri": "train.py"
          },
          "region": {
            "startLine": 3,
            "startColumn": 5,
            "endLine": 3,
            "endColumn": 22
          }
        },
        "message": {
          "text": "`nn.Softmax` is applied here"
        }
      }
    ],
    "properties": {
      "confidence": "high",
      "type": "model/layers/missing-redundant-wrong-layer/redundant-softmax-layer",
      "fix_pattern": "activation"
    }
  }
]
)text");
  EXPECT_EQ(print_json(json["invocations"]), R"text([
  {
    "executionSuccessful": false,
    "toolExecutionNotifications": [
      {
        "level": "error",
        "message": {
          "text": "cannot read a b.py"
        },
        "locations": [
          {
            "physicalLocation": {
              "artifactLocation": {
                "uri": "a%20b.py"
              }
            }
          }
        ]
      }
    ]
  }
]
)text");
}

TEST(Sarif, OfANotebookTheRegionsOfTheFile)
{
  SarifRun run;
  run.findings = {notebook_finding()};
  EXPECT_EQ(print_json(sarif(run, example_files())["runs"][0]["results"][0]), R"text({
  "ruleId": "NU001",
  "level": "note",
  "message": {
    "text": "a, b: 100 %"
  },
  "locations": [
    {
      "physicalLocation": {
        "artifactLocation": {
          "uri": "net.ipynb"
        },
        "region": {
          "startLine": 7,
          "startColumn": 12,
          "endLine": 7,
          "endColumn": 17
        }
      },
      "logicalLocations": [
        {
          "name": "cell 1, line 2"
        }
      ]
    }
  ],
  "fixes": [
    {
      "description": {
        "text": "call g"
      },
      "artifactChanges": [
        {
          "artifactLocation": {
            "uri": "net.ipynb"
          },
          "replacements": [
            {
              "deletedRegion": {
                "startLine": 7,
                "startColumn": 12,
                "endLine": 7,
                "endColumn": 17
              },
              "insertedContent": {
                "text": "\\\"b\\\""
              }
            }
          ]
        }
      ]
    }
  ],
  "properties": {
    "confidence": "medium",
    "type": "",
    "fix_pattern": ""
  }
}
)text");
}

TEST(Sarif, AnAbsolutePathIsAFileUri)
{
  SarifRun run;
  run.unreadable = {{"/home/ü/x.py", "gone"}};
  EXPECT_EQ(
      sarif(run, example_files())["runs"][0]["invocations"][0]["toolExecutionNotifications"][0]
                                 ["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
      "file:///home/%C3%BC/x.py");
}

} // namespace faultline::report
