// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace CLI {
class App;
}

/// What ships beside the program, made of the definition of its command line, so that the two say the same.
namespace pdlcts {

/// A manual page of section 1, in the macros of man(7).
std::string manual_page(const CLI::App& app, std::string_view version);

std::string bash_completion(const CLI::App& app);
std::string zsh_completion(const CLI::App& app);
std::string fish_completion(const CLI::App& app);

} // namespace pdlcts
