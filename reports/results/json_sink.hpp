// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/results/json.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

/// Writing JSON part by part, without a value of the whole: to a text, or beside a document that is compared with it.
namespace pdlcts {

/// Hears a JSON value. In an object each value follows its key.
class JsonSink {
public:
    virtual ~JsonSink() = default;
    JsonSink() = default;
    JsonSink(const JsonSink&) = delete;
    JsonSink& operator=(const JsonSink&) = delete;

    virtual void begin_object() = 0;
    virtual void end_object() = 0;
    virtual void begin_list() = 0;
    virtual void end_list() = 0;
    virtual void key(std::string_view key) = 0;
    virtual void null() = 0;
    virtual void boolean(bool value) = 0;
    virtual void whole(std::uint64_t value) = 0;
    virtual void negative(std::int64_t value) = 0; ///< below 0
    virtual void fraction(double value) = 0;       ///< finite
    virtual void text(std::string_view value) = 0; ///< UTF-8
};

/// Strings have to be UTF-8 and numbers finite: clean.hpp sees to both.
class JsonPrinter final : public JsonSink {
public:
    explicit JsonPrinter(JsonLayout layout) : layout_(layout) {}
    std::string take() && { return std::move(out_); }

    void begin_object() override { open('{'); }
    void end_object() override { close('}'); }
    void begin_list() override { open('['); }
    void end_list() override { close(']'); }
    void key(std::string_view key) override;
    void null() override;
    void boolean(bool value) override;
    void whole(std::uint64_t value) override;
    void negative(std::int64_t value) override;
    void fraction(double value) override;
    void text(std::string_view value) override;

private:
    JsonLayout layout_;
    std::string out_;
    std::size_t depth_ = 0;
    bool first_ = true; ///< nothing stands in the innermost container yet
    bool behind_key_ = false;

    bool breaks_lines() const;
    void new_line(std::size_t indentation);
    void separate();
    void open(char bracket);
    void close(char bracket);
};

// ---- shorthands ---------------------------------------------------------------------------------------------------

inline void put(JsonSink& out, bool value) {
    out.boolean(value);
}
inline void put(JsonSink& out, std::uint64_t value) {
    out.whole(value);
}
inline void put(JsonSink& out, unsigned value) {
    out.whole(value);
}
inline void put(JsonSink& out, std::int64_t value) {
    value < 0 ? out.negative(value) : out.whole(static_cast<std::uint64_t>(value));
}
inline void put(JsonSink& out, int value) {
    put(out, std::int64_t{value});
}
inline void put(JsonSink& out, double value) {
    out.fraction(value);
}
inline void put(JsonSink& out, std::string_view value) {
    out.text(value);
}
inline void put(JsonSink& out, const std::string& value) {
    out.text(value);
}
inline void put(JsonSink& out, const char* value) {
    out.text(value);
}
template <typename Value>
void put(JsonSink& out, const std::vector<Value>& values) {
    out.begin_list();
    for (const Value& value : values) {
        put(out, value);
    }
    out.end_list();
}
template <typename Value>
void put(JsonSink& out, const std::map<std::string, Value>& entries) {
    out.begin_object();
    for (const auto& [key, value] : entries) {
        out.key(key);
        put(out, value);
    }
    out.end_object();
}
/// The list of what `write_one` writes of each value.
template <typename Values, typename Write>
void put_each(JsonSink& out, const Values& values, const Write& write_one) {
    out.begin_list();
    for (const auto& value : values) {
        write_one(value);
    }
    out.end_list();
}
/// A key and its value.
template <typename Value>
void put(JsonSink& out, std::string_view key, const Value& value) {
    out.key(key);
    put(out, value);
}

} // namespace pdlcts
