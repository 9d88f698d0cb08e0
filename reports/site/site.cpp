// SPDX-License-Identifier: Apache-2.0
#include "reports/site/site.hpp"

#include "conformance/support/concat.hpp"
#include "reports/site/pages.hpp"
#include "reports/site/timeline.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

namespace pdlcts {
std::vector<EmbeddedFile> embedded_site_file_list(); // written by the build
} // namespace pdlcts

namespace pdlcts::site {
namespace {

using Page = std::function<Result<std::monostate>()>;

/// Every page that is not a column's evidence.
std::vector<Page> pages_of(const SuiteIndex& index, const Gathered& gathered, const Folder& folder) {
    std::vector<Page> pages;
    const std::span<const Column> columns = gathered.columns;
    const auto add = [&](const Address& address, std::function<std::string()> make) {
        pages.emplace_back([&folder, address, make = std::move(make)] { return folder.write(address, make()); });
    };
    const std::size_t parts = std::max<std::size_t>(1, (columns.size() + columns_of_a_part - 1) / columns_of_a_part);
    for (std::size_t part = 0; part < parts; ++part) {
        add(matrix_page(part), [&index, columns, part] { return matrix_page_html(index, columns, part); });
    }
    add(statements_page(), [&index, columns] { return statements_page_html(index, columns); });
    for (std::size_t i = 0; i < index.statements().size(); ++i) {
        add(statement_page(index.statements()[i]->id),
            [&index, columns, i] { return statement_page_html(index, columns, i); });
    }
    add(cases_page(), [&index] { return cases_page_html(index); });
    for (std::size_t i = 0; i < index.view().cases.size(); ++i) {
        add(case_page(index.view().cases[i].id), [&index, &gathered, i] { return case_page_html(index, gathered, i); });
        for (const SuiteRoute& route : index.view().cases[i].routes) {
            if (!route.reproducer.empty()) {
                add(reproducer_file(index.view().cases[i].id, route.route), [&route] { return route.reproducer; });
            }
        }
    }
    add(columns_page(), [&index, columns] { return columns_page_html(index, columns); });
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const Column* predecessor = predecessor_of(columns, i);
        add(column_page(columns[i].name),
            [&index, columns, i, predecessor] { return column_page_html(index, columns[i], predecessor); });
        if (predecessor != nullptr) {
            add(changes_page(columns[i].name),
                [&index, columns, i, predecessor] { return changes_page_html(index, columns[i], *predecessor); });
        }
    }
    add(differences_page(), [&index, columns] { return differences_page_html(index, columns); });
    add(machine_page(), [&index] { return machine_page_html(index); });
    add(guide_page(), [&index] { return guide_page_html(index); });
    for (const EmbeddedFile& file : embedded_site_file_list()) {
        add(asset(file.name.substr(file.name.rfind('/') + 1)), [text = file.text] { return text; });
    }
    if (!columns.empty()) {
        add(picture_file(), [&index, columns] { return matrix_picture(index, columns.front()); });
    }
    for (const auto& [key, shown] : gathered.shown) {
        // A file for the first route that has a picture, to be shown elsewhere.
        const std::size_t of = case_of(key);
        const auto has_picture = [&](Route route) {
            const auto found = gathered.shown.find(key_of(of, route));
            return found != gathered.shown.end() && found->second.cell && found->second.cell->pictures &&
                   found->second.cell->pictures->median;
        };
        const auto first = std::find_if(std::begin(all_routes), std::end(all_routes), has_picture);
        if (first == std::end(all_routes) || key_of(of, *first) != key) {
            continue;
        }
        add(timeline_file(index.view().cases[of].id), [&index, &shown = shown, key = key] {
            const std::string title =
                concat(index.view().cases[case_of(key)].id, ", route ", route_name(key), ", ", shown.title);
            return timeline_file_text(*shown.cell->pictures->median, title);
        });
    }
    return pages;
}

} // namespace

Result<std::monostate> in_parallel(std::size_t count, unsigned threads,
                                   const std::function<Result<std::monostate>(std::size_t)>& work) {
    std::atomic<std::size_t> next = 0;
    std::mutex mutex;
    std::optional<Error> failed;
    const auto run = [&] {
        for (std::size_t i = next++; i < count; i = next++) {
            if (auto done = work(i); !done) {
                const std::lock_guard lock(mutex);
                failed = failed ? failed : std::optional(done.error());
                next = count;
            }
        }
    };
    std::vector<std::thread> others;
    for (unsigned i = 1; i < threads && i < count; ++i) {
        others.emplace_back(run);
    }
    run();
    for (std::thread& other : others) {
        other.join();
    }
    if (failed) {
        return *failed;
    }
    return std::monostate{};
}

Site::Site(const SuiteView& view, Folder folder, std::size_t files)
    : view_(&view), index_(view), folder_(std::move(folder)), pictures_(files <= most_files_with_pictures) {}

/// Two files that differ never share a name, and one file that comes twice is one column.
bool Site::take_name(Column& column, std::string_view identity) {
    const std::string wanted = column.name;
    for (std::size_t number = 2;; ++number) {
        const auto [entry, fresh] = identities_.emplace(column.name, identity);
        if (fresh) {
            return true;
        }
        if (entry->second == identity) {
            return false;
        }
        column.name = concat(wanted, "-", number);
    }
}

Result<std::monostate> Site::add(VerifiedResults file, std::string_view identity) {
    Column column = make_column(file.results, file.judged, index_, file.differences.size(), identity);
    {
        const std::lock_guard lock(mutex_);
        if (!take_name(column, identity)) {
            ++totals_.duplicates;
            return std::monostate{};
        }
    }
    if (auto made = folder_.make_folder_of(column_page(column.name)); !made) {
        return made;
    }
    for (const auto& [section, cells] : cells_by_section(index_, file.results, file.judged)) {
        const std::string html = evidence_page_html(index_, column, section, cells, pictures_);
        if (auto written = folder_.write(evidence_page(column.name, section), html); !written) {
            return written;
        }
        column.sections.push_back(section);
    }
    const std::lock_guard lock(mutex_);
    totals_.pages += column.sections.size();
    gather(gathered_, std::move(column), std::move(file.results), index_);
    return std::monostate{};
}

Result<SiteTotals> Site::finish(unsigned threads) {
    std::sort(gathered_.columns.begin(), gathered_.columns.end(), comes_before);
    tell_apart(gathered_.columns);
    const std::vector<Page> pages = pages_of(index_, gathered_, folder_);
    if (auto written = in_parallel(pages.size(), threads, [&](std::size_t i) { return pages[i](); }); !written) {
        return written.error();
    }
    totals_.columns = gathered_.columns.size();
    totals_.pages += pages.size();
    return totals_;
}

std::vector<EmbeddedFile> embedded_site_files() {
    return embedded_site_file_list();
}

} // namespace pdlcts::site
