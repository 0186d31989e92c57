#include "report/page.hpp"

#include "base/format.hpp"
#include "report/html.hpp"

namespace faultline::report {

std::string page_head(const PageHead& head)
{
  // Vega compiles the expressions of its figures.
  return format("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                "style-src 'unsafe-inline'; script-src 'unsafe-inline'{}; img-src data:; base-uri "
                "'none'; form-action 'none'\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<title>{}</title>\n<style>{}{}</style>\n</head>\n<body>\n",
                head.figures ? " 'unsafe-eval'" : "",
                escape_html(head.title),
                page_style(),
                head.style);
}

std::string figure_html(const Json& figures, const std::string& name)
{
  return format("<figure><h3>{}</h3><div class=\"plot\" data-figure=\"{}\"></div>"
                "<figcaption>{}</figcaption></figure>\n",
                escape_html(figures[name]["title"].get<std::string>()),
                name,
                escape_html(figures[name]["caption"].get<std::string>()));
}

std::string fact_html(std::string_view name, const std::string& value, const std::string& more)
{
  return format("<div><dt>{}</dt><dd>{}<small>{}</small></dd></div>\n",
                escape_html(name),
                escape_html(value),
                escape_html(more));
}

std::string message_html(std::string_view text)
{
  const std::string escaped = escape_html(text);
  std::string html;
  for (std::string_view rest = escaped; !rest.empty();) {
    const size_t begin = rest.find('`');
    const size_t end =
        begin == std::string_view::npos ? begin : rest.find_first_of("`\n", begin + 1);
    if (end == std::string_view::npos) {
      return html.append(rest);
    }
    if (rest[end] == '`' && end > begin + 1) {
      html.append(rest.substr(0, begin)).append("<code>");
      html.append(rest.substr(begin + 1, end - begin - 1)).append("</code>");
    } else { // no pair, or nothing between
      html.append(rest.substr(0, end + 1));
    }
    rest.remove_prefix(end + 1);
  }
  return html;
}

std::string
end_of_page(std::string_view made_from, const Json& figures, const FigureScripts& scripts)
{
  std::string html =
      format("<footer><p>Made by Faultline from {}. The page loads nothing; Vega, Vega-Lite and "
             "Vega-Embed, which draw the figures, are part of it.</p><details><summary>Their "
             "licence</summary><div><pre>{}</pre></div></details></footer>\n",
             made_from,
             escape_html(scripts.licence));
  html += "<script type=\"application/json\" id=\"figures\">" + json_for_script(figures) +
          "</script>\n";
  for (const std::string_view script : {std::string_view(scripts.vega),
                                        std::string_view(scripts.vega_lite),
                                        std::string_view(scripts.vega_embed),
                                        table_script(),
                                        figure_script()}) {
    html += "<script>" + text_for_script(script) + "</script>\n";
  }
  return html + "</body>\n</html>\n";
}

} // namespace faultline::report
