// SPDX-License-Identifier: Apache-2.0
#include "harness/command/case_files.hpp"

#include "harness/command/terminal.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>

namespace pdlcts {
namespace {

namespace fs = std::filesystem;

constexpr const char* ending = ".litmus";

/// A file to be read: as errors name it, where it really is, and its id so far.
struct Found {
    std::string name;
    fs::path path;
    std::string id;
};

/// Not a folder, and nothing like a pipe, which would be waited for. A link that leads nowhere is complained of later.
bool may_be_read(const fs::directory_entry& entry) {
    std::error_code error;
    return entry.is_regular_file(error) || entry.is_symlink(error);
}

struct Search {
    std::vector<Found> files;
    std::vector<Refusal> refusals;
    std::set<fs::path> known;

    void refuse(const std::string& name, const std::string& what) {
        refusals.push_back({ExitCode::bad_input, name + ": " + what});
    }

    void add(const fs::path& file, const fs::path& id) {
        std::error_code error;
        fs::path path = fs::weakly_canonical(file, error);
        if (error) {
            path = file;
        }
        if (known.insert(path).second) {
            files.push_back({file.string(), std::move(path), id.generic_string()});
        }
    }

    void add_folder(const std::string& folder) {
        std::vector<fs::path> inside;
        std::error_code error;
        fs::recursive_directory_iterator entry(folder, error);
        while (!error && entry != fs::recursive_directory_iterator()) {
            if (entry->path().extension() == ending && may_be_read(*entry)) {
                inside.push_back(entry->path());
            }
            if (inside.size() > most_case_files) {
                refuse(folder,
                       "holds more than " + std::to_string(most_case_files) + " litmus files; name a smaller folder");
                return;
            }
            entry.increment(error);
        }
        if (error) {
            refuse(folder, "cannot read the folder, or one in it: " + error.message());
        } else if (inside.empty()) {
            refuse(folder, std::string("holds no file that ends in ") + ending);
        }
        std::sort(inside.begin(), inside.end());
        for (const fs::path& file : inside) {
            add(file, file.lexically_relative(folder).replace_extension());
        }
    }

    /// Longer ids, from the path, where two files have the same one.
    void tell_apart() {
        while (true) {
            std::map<std::string, std::vector<Found*>> by_id;
            for (Found& file : files) {
                by_id[file.id].push_back(&file);
            }
            bool changed = false;
            for (auto& [id, same] : by_id) {
                for (Found* file : same) {
                    changed |= same.size() > 1 && lengthen(*file);
                }
            }
            if (!changed) {
                return;
            }
        }
    }

    /// Whether there was something to add.
    static bool lengthen(Found& file) {
        const auto depth = 1 + std::count(file.id.begin(), file.id.end(), '/');
        fs::path parent = file.path.parent_path();
        for (auto level = depth; level > 1; --level) {
            parent = parent.parent_path();
        }
        if (parent.filename().empty()) {
            return false;
        }
        file.id = parent.filename().string() + "/" + file.id;
        return true;
    }
};

bool is_folder(const std::string& name) {
    std::error_code error;
    return fs::is_directory(name, error);
}

CaseFiles read(Search search) {
    search.tell_apart();
    CaseFiles all{{}, std::move(search.refusals)};
    for (const Found& file : search.files) {
        auto read = read_case_file(file.name);
        if (auto* refusal = std::get_if<Refusal>(&read)) {
            all.refusals.push_back(std::move(*refusal));
            continue;
        }
        all.cases.push_back(std::get<Case>(std::move(read)));
        all.cases.back().id = file.id;
    }
    return all;
}

} // namespace

ExitCode CaseFiles::with_refusals(ExitCode code) const {
    const bool answered = code == ExitCode::success || code == ExitCode::negative;
    return answered && !refusals.empty() ? refusals.front().code : code;
}

CaseFiles read_case_files(const std::vector<std::string>& names) {
    Search search;
    for (const std::string& name : names) {
        if (is_folder(name)) {
            search.add_folder(name);
        } else {
            search.add(name, fs::path(name).stem());
        }
    }
    return read(std::move(search));
}

CaseFiles find_cases_or_files(const std::vector<std::string>& names) {
    CaseFiles all;
    std::vector<std::string> files;
    for (const std::string& name : names) {
        std::error_code error;
        if (name.ends_with(ending) || is_folder(name)) {
            files.push_back(name);
            continue;
        }
        auto found = find_case_or_file(name);
        if (auto* refusal = std::get_if<Refusal>(&found)) {
            all.refusals.push_back(std::move(*refusal));
        } else if (Case& listed = std::get<Case>(found); listed.statement.empty()) {
            files.push_back(name);
        } else {
            all.cases.push_back(std::move(listed));
        }
    }
    CaseFiles read = read_case_files(files);
    std::move(read.cases.begin(), read.cases.end(), std::back_inserter(all.cases));
    std::move(read.refusals.begin(), read.refusals.end(), std::back_inserter(all.refusals));
    return all;
}

void complain_of(const CaseFiles& files) {
    for (const Refusal& refusal : files.refusals) {
        complain(refusal.message);
    }
}

} // namespace pdlcts
