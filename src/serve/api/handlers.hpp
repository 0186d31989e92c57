#pragma once

// Every endpoint of the API: a plain function from a request to a reply. routes.cpp says which path
// leads to which.

#include "serve/context.hpp"

namespace faultline::serve {

// status.cpp, session.cpp, schemes.cpp, openapi.cpp
Reply get_status(Context& context, const Request& request);
Reply get_session(Context& context, const Request& request);
Reply open_session(Context& context, const Request& request);
Reply close_session(Context& context, const Request& request);
Reply get_schemes(Context& context, const Request& request);
Reply get_description(Context& context, const Request& request);

// faults.cpp, fault.cpp
Reply list_faults(Context& context, const Request& request);
Reply export_faults(Context& context, const Request& request);
Reply get_fault(Context& context, const Request& request);
Reply get_proof(Context& context, const Request& request);
Reply get_similar(Context& context, const Request& request);

// environments.cpp
Reply get_environments(Context& context, const Request& request);
Reply get_environment_file(Context& context, const Request& request);

// tools.cpp, findings.cpp, scoreboard.cpp, taxonomy.cpp, criteria.cpp
Reply get_tools(Context& context, const Request& request);
Reply get_findings(Context& context, const Request& request);
Reply get_scoreboard(Context& context, const Request& request);
Reply compare_tools(Context& context, const Request& request);
Reply get_taxonomy(Context& context, const Request& request);
Reply get_criteria(Context& context, const Request& request);

// runs.cpp, events.cpp
Reply list_runs(Context& context, const Request& request);
Reply start_run(Context& context, const Request& request);
Reply get_run(Context& context, const Request& request);
Reply get_run_log(Context& context, const Request& request);
Reply cancel_run(Context& context, const Request& request);
Reply get_run_events(Context& context, const Request& request);
Reply get_queue_events(Context& context, const Request& request);

// campaigns.cpp, check.cpp
Reply list_campaigns(Context& context, const Request& request);
Reply get_campaign(Context& context, const Request& request);
Reply list_variants(Context& context, const Request& request);
Reply get_variant(Context& context, const Request& request);
Reply get_campaign_events(Context& context, const Request& request);
Reply check_text(Context& context, const Request& request);

} // namespace faultline::serve
