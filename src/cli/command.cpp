#include "cli/command.hpp"

#include "base/format.hpp"

namespace faultline::cli {

static constexpr Command k_commands[] = {
    {"check",
     "find faults in deep-learning programs without running them",
     "faultline check train.py\n"
     "faultline check src/ notebooks/ --severity info --statistics\n"
     "faultline check . --select NU,SH --format sarif --output faults.sarif\n"
     "faultline check train.py --diff --unsafe\n"
     "faultline check model.py --explain-model",
     declare_check},
    {"rules",
     "list the rules of check",
     "faultline rules\n"
     "faultline rules --group numerics --json",
     declare_rules},
    {"watch",
     "watch a program train and report what goes wrong",
     "faultline watch -- python3 train.py --epochs 5\n"
     "faultline watch --stop-on error --report run.html -- node train.js\n"
     "faultline watch --trace run.trace --format json -- python3 train.py\n"
     "faultline watch --replay run.trace",
     declare_watch},
    {"symptoms",
     "list the symptoms of watch",
     "faultline symptoms\n"
     "faultline symptoms --json",
     declare_symptoms},
    {"list",
     "list the faults, filtered and sorted",
     "faultline list --symptom crash --framework pytorch\n"
     "faultline list --type training/loss-function --sort id\n"
     "faultline list --search 'cross entropy' --json",
     declare_list},
    {"show",
     "print everything known about a fault",
     "faultline show pytorch-softmax-before-cross-entropy\n"
     "faultline show tfjs-boolean-epochs --json",
     declare_show},
    {"diff",
     "print the fix of a fault",
     "faultline diff tfjs-boolean-epochs\n"
     "faultline diff tfjs-boolean-epochs --json",
     declare_diff},
    {"checkout",
     "write a version of a fault and its test to a folder",
     "faultline checkout tfjs-boolean-epochs /tmp/bug\n"
     "faultline checkout tfjs-boolean-epochs /tmp/fixed --version fixed\n"
     "faultline checkout tfjs-boolean-epochs /tmp/both --history",
     declare_checkout},
    {"locations",
     "print the faulty files and lines as a table or JSON",
     "faultline locations\n"
     "faultline locations --framework tfjs --json",
     declare_locations},
    {"stats",
     "print how well the faultload covers each label scheme",
     "faultline stats\n"
     "faultline stats --scheme type --all",
     declare_stats},
    {"similar",
     "find faults with a similar fix",
     "faultline similar pytorch-softmax-before-cross-entropy\n"
     "faultline similar --groups",
     declare_similar},
    {"export",
     "write all metadata as JSON Lines or CSV",
     "faultline export --format csv --output faults.csv\n"
     "faultline export --split dev",
     declare_export},
    {"test",
     "run one version's test once and print the verdict",
     "faultline test tfjs-boolean-epochs\n"
     "faultline test tfjs-boolean-epochs --version fixed --seed 3\n"
     "faultline test /tmp/bug        # a checkout, as you changed it",
     declare_test},
    {"verify",
     "prove faults again: buggy fails, fixed passes, the test is not vacuous",
     "faultline verify\n"
     "faultline verify --framework tfjs --repeat 10 --jobs 2\n"
     "faultline verify pytorch-softmax-before-cross-entropy --fresh --json",
     declare_verify},
    {"withdraw",
     "withdraw a fault for good; its id is never reused",
     "faultline withdraw pytorch-unaveraged-metric --reason 'The report describes a feature.'",
     declare_withdraw},
    {"evaluate",
     "run detectors on the faultload and score them",
     "faultline evaluate --tool check --tool pylint\n"
     "faultline evaluate --split test --format html --output evaluation.html\n"
     "faultline evaluate --tool mine.toml --silent --json\n"
     "faultline evaluate --set ~/other-programs --tool check --format csv",
     declare_evaluate},
    {"env",
     "build and show the environments that programs run in",
     "faultline env list\n"
     "faultline env build                  # what the faultload needs\n"
     "faultline env build keras2 --dry-run\n"
     "faultline env export keras-scores-as-labels --format docker",
     declare_env},
    {"campaign",
     "inject thousands of faults into a program and report their effects",
     "faultline campaign run programs/sentence_classifier/campaign.toml\n"
     "faultline campaign status sentence-classifier\n"
     "faultline campaign report sentence-classifier --format html --output report.html",
     declare_campaign},
    {"study",
     "recompute the tables of a published study from its data",
     "faultline study injected-logs ~/injected\n"
     "faultline study injected-logs ~/injected --csv tables --json",
     declare_study},
    {"operators",
     "list the operators of inject",
     "faultline operators\n"
     "faultline operators --level weights --json",
     declare_operators},
    {"inject",
     "list or write mutants of a program, a library or saved weights",
     "faultline inject train.py --operator source --diff\n"
     "faultline inject src/ --operator MU2,NVR --covered-by .coverage --per-file 30\n"
     "faultline inject --library torch.nn --file 'functional.py' --write variants\n"
     "faultline inject model.pt --operator GF --setting 0.1 --seed 7 --write variants",
     declare_inject},
    {"explain",
     "explain a rule, a symptom, an operator or a label",
     "faultline explain DL213\n"
     "faultline explain MU003\n"
     "faultline explain data-corruption\n"
     "faultline explain training/loss-function",
     declare_explain},
    {"serve",
     "show the faultload, its runs and scores in the browser",
     "faultline serve\n"
     "faultline serve --port 0 --workers 2\n"
     "faultline serve --host 0.0.0.0 --allow-host faults.example.org",
     declare_serve},
    {"doctor",
     "check what this machine has and what is missing",
     "faultline doctor\n"
     "faultline doctor --json",
     declare_doctor},
};

std::span<const Command> commands()
{
  return k_commands;
}

Action action_of(std::string_view command, std::vector<Subcommand> subcommands)
{
  return [name = std::string(command), all = std::move(subcommands)]() -> Result<int> {
    for (const Subcommand& subcommand : all) {
      if (subcommand.arguments.chosen()) {
        return subcommand.action();
      }
    }
    return Error{ErrorKind::usage, format("name a subcommand; see `faultline {} --help`", name)};
  };
}

} // namespace faultline::cli
