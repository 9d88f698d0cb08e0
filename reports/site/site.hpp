// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/support/embed.hpp"
#include "reports/results/judged.hpp"
#include "reports/site/folder.hpp"
#include "reports/site/gathered.hpp"

#include <functional>
#include <map>
#include <mutex>
#include <string_view>

/// The site: any number of results files made into pages that need no server, no network and, to be read, no script.
namespace pdlcts::site {

/// With more files than this the pages of columns hold figures and no pictures; pages of cases hold theirs always.
inline constexpr std::size_t most_files_with_pictures = 16;

struct SiteTotals {
    std::size_t columns = 0;
    std::size_t duplicates = 0; ///< files that hold what another holds
    std::size_t pages = 0;
};

class Site {
public:
    /// `files`: how many will come. The view has to outlive the site.
    Site(const SuiteView& view, Folder folder, std::size_t files);

    /// Writes a file's evidence and keeps a summary. `identity`: a digest of its text. Safe to call from several
    /// threads; what the site holds in the end does not depend on their order.
    Result<std::monostate> add(VerifiedResults file, std::string_view identity);

    /// Writes all other pages. Nothing may be added any more.
    Result<SiteTotals> finish(unsigned threads);

private:
    const SuiteView* view_;
    SuiteIndex index_;
    Folder folder_;
    bool pictures_;
    std::mutex mutex_; ///< of all that follows
    Gathered gathered_;
    std::map<std::string, std::string, std::less<>> identities_; ///< of columns, by their names
    SiteTotals totals_;

    bool take_name(Column& column, std::string_view identity);
};

/// Calls `work` with 0 to `count - 1` from so many threads. The first error ends it.
Result<std::monostate> in_parallel(std::size_t count, unsigned threads,
                                   const std::function<Result<std::monostate>(std::size_t)>& work);

/// Style, script and icon.
std::vector<EmbeddedFile> embedded_site_files();

/// The matrix at a glance: sections down, a mark for each statement of a column.
std::string matrix_picture(const SuiteIndex& index, const Column& column);

} // namespace pdlcts::site
