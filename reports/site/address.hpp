// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/program.hpp"

#include <cstddef>
#include <string>
#include <string_view>

/// Where pages stand. Names of files are made of a whitelist of characters, whatever a results file says, and every
/// folder is one of this source.
namespace pdlcts::site {

/// Lower-case letters, digits, dots and hyphens; everything else is a hyphen, of which none stand beside another, at an
/// end or beside a dot, and no dot begins it or stands beside another. At most `longest` characters; `x` where nothing
/// is left.
std::string slug(std::string_view text, std::size_t longest = 60);

class Address;

Address front_page();
/// The matrix, in parts where there are many columns; part 0 is the front page.
Address matrix_page(std::size_t part);
Address statements_page();
Address statement_page(std::string_view id);
Address cases_page();
Address case_page(std::string_view id);
Address timeline_file(std::string_view case_id); ///< the picture of the case's page, as a file
Address reproducer_file(std::string_view case_id, Route route);
Address columns_page();
Address column_page(std::string_view column);  ///< by the column's name, which make_column gives
Address changes_page(std::string_view column); ///< against its predecessor
Address evidence_page(std::string_view column, std::string_view section);
Address differences_page();
Address machine_page();
Address guide_page();
Address asset(std::string_view name); ///< `site.css`
Address picture_file();               ///< the matrix at a glance

/// A file of the site, relative to its folder, and a place in it. Made by the functions above alone.
class Address {
public:
    const std::string& path() const { return path_; }
    const std::string& anchor() const { return anchor_; }
    /// A place on the page; slug makes its name.
    Address at(std::string_view anchor) const;
    bool operator==(const Address&) const = default;

private:
    explicit Address(std::string path) : path_(std::move(path)) {}
    std::string path_;
    std::string anchor_;

    friend Address front_page();
    friend Address matrix_page(std::size_t part);
    friend Address statements_page();
    friend Address statement_page(std::string_view id);
    friend Address cases_page();
    friend Address case_page(std::string_view id);
    friend Address timeline_file(std::string_view case_id);
    friend Address reproducer_file(std::string_view case_id, Route route);
    friend Address columns_page();
    friend Address column_page(std::string_view column);
    friend Address changes_page(std::string_view column);
    friend Address evidence_page(std::string_view column, std::string_view section);
    friend Address differences_page();
    friend Address machine_page();
    friend Address guide_page();
    friend Address asset(std::string_view name);
    friend Address picture_file();
};

/// `../` for each folder that a page stands in.
std::string root_from(const Address& page);

} // namespace pdlcts::site
