#include "base/format.hpp"
#include "base/shell.hpp"
#include "report/campaign_report.hpp"

namespace faultline::report {

Result<FigureScripts> load_figure_scripts(const std::filesystem::path& root)
{
  const auto load = [&root](const std::string& package,
                            const std::string& name) -> Result<std::string> {
    const std::filesystem::path file = root / "node_modules" / package / name;
    Result<std::string> text = read_file(file);
    if (!text) {
      return Error{ErrorKind::machine,
                   format("{} is missing, which the page needs for its figures: `npm ci` in {} "
                          "installs it; the other formats need none",
                          file.string(),
                          shell_word(root.string()))};
    }
    return text;
  };
  FigureScripts scripts;
  FL_TRY(scripts.vega, load("vega", "build/vega.min.js"));
  FL_TRY(scripts.vega_lite, load("vega-lite", "build/vega-lite.min.js"));
  FL_TRY(scripts.vega_embed, load("vega-embed", "build/vega-embed.min.js"));
  FL_TRY(scripts.licence, load("vega", "LICENSE"));
  return scripts;
}

} // namespace faultline::report
