// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/cells.hpp"

#include <map>
#include <string>

namespace pdlcts::machine {

/// Compiles the instructions of one agent, or of a host node, to a role, and its bulk copies to roles of their own.
struct RoleCompiler {
    Code& code;
    const Cells& cells;
    const Program& program;
    std::map<std::string, int>& results;
    std::size_t node = 0;
    const Grid* grid = nullptr; ///< none for host nodes
    unsigned block = 0;         ///< whose shared memory the role uses
    /// Slots of named barriers of the block: by number and use.
    std::map<std::pair<unsigned, unsigned>, std::uint16_t>& gatherings;
    std::map<unsigned, std::uint16_t> barrier_threads = {}; ///< by number: how many threads of the block use it
    std::uint16_t cluster_threads = 0;

    /// The role, followed by those of its copies. `first` is the index that the role will have in its class; those of
    /// the copies start at `next`.
    Result<std::vector<Role>> compile(const std::vector<Instruction>& instructions, std::string text, unsigned threads,
                                      std::size_t next_role, std::uint16_t& copied_slots);
    Role compile_host(const std::vector<HostInstruction>& instructions);
    /// Of whole locations, for memset and memcpy.
    Role compile_memset(const Memset& memset);
    Role compile_memcpy(const Memcpy& memcpy);

    Cell cell_of(const Element& element) const;
    int result_index(const std::string& result);
    const Location& location(const std::string& name) const;
};

/// Fills in, for every role of the code, what the others let its operations do: who can acquire what is released.
void mark_synchronisation(Code& code);

} // namespace pdlcts::machine
