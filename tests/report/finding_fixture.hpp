#pragma once

// Findings and the files they speak about, for the tests of every renderer.

#include "source/file_set.hpp"
#include "source/finding.hpp"

namespace faultline::report {

inline constexpr const char* k_train = "model = nn.Sequential(\n"
                                       "    nn.Linear(20, 5),\n"
                                       "    nn.Softmax(dim=1))\n"
                                       "\n"
                                       "for images, labels in loader:\n"
                                       "    loss = F.cross_entropy(model(images), labels)\n"
                                       "    loss.backward()\n";

inline constexpr const char* k_notebook = R"json({
 "cells": [
  {
   "cell_type": "code",
   "source": [
    "import torch\n",
    "z = f(\"a\")"
   ]
  }
 ]
})json";

inline source::FileSet example_files()
{
  source::FileSet files;
  files.add("train.py", k_train);
  files.add("net.ipynb", *source::Notebook::parse(k_notebook));
  return files;
}

inline source::Finding example_finding()
{
  source::Finding finding;
  finding.rule = "DL213";
  finding.severity = source::Severity::error;
  finding.confidence = source::Confidence::high;
  finding.place = {"train.py", 6, 28, 6, 41};
  finding.message = "probabilities passed to a loss that expects logits";
  finding.label = "already normalised by `nn.Softmax`";
  finding.notes = {{"`nn.Softmax` is applied here", source::Place{"train.py", 3, 5, 3, 22}},
                   {"seen in every run"}};
  finding.help = "pass the raw scores";
  finding.type = "model/layers/missing-redundant-wrong-layer/redundant-softmax-layer";
  finding.fix_pattern = "activation";
  return finding;
}

// In a notebook, with a fix.
inline source::Finding notebook_finding()
{
  source::Finding finding;
  finding.rule = "NU001";
  finding.severity = source::Severity::info;
  finding.place = {"net.ipynb", 2, 7, 2, 10, 1};
  finding.message = "a, b: 100 %";
  finding.fix = source::Fix{"call g", true, {{"net.ipynb", {{19, 22, "\"b\""}}}}};
  return finding;
}

} // namespace faultline::report
