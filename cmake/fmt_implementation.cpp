// SPDX-License-Identifier: Apache-2.0
// The {fmt} library, compiled once. Debian ships it as headers and as a shared library: the first takes seconds in every
// file, and the program may not need the second.
#include <fmt/format-inl.h>

namespace fmt::detail {

template locale_ref::locale_ref(const std::locale&);
template std::locale locale_ref::get<std::locale>() const;
template thousands_sep_result<char> thousands_sep_impl(locale_ref);
template char decimal_point_impl(locale_ref);
template void buffer<char>::append(const char*, const char*);
template void vformat_to(buffer<char>&, string_view, basic_format_args<buffer_context<char>>, locale_ref);
template dragonbox::decimal_fp<float> dragonbox::to_decimal(float) noexcept;
template dragonbox::decimal_fp<double> dragonbox::to_decimal(double) noexcept;

} // namespace fmt::detail
