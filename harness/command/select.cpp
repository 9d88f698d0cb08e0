// SPDX-License-Identifier: Apache-2.0
#include "harness/command/select.hpp"

#include "conformance/litmus/parser.hpp"
#include "conformance/litmus/printer.hpp"
#include "harness/worker/native_cells.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace pdlcts {

std::variant<std::vector<Case>, Refusal> select_cases(const std::vector<std::string>& patterns) {
    if (patterns.empty()) {
        return embedded_cases();
    }
    std::vector<bool> selected(embedded_cases().size());
    for (const std::string& pattern : patterns) {
        bool found = !select_native_cases({pattern}).empty();
        for (std::size_t index = 0; index < selected.size(); ++index) {
            if (is_selected(embedded_cases()[index], pattern)) {
                selected[index] = true;
                found = true;
            }
        }
        if (!found) {
            return Refusal{ExitCode::unknown_case, "no case matches `" + pattern + "`; `pdlcts list` shows them all"};
        }
    }
    std::vector<Case> cases;
    for (std::size_t index = 0; index < selected.size(); ++index) {
        if (selected[index]) {
            cases.push_back(embedded_cases()[index]);
        }
    }
    return cases;
}

namespace {

bool fits_any(const std::vector<std::string>& globs, std::string_view text) {
    return globs.empty() ||
           std::any_of(globs.begin(), globs.end(), [&](const std::string& glob) { return matches_glob(glob, text); });
}

/// Behind the patterns.
template <typename Listed>
bool fits(const Listed& listed, const Selection& selection) {
    const std::string_view id = listed.id;
    return fits_any(selection.sections, id.substr(0, id.find('/'))) && fits_any(selection.statements, listed.statement);
}

} // namespace

std::vector<NativeCase> select_native_cases(const Selection& selection) {
    std::vector<NativeCase> selected = select_native_cases(selection.patterns);
    std::erase_if(selected, [&](const NativeCase& listed) { return !fits(listed, selection); });
    return selected;
}

std::variant<std::vector<Case>, Refusal> select_cases(const Selection& selection) {
    auto selected = select_cases(selection.patterns);
    if (auto* cases = std::get_if<std::vector<Case>>(&selected)) {
        std::erase_if(*cases, [&](const Case& listed) { return !fits(listed, selection); });
        if (cases->empty() && select_native_cases(selection).empty()) {
            return Refusal{ExitCode::unknown_case, "no case is of these sections and statements; `pdlcts list` shows "
                                                   "them all"};
        }
    }
    return selected;
}

std::vector<Route> select_routes(const std::vector<std::string>& names) {
    std::vector<Route> routes;
    const bool all = std::find(names.begin(), names.end(), "all") != names.end();
    for (const Route route : all_routes) {
        if (all || std::find(names.begin(), names.end(), name(route)) != names.end()) {
            routes.push_back(route);
        }
    }
    return routes;
}

std::variant<std::string, Refusal> read_text_file(const std::string& name, std::size_t largest) {
    std::error_code error;
    if (std::filesystem::is_directory(name, error)) {
        return Refusal{ExitCode::bad_input, name + ": is a folder; expected a file"};
    }
    std::ifstream stream(name, std::ios::binary);
    if (!stream) {
        return Refusal{ExitCode::bad_input, name + ": cannot open the file; check its name and whether it may be read"};
    }
    // As large as the file says that it is; what says nothing, such as a pipe, is read in growing pieces.
    const std::uintmax_t stated = std::filesystem::file_size(name, error);
    std::size_t room = error ? 4096 : static_cast<std::size_t>(std::min<std::uintmax_t>(stated, largest)) + 1;
    std::string text;
    while (stream && text.size() <= largest) {
        const std::size_t used = text.size();
        text.resize(std::min(used + room, largest + 1));
        stream.read(text.data() + used, static_cast<std::streamsize>(text.size() - used));
        text.resize(used + static_cast<std::size_t>(stream.gcount()));
        room = std::max<std::size_t>(4096, text.size());
    }
    if (stream.bad()) {
        return Refusal{ExitCode::bad_input, name + ": cannot read the file"};
    }
    if (text.size() > largest) {
        return Refusal{ExitCode::bad_input,
                       name + ": the file is too large; expected " + std::to_string(largest) + " bytes at most"};
    }
    return text;
}

std::variant<Case, Refusal> read_case_file(const std::string& name) {
    auto text = read_text_file(name, largest_litmus_file);
    if (const auto* refusal = std::get_if<Refusal>(&text)) {
        return *refusal;
    }
    Result<Case> read = read_user_case({name, std::get<std::string>(std::move(text))}, embedded_ledger());
    if (!read) {
        return Refusal{ExitCode::bad_input, read.error().message};
    }
    return *std::move(read);
}

std::variant<Case, Refusal> find_case_or_file(const std::string& name) {
    std::vector<Case> found;
    for (const Case& listed : embedded_cases()) {
        if (listed.id == name || listed.id.substr(listed.id.find('/') + 1) == name || listed.statement == name) {
            found.push_back(listed);
        }
    }
    if (found.size() == 1) {
        return found.front();
    }
    if (found.size() > 1) {
        std::string ids;
        for (const Case& listed : found) {
            ids += (ids.empty() ? "" : ", ") + listed.id;
        }
        return Refusal{ExitCode::unknown_case, "`" + name + "` names several cases: " + ids};
    }
    std::error_code error;
    if (name.ends_with(".litmus") || std::filesystem::exists(name, error)) {
        return read_case_file(name);
    }
    return Refusal{ExitCode::unknown_case,
                   "there is no case and no file `" + name + "`; `pdlcts list` shows the cases"};
}

} // namespace pdlcts
