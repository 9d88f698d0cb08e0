// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/streams.hpp"

#include "conformance/litmus/program.hpp"

#include <algorithm>
#include <utility>

namespace pdlcts {

bool Streams::contains(const std::string& stream) const {
    return std::find(names_.begin(), names_.end(), stream) != names_.end();
}

void Streams::declare(Cursor& cursor) {
    if (std::exchange(declared_, true)) {
        cursor.fail("a second stream line", "all streams on one line");
    }
    cursor.accept_word("stream");
    named_ = true;
    do {
        const Cursor at = cursor;
        std::string stream = cursor.name("a stream");
        if (contains(stream)) {
            at.fail("a stream is declared twice", "another name");
        }
        names_.push_back(std::move(stream));
    } while (cursor.accept(","));
    cursor.expect_end("stream");
}

std::string Streams::read(Cursor& cursor) {
    const Cursor at = cursor;
    std::string stream = cursor.name("a stream");
    if (!contains(stream)) {
        if (declared_) {
            at.fail("undeclared stream", "a stream of the stream line");
        }
        names_.push_back(stream);
    }
    return stream;
}

void Streams::check_rule(const Cursor& at, bool names_stream) {
    if (named_.value_or(names_stream) != names_stream) {
        at.fail(names_stream ? "this operation names its stream, an earlier one does not"
                             : "this operation does not name its stream, an earlier line does",
                names_stream ? "no 'on', or 'on' in every operation" : "'on', or no stream in any line");
    }
    named_ = names_stream;
}

std::string Streams::read_on(Cursor& cursor) {
    check_rule(cursor, cursor.peek_word() == "on");
    std::string stream = cursor.accept_word("on") ? read(cursor) : only_stream;
    cursor.expect_end("the operation");
    return stream;
}

std::vector<std::string> Streams::names() const {
    return names_.empty() ? std::vector<std::string>{only_stream} : names_;
}

} // namespace pdlcts
