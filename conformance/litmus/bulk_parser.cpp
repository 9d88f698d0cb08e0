// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/bulk_parser.hpp"

#include <utility>

namespace pdlcts {

namespace {

constexpr unsigned most_expected_bytes = (1U << 20) - 1; ///< the range of an mbarrier's tx-count, by PTX
constexpr unsigned bulk_granularity = 16;                ///< bytes: PTX copies whole multiples
constexpr unsigned most_pending_groups = 64;

enum class MbarrierOperation { arrive, wait };
constexpr Spelling<MbarrierOperation> mbarrier_operations[] = {{"arrive", MbarrierOperation::arrive},
                                                               {"wait", MbarrierOperation::wait}};

/// What follows `mbarrier.arrive`; true where the phase is to expect bytes first.
constexpr Spelling<bool> arrivals[] = {{"release", false}, {"expect_tx", true}};

enum class BulkOperation { into_shared, out_of_shared, commit, wait };
constexpr Spelling<BulkOperation> bulk_operations[] = {{"shared", BulkOperation::into_shared},
                                                       {"global", BulkOperation::out_of_shared},
                                                       {"commit_group", BulkOperation::commit},
                                                       {"wait_group", BulkOperation::wait}};

Instruction parse_mbarrier_arrive(InstructionReader& reader) {
    Cursor& cursor = reader.cursor;
    MbarrierArrive arrive;
    const bool expects = cursor.qualifier(arrivals, "incomplete arrival");
    if (expects) {
        cursor.expect_qualifier("release", "an arrival needs its ordering");
    }
    arrive.scope = cursor.qualifier(cluster_scopes, "an arrival needs its scope");
    reader.end_of_mnemonic("this arrival");
    ParsedElement parsed = parse_element(cursor, reader.declarations, mbarrier_of_grid);
    parse_rank(cursor, reader.grid, parsed);
    arrive.mbarrier = std::move(parsed.element);
    if (expects) {
        cursor.expect(",", "missing number of bytes");
        arrive.expected_bytes =
            static_cast<std::uint32_t>(cursor.number("the number of bytes", 1, most_expected_bytes));
    }
    return arrive;
}

Instruction parse_mbarrier_wait(InstructionReader& reader) {
    Cursor& cursor = reader.cursor;
    MbarrierWait wait;
    cursor.expect_qualifier("acquire", "a wait needs its ordering");
    wait.scope = cursor.qualifier(cluster_scopes, "a wait needs its scope");
    reader.end_of_mnemonic("this wait");
    wait.mbarrier = parse_whole(cursor, reader.declarations, mbarrier_of_grid).name;
    cursor.expect(",", "missing parity");
    wait.parity = static_cast<unsigned>(cursor.number("the parity", 0, 1));
    wait.within_nanoseconds = reader.bound(wait.result);
    return wait;
}

/// The operands of a copy, which match each other.
BulkCopy parse_copied(InstructionReader& reader, const Wanted& wanted_destination, const Wanted& wanted_source) {
    Cursor& cursor = reader.cursor;
    const Cursor at_destination = cursor;
    ParsedWhole destination = parse_whole(cursor, reader.declarations, wanted_destination);
    cursor.expect(",", "missing source");
    const Cursor at_source = cursor;
    ParsedWhole source = parse_whole(cursor, reader.declarations, wanted_source);
    for (const auto& [at, operand] : {std::pair(&at_destination, &destination), std::pair(&at_source, &source)}) {
        if (!operand->declared.array) {
            at->fail("a bulk copy of a scalar", "an array");
        }
    }
    if (source.declared.width != destination.declared.width ||
        source.declared.elements != destination.declared.elements) {
        at_source.fail("source and destination differ in width or length", "an array like the destination");
    }
    if (destination.declared.bytes() % bulk_granularity != 0) {
        at_destination.fail("a bulk copy of " + std::to_string(destination.declared.bytes()) + " bytes",
                            "a multiple of " + std::to_string(bulk_granularity));
    }
    return {std::move(destination.name), std::move(source.name), {}};
}

Instruction parse_copy(InstructionReader& reader, bool into_shared) {
    if (reader.agent.threads.size() > 1) {
        reader.cursor.fail("several threads of a block issue a bulk copy", "an agent of a single thread");
    }
    Cursor& cursor = reader.cursor;
    cursor.expect_qualifier(into_shared ? "global" : "shared", "a bulk copy needs its source");
    reader.end_of_mnemonic("this copy");
    BulkCopy copy = parse_copied(reader, into_shared ? shared_location : global_location,
                                 into_shared ? global_location : shared_location);
    if (into_shared) {
        cursor.expect(",", "missing mbarrier");
        copy.mbarrier = parse_whole(cursor, reader.declarations, mbarrier_of_grid).name;
    }
    return copy;
}

} // namespace

Instruction parse_mbarrier(InstructionReader& reader) {
    const auto operation = reader.cursor.qualifier(mbarrier_operations, "incomplete operation of an mbarrier");
    return operation == MbarrierOperation::arrive ? parse_mbarrier_arrive(reader) : parse_mbarrier_wait(reader);
}

Instruction parse_bulk(InstructionReader& reader) {
    Cursor& cursor = reader.cursor;
    cursor.expect_qualifier("async", "incomplete bulk copy");
    cursor.expect_qualifier("bulk", "incomplete bulk copy");
    const BulkOperation operation = cursor.qualifier(bulk_operations, "incomplete bulk copy");
    switch (operation) {
    case BulkOperation::commit:
        return BulkCommit{};
    case BulkOperation::wait: {
        BulkWait wait;
        if (cursor.at_qualifier()) {
            cursor.expect_qualifier("read", "a wait for bulk groups takes 'read' at most");
            wait.read = true;
        }
        reader.end_of_mnemonic("this wait");
        wait.pending = static_cast<unsigned>(cursor.number("the number of pending groups", 0, most_pending_groups));
        return wait;
    }
    default:
        return parse_copy(reader, operation == BulkOperation::into_shared);
    }
}

} // namespace pdlcts
