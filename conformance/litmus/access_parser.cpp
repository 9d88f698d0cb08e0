// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/access_parser.hpp"

#include <utility>

namespace pdlcts {

namespace {

/// What may follow `ld.weak`.
struct WeakLoadSuffix {
    CacheOperator cache = CacheOperator::unspecified;
    unsigned lanes = 1;
};
constexpr Spelling<WeakLoadSuffix> weak_load_suffixes[] = {{"ca", {CacheOperator::ca, 1}},
                                                           {"cg", {CacheOperator::cg, 1}},
                                                           {"nc", {CacheOperator::nc, 1}},
                                                           {"v2", {CacheOperator::unspecified, 2}},
                                                           {"v4", {CacheOperator::unspecified, 4}}};

/// `.v2` and `.v4` end a mnemonic.
unsigned parse_lanes(InstructionReader& reader, std::string_view instruction) {
    const unsigned lanes =
        reader.cursor.at_qualifier()
            ? reader.cursor.qualifier(vector_lanes,
                                      "after its other qualifiers " + std::string(instruction) + " takes lanes at most")
            : 1;
    reader.end_of_mnemonic(instruction);
    return lanes;
}

/// `a` for one lane, `{a, b}` for more.
template <typename Entry, typename Read>
std::vector<Entry> parse_each_lane(Cursor& cursor, unsigned lanes, Read read) {
    std::vector<Entry> entries;
    if (lanes > 1) {
        cursor.expect("{", "lanes stand in braces");
    }
    entries.push_back(read());
    while (entries.size() < lanes) {
        cursor.expect(",", "one entry for each lane");
        entries.push_back(read());
    }
    if (lanes > 1) {
        cursor.expect("}", "one entry for each lane");
    }
    return entries;
}

Element parse_word(InstructionReader& reader) {
    const Cursor at = reader.cursor;
    ParsedElement parsed = reader.element();
    if (parsed.declared.width != Width::u32) {
        at.fail("atomics are made on words", "a location of width u32");
    }
    parse_rank(reader.cursor, reader.grid, parsed);
    return std::move(parsed.element);
}

/// ` x, 1`: what follows the mnemonic of an atomic and of a reduction.
void parse_operand(InstructionReader& reader, std::string_view instruction, Atomic& atomic) {
    reader.end_of_mnemonic(instruction);
    atomic.element = parse_word(reader);
    reader.cursor.expect(",", "missing value");
    atomic.operand = reader.value(Width::u32);
}

} // namespace

Instruction parse_load(InstructionReader& reader) {
    Cursor& cursor = reader.cursor;
    Load load;
    load.ordering = cursor.qualifier(load_orderings, "a load needs its ordering");
    unsigned lanes = 1;
    if (load.ordering != Ordering::weak) {
        load.scope = cursor.qualifier(scopes, "a strong load needs its scope");
    } else if (cursor.at_qualifier()) {
        const auto suffix =
            cursor.qualifier(weak_load_suffixes, "a weak load takes a cache operator and lanes at most");
        load.cache = suffix.cache;
        lanes = suffix.lanes;
    }
    if (lanes == 1) {
        lanes = parse_lanes(reader, "this load");
    }
    reader.end_of_mnemonic("this load");
    const Cursor at = cursor;
    ParsedElement parsed = reader.element(lanes);
    if (load.cache == CacheOperator::nc && parsed.declared.space != Space::global) {
        at.fail("the read-only path is for global memory", std::string(global_location.expected));
    }
    parse_rank(cursor, reader.grid, parsed);
    load.element = std::move(parsed.element);
    cursor.expect("->", "missing result");
    load.results = parse_each_lane<std::string>(cursor, lanes, [&] { return reader.register_name(); });
    return load;
}

Instruction parse_store(InstructionReader& reader) {
    Cursor& cursor = reader.cursor;
    Store store;
    store.ordering = cursor.qualifier(store_orderings, "a store needs its ordering");
    if (store.ordering != Ordering::weak) {
        store.scope = cursor.qualifier(scopes, "a strong store needs its scope");
    }
    const unsigned lanes = parse_lanes(reader, "this store");
    ParsedElement parsed = reader.element(lanes);
    parse_rank(cursor, reader.grid, parsed);
    store.element = std::move(parsed.element);
    cursor.expect(",", "missing value");
    store.values = parse_each_lane<Value>(cursor, lanes, [&] { return reader.value(parsed.declared.width); });
    return store;
}

Instruction parse_reduction(InstructionReader& reader) {
    Cursor& cursor = reader.cursor;
    Atomic atomic;
    atomic.ordering = cursor.qualifier(reduction_orderings, "a reduction needs its ordering");
    atomic.scope = cursor.qualifier(scopes, "a reduction needs its scope");
    atomic.operation = cursor.qualifier(reduction_operations, "a reduction needs its operation");
    parse_operand(reader, "this reduction", atomic);
    return atomic;
}

Instruction parse_atomic(InstructionReader& reader) {
    Cursor& cursor = reader.cursor;
    Atomic atomic;
    atomic.ordering = cursor.qualifier(atomic_orderings, "an atomic needs its ordering");
    atomic.scope = cursor.qualifier(scopes, "an atomic needs its scope");
    atomic.operation = cursor.qualifier(atomic_operations, "an atomic needs its operation");
    parse_operand(reader, "this atomic", atomic);
    if (atomic.operation == AtomicOperation::cas) {
        atomic.compare = atomic.operand;
        cursor.expect(",", "cas compares with a value and stores another");
        atomic.operand = reader.value(Width::u32);
    }
    atomic.result = reader.result();
    return atomic;
}

Instruction parse_await(InstructionReader& reader) {
    Await await;
    ParsedElement parsed = reader.element();
    if (reader.cursor.at("@")) {
        reader.cursor.fail("a poll of another block's memory", "'=='");
    }
    await.element = std::move(parsed.element);
    reader.cursor.expect("==", "incomplete await");
    await.value = reader.value(parsed.declared.width);
    await.within_nanoseconds = reader.bound(await.result);
    return await;
}

} // namespace pdlcts
