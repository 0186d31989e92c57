#pragma once

// A campaign whose runs are made elsewhere: its missing runs in chunks, each chunk a task that
// writes a file of its own in the shared folder. Workers never open the campaign's database, which
// a network file system could break: they read a copy.
//
//   FOLDER/chunks/plan/campaign.sqlite   the copy
//   FOLDER/chunks/K.todo                 variants and repeats of chunk K, as JSON
//   FOLDER/chunks/K.jsonl                what was done of it, see chunk_file.hpp

#include "campaign/session.hpp"

namespace faultline::campaign {

// Cut what is missing into chunks of at most `size` runs; how many there are. Whatever an earlier
// cut left must be merged before.
Result<size_t> write_chunks(Store& store, size_t size);

// Do chunk `chunk`, going on where an earlier task was lost.
Result<void> work_chunk(const std::filesystem::path& folder,
                        size_t chunk,
                        const run::Environment& environment,
                        const SessionOptions& options);

// Judge and store what the chunks have so far; how many runs that were new.
Result<size_t> merge_chunks(Store& store);

// Everything of `chunk` is done.
bool chunk_is_done(const std::filesystem::path& folder, size_t chunk);

} // namespace faultline::campaign
