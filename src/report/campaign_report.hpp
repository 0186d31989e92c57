#pragma once

// A campaign's analysis as text, JSON, CSV and HTML. Nothing is computed here.

#include "base/file.hpp"
#include "base/json.hpp"
#include "base/result.hpp"
#include "base/terminal.hpp"
#include "study/campaign_analysis.hpp"

#include <functional>
#include <optional>
#include <string>

namespace faultline::report {

// Tables for a terminal. `width` 0: as wide as it gets.
std::string
campaign_text(const study::CampaignAnalysis& analysis, const Painter& paint, size_t width);

// {variants, finished, symptoms, by_operator, by_phase, by_target, clean, tests, …, figures}. The
// shape only ever grows.
Json campaign_json(const study::CampaignAnalysis& analysis);

// One file per table, among them runs.csv with a row for each run.
FileTree campaign_csv(const study::CampaignAnalysis& analysis);

// The figures as Vega-Lite specifications: name → {title, caption, spec}.
Json campaign_figures(const study::CampaignAnalysis& analysis);

// The texts of vega.min.js, vega-lite.min.js and vega-embed.min.js, which draw the figures.
struct FigureScripts {
  std::string vega;
  std::string vega_lite;
  std::string vega_embed;
  std::string licence; // under which the page may carry them
};

// From the npm packages below `root` (the folder that has node_modules/ in it).
Result<FigureScripts> load_figure_scripts(const std::filesystem::path& root);

// What the page shows of a variant besides its numbers. Either may be missing.
struct VariantTexts {
  std::string diff;
  std::string log;
};

struct CampaignPage {
  // Asked only for variants that the page shows in full: outliers, degraded and improved ones, one
  // crash of each cause, hangs and invalid metrics.
  std::function<VariantTexts(const campaign::VariantRecord& variant)> texts = {};
  std::string command; // how to repeat it: "faultline campaign run programs/…/campaign.toml"
};

// One page that needs nothing else: no other file, no network.
std::string campaign_html(const study::CampaignAnalysis& analysis,
                          const FigureScripts& scripts,
                          const CampaignPage& page);

} // namespace faultline::report
