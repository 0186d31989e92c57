#pragma once

// What the probes in a sandbox are told, as JSON: the program, its variants and where they run.

#include "base/json.hpp"
#include "campaign/data.hpp"
#include "run/job.hpp"

#include <vector>

namespace faultline::campaign {

// A variant. `early` in it: the effect is that of one expression, so what the reference run saw of
// that expression says when it can differ.
Json order_of(const inject::Variant& variant);

// File → line → the segments that execute it, of the files that `variants` change.
Json segments_json(const Coverage& coverage, const std::vector<VariantRecord>& variants);

// Everything else that the probes need, with no variants yet.
Json order_json(const Spec& spec, const FileTree& program, const run::Job& job, int repeat);

} // namespace faultline::campaign
