// SPDX-License-Identifier: Apache-2.0
#include "harness/export/archive.hpp"

#include <algorithm>
#include <set>
#include <string_view>

namespace pdlcts {
namespace {

constexpr std::size_t block_bytes = 512;
constexpr std::size_t longest_name = 80;

bool is_safe(std::string_view name) {
    const auto is_harmless = [](char character) {
        return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
               (character >= '0' && character <= '9') || character == '.' || character == '-' || character == '_';
    };
    return !name.empty() && name.size() <= longest_name && name.front() != '.' &&
           std::all_of(name.begin(), name.end(), is_harmless);
}

/// Where the fields of a header begin, and how long they are.
struct Field {
    std::size_t offset;
    std::size_t bytes;
};
constexpr Field name_field{0, 100};
constexpr Field mode_field{100, 8};
constexpr Field owner_field{108, 8};
constexpr Field group_field{116, 8};
constexpr Field size_field{124, 12};
constexpr Field time_field{136, 12};
constexpr Field checksum_field{148, 8};
constexpr std::size_t type_offset = 156;
constexpr Field magic_field{257, 8};

void put(std::string& header, Field field, std::string_view text) {
    header.replace(field.offset, text.size(), text);
}

/// Octal digits with leading zeros; the field's last byte stays 0.
void put_octal(std::string& header, Field field, std::size_t number) {
    std::string digits(field.bytes - 1, '0');
    for (auto digit = digits.rbegin(); digit != digits.rend() && number != 0; ++digit, number /= 8) {
        *digit = static_cast<char>('0' + number % 8);
    }
    put(header, field, digits);
}

std::string header_of(const std::string& name, std::size_t bytes) {
    std::string header(block_bytes, '\0');
    put(header, name_field, name);
    put_octal(header, mode_field, 0644);
    put_octal(header, owner_field, 0);
    put_octal(header, group_field, 0);
    put_octal(header, size_field, bytes);
    put_octal(header, time_field, 0);
    header[type_offset] = '0';
    put(header, magic_field, std::string_view("ustar\00000", 8));
    // The sum of all bytes, with blanks in place of itself.
    put(header, checksum_field, "        ");
    std::size_t sum = 0;
    for (const char character : header) {
        sum += static_cast<unsigned char>(character);
    }
    put_octal(header, {checksum_field.offset, checksum_field.bytes - 1}, sum);
    header[checksum_field.offset + 6] = '\0';
    return header;
}

} // namespace

std::string packing_problem(const std::string& folder, std::span<const PackedFile> files) {
    std::set<std::string> names;
    std::size_t bytes = 0;
    if (!is_safe(folder)) {
        return "`" + folder + "` is no name for a folder of an archive";
    }
    for (const PackedFile& file : files) {
        if (!is_safe(file.name) || folder.size() + 1 + file.name.size() > name_field.bytes - 1) {
            return "`" + file.name + "` is no name for a file of an archive";
        }
        if (!names.insert(file.name).second) {
            return "two files are named " + file.name;
        }
        bytes += file.content.size();
    }
    return bytes > largest_archive ? "the files have more than " + std::to_string(largest_archive) + " bytes" : "";
}

Result<std::string> tar(const std::string& folder, std::span<const PackedFile> files) {
    if (std::string problem = packing_problem(folder, files); !problem.empty()) {
        return Error{std::move(problem)};
    }
    std::string archive;
    for (const PackedFile& file : files) {
        archive += header_of(folder + "/" + file.name, file.content.size());
        archive += file.content;
        archive.append((block_bytes - file.content.size() % block_bytes) % block_bytes, '\0');
    }
    archive.append(2 * block_bytes, '\0');
    return archive;
}

} // namespace pdlcts
