// SPDX-License-Identifier: Apache-2.0
#include "reports/site/example_site.hpp"

#include "conformance/support/concat.hpp"
#include "conformance/support/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace pdlcts;
using namespace pdlcts::examples;

namespace {

const Ledger ledger = small_ledger();
const site::SuiteView suite = small_suite(ledger);

/// The site of some results; their places stand for digests.
std::map<std::string, std::string> site_of(const std::vector<Results>& all, const std::filesystem::path& folder) {
    auto opened = site::Folder::open(folder.string());
    REQUIRE(opened);
    site::Site written(suite, *opened, all.size());
    for (const Results& results : all) {
        REQUIRE(written.add({results, judged(results), {}}, results.started + results.environment.driver_version));
    }
    REQUIRE(written.finish(2));
    return files_below(folder);
}
std::map<std::string, std::string> site_of(const std::vector<Results>& all) {
    const TemporaryFolder folder;
    return site_of(all, folder.path);
}

Results on_driver(const char* driver) {
    Results results = one_of_each();
    results.environment.driver_version = driver;
    return results;
}

/// What stands in an attribute everywhere in a page.
std::vector<std::string> attributes(const std::string& html, const std::string& name) {
    std::vector<std::string> values;
    const std::string begin = " " + name + "=\"";
    for (std::size_t at = html.find(begin); at != std::string::npos; at = html.find(begin, at)) {
        at += begin.size();
        values.push_back(html.substr(at, html.find('"', at) - at));
    }
    return values;
}

/// What is wrong with the nesting of a page's elements; empty where nothing is. Enough to notice that text became
/// markup.
std::string wrong_nesting(const std::string& html) {
    const std::set<std::string> alone = {"meta", "link", "br", "input", "rect", "path", "circle"};
    std::vector<std::string> open;
    for (std::size_t at = html.find('<'); at != std::string::npos; at = html.find('<', at + 1)) {
        const bool closes = html[at + 1] == '/';
        const std::size_t begin = at + (closes ? 2 : 1);
        const std::string name = html.substr(begin, html.find_first_of(" >/", begin) - begin);
        if (name.starts_with("!") || alone.contains(name)) {
            continue;
        }
        if (!closes) {
            open.push_back(name);
        } else if (open.empty() || open.back() != name) {
            return "</" + name + "> closes " + (open.empty() ? "nothing" : open.back());
        } else {
            open.pop_back();
        }
    }
    return open.empty() ? "" : "open at the end: " + open.back();
}

/// Every page is whole, and every link leads to a file of the site and a place in it.
void check_pages(const std::map<std::string, std::string>& files) {
    std::map<std::string, std::set<std::string>> ids;
    for (const auto& [path, text] : files) {
        const std::vector<std::string> all = attributes(text, "id");
        ids[path] = {all.begin(), all.end()};
        CAPTURE(path);
        CHECK(ids[path].size() == all.size());
    }
    for (const auto& [path, text] : files) {
        if (!path.ends_with(".html")) {
            continue;
        }
        CAPTURE(path);
        CHECK(wrong_nesting(text) == "");
        std::vector<std::string> links = attributes(text, "href");
        const std::vector<std::string> sources = attributes(text, "src");
        links.insert(links.end(), sources.begin(), sources.end());
        for (const std::string& link : links) {
            if (link.starts_with("https://github.com/")) {
                continue;
            }
            CAPTURE(link);
            const std::size_t hash = link.find('#');
            const std::filesystem::path target = std::filesystem::path(path).parent_path() / link.substr(0, hash);
            const std::string file = link.starts_with('#') ? path : target.lexically_normal().string();
            REQUIRE(files.contains(file));
            if (hash != std::string::npos) {
                CHECK(ids.at(file).contains(link.substr(hash + 1)));
            }
        }
    }
}

/// Every string of a results file that reaches a page.
Results hostile(const std::string& attack) {
    Results results = one_of_each();
    for (std::string* text :
         {&results.suite.version, &results.suite.git_hash, &results.started, &results.environment.gpu,
          &results.environment.driver_version, &results.environment.nvrtc_version, &results.environment.mig_mode,
          &results.environment.operating_system, &results.environment.kernel}) {
        *text = attack;
    }
    results.environment.variables = {{attack, attack}};
    for (Cell& cell : results.cells) {
        cell.image = cell.digest = cell.incident_detail = attack;
        cell.form.program.tally.outcomes[attack] = 3;
        cell.form.program.allowed.push_back(attack);
        cell.form.program.structure.built = {attack};
        for (Latency& latency : cell.latency) {
            latency.primary = latency.secondary = latency.dependency = attack;
            latency.between = {attack};
        }
        if (cell.pictures) {
            cell.pictures->note = cell.pictures->median->outcome = attack;
            cell.pictures->median->nodes.front().node = attack;
        }
    }
    results.cells[2].case_id = attack;
    results.cells[3].statement = attack;
    results.cells[4].statement = results.cells[4].case_id = attack;
    for (NativeCell& cell : results.native) {
        cell.probes.front().what = cell.probes.front().found = cell.incident_detail = attack;
        cell.probes.front().expected = {attack};
    }
    return results;
}

} // namespace

TEST_CASE("every page of a site is whole, and every link leads somewhere") {
    const auto files = site_of({on_driver("580.159.04"), on_driver("570.10"), results_of(abstract_machine(), {})});
    check_pages(files);
    const std::string& page = files.at("index.html");
    const std::string front = page.substr(page.find("<tr class=\"columns\">"));
    CHECK(front.find("580.159.04") < front.find("570.10")); // the newest first
    CHECK(front.find("570.10") < front.find("abstract machine"));
    CHECK(files.contains("cases/visibility.after-wait.post-trigger.html"));
    CHECK(files.contains("cases/visibility.after-wait.post-trigger.svg"));
    CHECK(files.contains("reproducers/visibility.after-wait.post-trigger.stream.cu"));
    CHECK(files.contains("site.css"));
    CHECK(files.contains("matrix.svg"));
}

TEST_CASE("a site of no results is a site") {
    check_pages(site_of({}));
}

TEST_CASE("nothing that a results file says becomes markup, a script, a link or a path") {
    for (const std::string attack :
         {"<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onmouseover='alert(1)",
          "javascript:alert(1)", "../../../outside", "]]></script><b>", "<!--", "&lt;b&gt;", "\u202E\u0000\x1b",
          "</title><base href=//x>"}) {
        CAPTURE(attack);
        const TemporaryFolder around;
        const auto files = site_of({hostile(attack), hostile(attack + "2")}, around.path + "/site");
        check_pages(files);
        for (const auto& [path, text] : files) {
            CAPTURE(path);
            CHECK(path.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789.-/") == std::string::npos);
            if (!path.ends_with(".html")) {
                continue;
            }
            CHECK(text.find("<img") == std::string::npos);
            CHECK(text.find("<base") == std::string::npos);
            CHECK(text.find("<b>alert") == std::string::npos);
            CHECK(text.find("href=\"javascript:") == std::string::npos);
            for (std::size_t at = text.find("<script"); at != std::string::npos; at = text.find("<script", at + 1)) {
                const bool ours = text.compare(at, 13, "<script src=\"") == 0 ||
                                  text.compare(at, 31, "<script type=\"application/json\"") == 0;
                CHECK(ours);
            }
        }
        // Nothing beside the folder of the site.
        CHECK(std::distance(std::filesystem::directory_iterator(around.path), {}) == 1);
    }
}

TEST_CASE("a site does not depend on the order of its files, and one that comes twice is one column") {
    const auto one = site_of({on_driver("1"), on_driver("2"), on_driver("3")});
    CHECK(one == site_of({on_driver("3"), on_driver("1"), on_driver("2"), on_driver("1")}));
}

TEST_CASE("a folder is written over, and what is foreign in it stays") {
    const TemporaryFolder around;
    const std::filesystem::path folder = around.path + "/site";
    site_of({on_driver("1")}, folder);
    std::ofstream(folder / "notes.txt") << "mine";
    std::ofstream(around.path + "/outside.txt") << "safe";
    std::filesystem::remove(folder / "index.html");
    std::filesystem::create_symlink(around.path + "/outside.txt", folder / "index.html");
    const auto files = site_of({on_driver("2")}, folder);
    CHECK(files.at("notes.txt") == "mine");
    CHECK(!std::filesystem::is_symlink(folder / "index.html"));
    CHECK(files_below(around.path).at("outside.txt") == "safe");

    std::filesystem::remove_all(folder / "cases");
    std::filesystem::create_directory_symlink(around.path, folder / "cases");
    CHECK(!site::Folder::open(folder.string()));
}

TEST_CASE("a cell of an earlier version of its case is marked and is no evidence") {
    Results results = one_of_each();
    results.cells[0].digest = std::string(64, 'd');
    const auto files = site_of({results});
    CHECK(files.at("index.html").find(", of an earlier version") != std::string::npos);
    CHECK(files.at("cases/visibility.after-wait.post-trigger.html").find("of another version of the case") !=
          std::string::npos);
    const auto column = std::find_if(files.begin(), files.end(), [](const auto& file) {
        return file.first.starts_with("columns/") && file.first.ends_with("/index.html") &&
               file.first != "columns/index.html";
    });
    const std::size_t held = column->second.find("Promised, and shown to hold");
    const std::size_t end = column->second.find("</details>", held);
    CHECK(column->second.substr(held, end - held).find("visibility.after-wait") == std::string::npos);
}

TEST_CASE("a cell of which nothing shows its version is not called one of another version") {
    site::SuiteView unsure = suite;
    unsure.currency = [](const Cell&) { return site::Currency::unknown; };
    const TemporaryFolder folder;
    auto opened = site::Folder::open(folder.path);
    REQUIRE(opened);
    site::Site written(unsure, *opened, 1);
    REQUIRE(written.add({one_of_each(), judged(one_of_each()), {}}, "a"));
    REQUIRE(written.finish(1));
    const std::string page = files_below(folder.path).at("cases/visibility.after-wait.post-trigger.html");
    CHECK(page.find("of another version") == std::string::npos);
    CHECK(page.find("Nothing shows whether this cell is of the case") != std::string::npos);
    CHECK(page.find("None of the cells above is known to have run it.") != std::string::npos);
}

TEST_CASE("the list of cases has a sentence of each, wherever its lines are broken") {
    site::SuiteView wrapped = suite;
    wrapped.cases[0].description = {"A sentence that goes", "on. Another one", "that is left out."};
    const TemporaryFolder folder;
    auto opened = site::Folder::open(folder.path);
    REQUIRE(opened);
    site::Site written(wrapped, *opened, 0);
    REQUIRE(written.finish(1));
    const std::string page = files_below(folder.path).at("cases/index.html");
    CHECK(page.find("</span> A sentence that goes on.</li>") != std::string::npos);
}

TEST_CASE("drivers are listed by their numbers, and a reproducer's command names its file") {
    const auto files = site_of({on_driver("580.9"), on_driver("580.10"), on_driver("90.1")});
    const std::string& front = files.at("index.html");
    const auto place = [&](const char* driver) { return front.find(concat("<option value=\"", driver, "\">")); };
    REQUIRE(place("90.1") != std::string::npos);
    CHECK(place("580.10") < place("580.9"));
    CHECK(place("580.9") < place("90.1"));
    CHECK(files.at("cases/visibility.after-wait.post-trigger.html")
              .find("-o repro visibility.after-wait.post-trigger.stream.cu &amp;&amp;") != std::string::npos);
}

TEST_CASE("what changed is told, and only that") {
    Results before = on_driver("1");
    before.cells[0].form.program.tally.outcomes = {{"overlapped=1 seen=0", 2000}};
    const auto files = site_of({before, on_driver("2")});
    const auto changes = std::find_if(files.begin(), files.end(),
                                      [](const auto& file) { return file.first.ends_with("/changes.html"); });
    REQUIRE(changes != files.end());
    CHECK(changes->second.find("<b>FAIL</b>") != std::string::npos);
    CHECK(changes->second.find("visibility.after-wait/post-trigger") != std::string::npos);
    CHECK(changes->second.find("trigger.allows-overlap/hand-shake") == std::string::npos);
}
