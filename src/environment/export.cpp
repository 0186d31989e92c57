#include "environment/export.hpp"

#include "base/format.hpp"
#include "base/text.hpp"

namespace faultline::environment {

// "name==version" for each line of the lock, without its hashes.
static std::vector<std::string> pins_of(const Description& description)
{
  std::vector<std::string> pins;
  for (const std::string_view line : split_lines(description.lock)) {
    const std::string_view text = trim(line.substr(0, line.find(" --hash")));
    if (text.find("==") != std::string_view::npos) {
      pins.emplace_back(text);
    }
  }
  if (pins.empty()) {
    for (const auto& [name, version] : description.packages) {
      pins.push_back(format("{}=={}", name, version));
    }
  }
  return pins;
}

// " name@version" for each, as npm wants it; empty for an environment without Node.js.
static std::string npm_packages(const Description& description)
{
  std::string words;
  if (description.packages.contains("node")) {
    for (const auto& [name, version] : description.packages) {
      words += name == "node" ? "" : format(" {}@{}", name, version);
    }
  }
  return words;
}

static std::string python_of(const Description& description)
{
  if (!description.python.empty()) {
    return description.python;
  }
  const auto found = description.packages.find("python");
  return found == description.packages.end() ? "3.11" : found->second;
}

std::string requirements_txt(const Description& description)
{
  const std::string head = format("# {}: {}\n", description.name, description.title);
  if (!description.requirements.empty() && !description.lock.empty()) {
    return head + description.lock;
  }
  if (const std::string packages = npm_packages(description); !packages.empty()) {
    return head + format("# Nothing for pip. With Node.js {}: npm install{}\n",
                         description.packages.at("node"),
                         packages);
  }
  std::string text =
      head + "# Faultline takes these from Debian; the versions are what PyPI calls them.\n";
  for (const std::string& pin : pins_of(description)) {
    text += pin.starts_with("python==") ? "" : pin + "\n";
  }
  return text;
}

std::string environment_yml(const Description& description)
{
  if (const std::string packages = npm_packages(description); !packages.empty()) {
    return format("# {}\n# Then: npm install{}\nname: {}\nchannels:\n  - conda-forge\n"
                  "dependencies:\n  - nodejs={}\n",
                  description.title,
                  packages,
                  description.name,
                  description.packages.at("node"));
  }
  std::string text = format("# {}\nname: {}\nchannels:\n  - conda-forge\ndependencies:\n"
                            "  - python={}\n  - pip\n  - pip:\n",
                            description.title,
                            description.name,
                            python_of(description));
  for (const std::string& pin : pins_of(description)) {
    text += pin.starts_with("python==") ? "" : "      - " + pin + "\n";
  }
  return text;
}

std::string dockerfile(const Description& description)
{
  std::string text = format("# {}\n", description.title);
  if (!description.release.empty()) {
    text += format("FROM debian:{}\nRUN apt-get update && apt-get install -y "
                   "--no-install-recommends {} && rm -rf /var/lib/apt/lists/*\n",
                   description.release,
                   join(description.system_packages, " "));
  } else if (const std::string packages = npm_packages(description); !packages.empty()) {
    text +=
        format("FROM node:{}-slim\nRUN npm install{}\n", description.packages.at("node"), packages);
  } else if (!description.lock.empty()) {
    text += format("FROM python:{}-slim\nCOPY lock.txt /lock.txt\n"
                   "RUN pip install --no-cache-dir --no-deps --require-hashes -r /lock.txt\n",
                   python_of(description));
  } else {
    std::string pins;
    for (const std::string& pin : pins_of(description)) {
      pins += pin.starts_with("python==") ? "" : " " + pin;
    }
    text += format(
        "FROM python:{}-slim\nRUN pip install --no-cache-dir{}\n", python_of(description), pins);
  }
  for (const auto& [name, value] : description.variables) {
    text += format("ENV {}={}\n", name, value);
  }
  return text;
}

} // namespace faultline::environment
