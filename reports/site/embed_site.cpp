// SPDX-License-Identifier: Apache-2.0
// A tool of the build: writes the site's style, script and icon as a C++ source. A file that reaches out of the site's
// folder, or that could be made to run what a results file says, stops the build.
#include "conformance/support/embed.hpp"

#include "conformance/support/concat.hpp"

#include <algorithm>

int main(int argc, char** argv) {
    using namespace pdlcts;
    return run_embedding_tool(argc, argv, "embedded_site_file_list", [](std::span<const EmbeddedFile> files) {
        std::vector<std::string> problems;
        for (const EmbeddedFile& file : files) {
            const bool ascii = std::all_of(file.text.begin(), file.text.end(),
                                           [](char each) { return each == '\n' || (each >= 0x20 && each < 0x7f); });
            if (!ascii) {
                problems.push_back(file.name + ": expected ASCII without tabs");
            }
            std::string text = file.text;
            if (const std::size_t name_space = text.find("http://www.w3.org/2000/svg");
                name_space != std::string::npos) {
                text.erase(name_space, 26); // the name of a language, and no address
            }
            for (const char* forbidden :
                 {"http:", "https:", "//cdn", "url(", "@import", "fetch(", "XMLHttpRequest", "innerHTML", "outerHTML",
                  "insertAdjacentHTML", "document.write", "eval(", "new Function", "import(", "localStorage"}) {
                if (text.find(forbidden) != std::string::npos) {
                    problems.push_back(concat(file.name, ": holds `", forbidden,
                                              "`; the site asks nobody for anything, and makes no markup of text"));
                }
            }
        }
        return problems;
    });
}
