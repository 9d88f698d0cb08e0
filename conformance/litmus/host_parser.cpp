// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/host_parser.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace pdlcts {

namespace {

enum class Synchronised { stream, event, device };
constexpr Spelling<Synchronised> synchronised[] = {
    {"stream", Synchronised::stream}, {"event", Synchronised::event}, {"device", Synchronised::device}};

std::string parse_recorded_event(Cursor& cursor, const Definitions& definitions) {
    const Cursor at = cursor;
    std::string event = cursor.name("an event");
    if (!definitions.events.contains(event)) {
        at.fail("nothing has recorded the event", "an event of an earlier operation");
    }
    return event;
}

HostOperation parse_record(Cursor& cursor, Definitions& definitions) {
    Record operation{cursor.name("an event"), {}};
    operation.stream = definitions.streams.read_on(cursor);
    definitions.events.insert(operation.event);
    return operation;
}

HostOperation parse_wait_event(Cursor& cursor, Definitions& definitions) {
    WaitEvent operation{parse_recorded_event(cursor, definitions), {}};
    operation.stream = definitions.streams.read_on(cursor);
    return operation;
}

HostOperation parse_memset(Cursor& cursor, Definitions& definitions) {
    Memset operation{parse_whole(cursor, definitions.declarations, global_location).name, 0, {}};
    cursor.expect(",", "missing byte");
    operation.byte = static_cast<std::uint8_t>(cursor.number("the byte", 0, 255));
    operation.stream = definitions.streams.read_on(cursor);
    return operation;
}

HostOperation parse_memcpy(Cursor& cursor, Definitions& definitions) {
    ParsedWhole destination = parse_whole(cursor, definitions.declarations, copied_location);
    cursor.expect(",", "missing source");
    const Cursor at = cursor;
    ParsedWhole source = parse_whole(cursor, definitions.declarations, copied_location);
    if (source.name == destination.name) {
        at.fail("a copy onto itself", "another location");
    }
    if (source.declared.width != destination.declared.width ||
        source.declared.elements != destination.declared.elements) {
        at.fail("source and destination differ in width or length", "a location like the destination");
    }
    Memcpy operation{std::move(destination.name), std::move(source.name), {}};
    operation.stream = definitions.streams.read_on(cursor);
    return operation;
}

HostOperation parse_host_function(Cursor& cursor, Definitions& definitions) {
    const Cursor at = cursor;
    HostFunction operation{cursor.name("a host function"), {}, {}};
    if (!definitions.host_functions.insert(operation.name).second) {
        at.fail("two host functions have one name", "another name");
    }
    operation.stream = definitions.streams.read_on(cursor);
    return operation;
}

HostOperation parse_sync(Cursor& cursor, Definitions& definitions) {
    switch (cursor.one_of(synchronised, "incomplete sync")) {
    case Synchronised::stream:
        return SyncStream{definitions.streams.read_on(cursor)};
    case Synchronised::event: {
        SyncEvent operation{parse_recorded_event(cursor, definitions)};
        cursor.expect_end("the operation");
        return operation;
    }
    case Synchronised::device:
        break;
    }
    cursor.expect_end("the operation");
    return SyncDevice{};
}

struct Form {
    std::string_view word;
    HostOperation (*parse)(Cursor&, Definitions&);
};

constexpr Form forms[] = {
    {"record", parse_record}, {"wait_event", parse_wait_event}, {"memset", parse_memset},
    {"memcpy", parse_memcpy}, {"host", parse_host_function},    {"sync", parse_sync},
};

const Form* find_form(std::string_view word) {
    const Form* form = std::find_if(std::begin(forms), std::end(forms), [&](const Form& f) { return f.word == word; });
    return form == std::end(forms) ? nullptr : form;
}

} // namespace

bool opens_host_operation(std::string_view word) {
    return find_form(word) != nullptr;
}

HostOperation parse_host_operation(Cursor& cursor, Definitions& definitions) {
    const Form& form = *find_form(cursor.peek_word());
    cursor.accept_word(form.word);
    return form.parse(cursor, definitions);
}

HostInstruction parse_host_instruction(Cursor& cursor, Definitions& definitions) {
    const bool reads = cursor.accept_word("read");
    if (!reads) {
        cursor.accept_word("write");
    }
    ParsedElement parsed = parse_element(cursor, definitions.declarations, host_location);
    if (!reads) {
        cursor.expect(",", "missing value");
        const auto value = static_cast<Value>(cursor.number("the value", 0, largest_value));
        cursor.expect_end("write");
        return HostWrite{std::move(parsed.element), value};
    }
    cursor.expect("->", "missing result");
    ParsedResult result{{}, cursor.column()};
    result.name = cursor.name("a register");
    cursor.expect_end("read");
    definitions.registers.write({result}, cursor.line(), false);
    return HostRead{std::move(parsed.element), std::move(result.name)};
}

} // namespace pdlcts
