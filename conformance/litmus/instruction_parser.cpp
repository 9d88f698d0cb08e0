// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/instruction_parser.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace pdlcts {

namespace {

struct Reader {
    Cursor& cursor;
    const Names& locations;
    ParsedInstruction parsed = {};

    Element element() { return Element{parse_location(cursor, locations), {}, {}}; }

    Value value() { return static_cast<Value>(cursor.number("the value", 0, largest_value)); }

    std::string result() {
        cursor.expect("->", "missing result");
        parsed.result_column = cursor.column();
        return parsed.result = cursor.name("a register");
    }

    void end_of_mnemonic(std::string_view instruction) {
        if (cursor.at_qualifier()) {
            cursor.fail("a qualifier that " + std::string(instruction) + " does not take", "a blank and the operands");
        }
    }
};

Instruction parse_fence(Reader& reader) {
    Fence fence;
    fence.ordering = reader.cursor.qualifier(fence_orderings, "a fence needs its ordering");
    fence.scope = reader.cursor.qualifier(scopes, "a fence needs its scope");
    return fence;
}

Instruction parse_barrier(Reader& reader) {
    constexpr Spelling<Barrier> barrier[] = {{"sync", {}}};
    return reader.cursor.qualifier(barrier, "incomplete barrier");
}

Instruction parse_load(Reader& reader) {
    Load load;
    load.ordering = reader.cursor.qualifier(load_orderings, "a load needs its ordering");
    if (load.ordering != Ordering::weak) {
        load.scope = reader.cursor.qualifier(scopes, "a strong load needs its scope");
    } else if (reader.cursor.at_qualifier()) {
        load.cache = reader.cursor.qualifier(cache_operators, "a weak load takes a cache operator at most");
    }
    reader.end_of_mnemonic("this load");
    load.element = reader.element();
    load.results = {reader.result()};
    return load;
}

Instruction parse_store(Reader& reader) {
    Store store;
    store.ordering = reader.cursor.qualifier(store_orderings, "a store needs its ordering");
    if (store.ordering != Ordering::weak) {
        store.scope = reader.cursor.qualifier(scopes, "a strong store needs its scope");
    }
    reader.end_of_mnemonic("this store");
    store.element = reader.element();
    reader.cursor.expect(",", "missing value");
    store.values = {reader.value()};
    return store;
}

Instruction parse_atomic(Reader& reader, bool reduction) {
    Atomic atomic;
    Cursor& cursor = reader.cursor;
    atomic.ordering = reduction ? cursor.qualifier(reduction_orderings, "a reduction needs its ordering")
                                : cursor.qualifier(atomic_orderings, "an atomic needs its ordering");
    atomic.scope = cursor.qualifier(scopes, "an atomic needs its scope");
    atomic.operation = reduction ? cursor.qualifier(reduction_operations, "a reduction needs its operation")
                                 : cursor.qualifier(atomic_operations, "an atomic needs its operation");
    reader.end_of_mnemonic("this atomic");
    atomic.element = reader.element();
    cursor.expect(",", "missing value");
    if (atomic.operation == AtomicOperation::cas) {
        atomic.compare = reader.value();
        cursor.expect(",", "missing value");
    }
    atomic.operand = reader.value();
    if (!reduction) {
        atomic.result = reader.result();
    }
    return atomic;
}

Instruction parse_await(Reader& reader) {
    Await await;
    await.element = reader.element();
    reader.cursor.expect("==", "incomplete await");
    await.value = reader.value();
    if (reader.cursor.at_result()) {
        await.result = reader.result();
    }
    if (!reader.cursor.accept_word("within")) {
        reader.cursor.fail("a poll needs its bound", await.result ? "'within'" : "'->' or 'within'");
    }
    await.within_nanoseconds = reader.cursor.duration("the bound");
    return await;
}

struct Form {
    std::string_view word;
    Instruction (*parse)(Reader&);
};

constexpr Form forms[] = {
    {"trigger", [](Reader&) { return Instruction{Trigger{}}; }},
    {"wait", [](Reader&) { return Instruction{Wait{}}; }},
    {"exit", [](Reader&) { return Instruction{Exit{}}; }},
    {"bar", parse_barrier},
    {"fence", parse_fence},
    {"ld", parse_load},
    {"st", parse_store},
    {"red", [](Reader& reader) { return parse_atomic(reader, true); }},
    {"atom", [](Reader& reader) { return parse_atomic(reader, false); }},
    {"await", parse_await},
    {"delay", [](Reader& reader) { return Instruction{Delay{reader.cursor.duration("the delay")}}; }},
};

const Form* find_form(std::string_view word) {
    const Form* form = std::find_if(std::begin(forms), std::end(forms), [&](const Form& f) { return f.word == word; });
    return form == std::end(forms) ? nullptr : form;
}

} // namespace

bool opens_instruction(std::string_view word) {
    return find_form(word) != nullptr;
}

std::string parse_location(Cursor& cursor, const Names& locations) {
    Cursor before = cursor;
    std::string location = cursor.name("a location");
    if (!locations.contains(location)) {
        before.fail("undeclared location", "a location of the memory line");
    }
    return location;
}

ParsedInstruction parse_instruction(Cursor& cursor, const Names& locations) {
    const std::string word(cursor.peek_word());
    const Form* form = find_form(word);
    if (form == nullptr) {
        cursor.fail("unknown instruction", "an instruction such as trigger, wait or ld.weak");
    }
    cursor.accept_word(word);
    Reader reader{cursor, locations};
    Instruction instruction = form->parse(reader);
    cursor.expect_end(word);
    reader.parsed.instruction = std::move(instruction);
    return std::move(reader.parsed);
}

} // namespace pdlcts
