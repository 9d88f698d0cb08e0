// SPDX-License-Identifier: Apache-2.0
#include "harness/export/side.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/support/concat.hpp"

#include <algorithm>

namespace pdlcts {

std::vector<const Side*> Reproduced::roles() const {
    std::vector<const Side*> all{&forms.front().program};
    if (forms.front().control) {
        all.push_back(&*forms.front().control);
    }
    return all;
}

std::vector<const Side*> Reproduced::sides() const {
    std::vector<const Side*> all;
    for (const SideForm& form : forms) {
        all.push_back(&form.program);
        if (form.control) {
            all.push_back(&*form.control);
        }
    }
    return all;
}

std::string role_name(const Side& side) {
    return std::string(name(side.role));
}

std::string side_name(const Reproduced& reproduced, const Side& side) {
    return reproduced.two_forms() ? concat(name(side.route), "_", name(side.role)) : role_name(side);
}

std::string stream_variable(const std::string& stream) {
    return stream == only_stream ? "stream" : "stream_" + stream;
}

std::string event_variable(const std::string& event) {
    return "event_" + event;
}

std::string device_place(const PlacedLocation& location) {
    return concat(location.memory == Memory::device ? "trial.record" : "trial.host_record_on_device", " + ",
                  location.word);
}

std::vector<std::string> kernel_arguments(const Side& side, const Grid& grid) {
    std::vector<std::string> arguments{"trial.record", "none", "none", "none"};
    if (takes_host_record(grid, *side.layout)) {
        arguments.emplace_back("trial.host_record_on_device");
    }
    return arguments;
}

bool uses_host_memory(const Reproduced& reproduced) {
    const std::vector<const Side*> roles = reproduced.roles();
    return std::any_of(roles.begin(), roles.end(), [](const Side* side) { return side->layout->host_words > 0; });
}

std::vector<const Grid*> grids_of(const Program& program) {
    std::vector<const Grid*> grids;
    for (const HostOperation& operation : program.operations) {
        if (const auto* grid = std::get_if<Grid>(&operation)) {
            grids.push_back(grid);
        }
    }
    return grids;
}

} // namespace pdlcts
