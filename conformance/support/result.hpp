// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace pdlcts {

/// A message for a person: what is wrong, where, and what to do. Where a file is at fault the text begins with
/// `file:line:column: `.
struct Error {
    std::string message;
    bool operator==(const Error&) const = default;
};

/// A value or the error that kept it from being made: for failures that a caller is expected to handle.
/// (C++20 has no std::expected.)
template <typename T>
class [[nodiscard]] Result {
public:
    Result(T value) : state_(std::move(value)) {}
    Result(Error error) : state_(std::move(error)) {}

    explicit operator bool() const { return state_.index() == 0; }
    const T& operator*() const& { return std::get<0>(state_); }
    T& operator*() & { return std::get<0>(state_); }
    /// By value: a reference into a temporary would dangle in a range-for.
    T operator*() && { return std::get<0>(std::move(state_)); }
    const T* operator->() const { return &std::get<0>(state_); }
    T* operator->() { return &std::get<0>(state_); }
    const Error& error() const { return std::get<1>(state_); }

private:
    std::variant<T, Error> state_;
};

/// Joins the call operators of several lambdas, for std::visit.
template <typename... Ts>
struct Overloaded : Ts... {
    using Ts::operator()...;
};
template <typename... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

} // namespace pdlcts
