// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/program.hpp"

#include <optional>
#include <string>

/// Blocks as instances: a program whose grids have one block each, launched with many blocks of which each is an
/// execution of its own, with its own copy of every location and register.
///
/// The instances of one launch share its start and its end: a dependent grid starts when all blocks have triggered or
/// exited, and completion is that of all. What an instance shows is therefore no trial, but still an execution that the
/// specification has to allow (conformance/machine/instance_proof.hpp proves that it has no others).
namespace pdlcts {

/// Why the blocks of this program cannot be instances; nothing where its shape allows them: grids of one block, without
/// a cluster, a domain, a priority or a second GPU, and no operation beside grids and events.
std::optional<std::string> why_no_instances(const Program& program);
std::optional<std::string> why_no_instances(const Litmus& litmus);

/// The program with so many instances spelled out: block i of every grid has the location `x_i` for `x`, and the
/// register `r_i` for `r`. It claims nothing.
Program widen(const Program& program, unsigned instances);

/// `x_1`: what a name is in an instance.
std::string name_in_instance(const std::string& name, unsigned instance);

} // namespace pdlcts
