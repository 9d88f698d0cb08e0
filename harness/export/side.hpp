// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/plan/plan.hpp"
#include "harness/catalogue/catalogue.hpp"
#include "harness/gpu/emit.hpp"

#include <optional>
#include <string>
#include <vector>

/// What a reproducer is made of: the program and its control on a route, and on two routes for an equivalence.
namespace pdlcts {

/// One program on one route.
struct Side {
    Role role = Role::program;
    Route route = Route::stream;
    const Program* program = nullptr;
    const Layout* layout = nullptr;
    Plan plan;
    std::vector<std::string> allowed; ///< what the machine allows of the plan
    bool decided = false;
};

/// Program and control by one route.
struct SideForm {
    Side program;
    std::optional<Side> control;
};

/// All that the parts of a reproducer read.
struct Reproduced {
    const Case* listed = nullptr;
    Statement statement;
    /// The litmus program that is run: the case's, or its control as a program of its own.
    Litmus litmus;
    CaseLayout layout;
    bool control_alone = false;
    std::vector<SideForm> forms;      ///< one, or the two of an equivalence
    std::vector<std::string> streams; ///< of program and control, the first of the program first
    std::string suite;                ///< `pdlcts 0.1.0 (git 0123456789ab)`

    Route route() const { return forms.front().program.route; }
    bool on_streams() const { return route() == Route::stream; }
    bool two_forms() const { return forms.size() > 1; }
    /// Program and control of one form: what the routes have alike is written once for each.
    std::vector<const Side*> roles() const;
    /// All sides of all forms.
    std::vector<const Side*> sides() const;
};

/// `program`, `control`.
std::string role_name(const Side& side);

/// The variable of a side: its role, with its route where there are two forms: `edges_control`.
std::string side_name(const Reproduced& reproduced, const Side& side);

/// `stream_s`, and `stream` where the program names none.
std::string stream_variable(const std::string& stream);
std::string event_variable(const std::string& event);

/// `trial.record + 32`, the first word of a location as the device sees it.
std::string device_place(const PlacedLocation& location);

/// What a grid's kernel is given, in the order of emit.hpp: variables of the reproducer. `none` asks for no extra
/// blocks, for no late start, and for no measurement.
std::vector<std::string> kernel_arguments(const Side& side, const Grid& grid);

/// Whether a program of the case uses memory of the host.
bool uses_host_memory(const Reproduced& reproduced);

/// The grids of a program, in their order.
std::vector<const Grid*> grids_of(const Program& program);

} // namespace pdlcts
