// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/support/result.hpp"
#include "reports/site/address.hpp"

#include <string>
#include <string_view>
#include <variant>

namespace pdlcts::site {

/// The folder that a site is written into: a new one, or one that holds an earlier site. Files that stand there and are
/// none of the site's are left alone; a file of the site takes the place of what has its name, and is never written
/// through a link. Several threads may write at once.
class Folder {
public:
    /// Makes the folders. An error: a file or a link stands where a folder has to be, or it cannot be made.
    static Result<Folder> open(const std::string& path);

    /// Makes the folder of a column's pages.
    Result<std::monostate> make_folder_of(const Address& page) const;
    Result<std::monostate> write(const Address& page, std::string_view text) const;

private:
    explicit Folder(std::string path) : path_(std::move(path)) {}
    std::string path_;
};

} // namespace pdlcts::site
