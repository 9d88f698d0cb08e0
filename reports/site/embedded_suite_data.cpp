// SPDX-License-Identifier: Apache-2.0
#include "reports/site/suite_data.hpp"

#include <stdexcept>

namespace pdlcts {
std::vector<EmbeddedFile> embedded_suite_data_files(); // in the source that the build generates
} // namespace pdlcts

namespace pdlcts::site {

const SuiteData& embedded_suite_data() {
    static const SuiteData data = [] {
        Result<SuiteData> read = read_suite_data(embedded_suite_data_files());
        if (!read) {
            throw std::logic_error("a file that was built into this program is broken: " + read.error().message);
        }
        return *std::move(read);
    }();
    return data;
}

} // namespace pdlcts::site
