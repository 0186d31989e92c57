#include "catalog/withdraw.hpp"

#include "base/clock.hpp"
#include "base/format.hpp"
#include "cli/command.hpp"

namespace faultline::cli {

namespace {

struct Options {
  std::string id;
  std::string reason;
};

Result<int> run(Session& session, const Options& options)
{
  FL_TRY(const catalog::Fault* fault, session.fault(options.id));
  const std::string today = utc_now().substr(0, std::string_view("2026-11-16").size());
  FL_CHECK(catalog::withdraw(*fault, {FL_VERSION, today, options.reason}));
  session.print(format(
      "{} is withdrawn. Its id and its folder stay; `list --withdrawn` names it.\n", fault->id));
  return k_exit_ok;
}

} // namespace

Action declare_withdraw(Arguments& arguments, Session& session)
{
  auto options = std::make_shared<Options>();
  arguments.option("id", options->id, "the fault").required().named("ID");
  arguments.option("--reason", options->reason, "why it is not a fault, in one line")
      .required()
      .named("TEXT");
  return [options, &session] { return run(session, *options); };
}

} // namespace faultline::cli
