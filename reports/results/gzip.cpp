// SPDX-License-Identifier: Apache-2.0
#include "reports/results/gzip.hpp"

#include "conformance/support/concat.hpp"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

namespace pdlcts {
namespace {

constexpr int gzip_window = 15 + 16; // the largest window, and gzip's frame around it

/// A stream of zlib that is closed at the end.
template <int (*close)(z_stream*)>
struct Stream {
    z_stream zlib{};
    Stream() = default;
    ~Stream() { static_cast<void>(close(&zlib)); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
};

void give(z_stream& stream, std::string_view bytes) {
    // zlib does not write to it; its interface is older than const.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
}

} // namespace

bool is_gzip(std::string_view bytes) {
    return bytes.starts_with("\x1f\x8b");
}

Result<std::string> gunzip(std::string_view bytes, std::string_view file_name, std::size_t largest) {
    const auto refused = [&](std::string_view why) { return Error{concat(file_name, ": ", why)}; };
    if (bytes.size() > std::numeric_limits<uInt>::max()) {
        return refused("more than 4 GiB of compressed data");
    }
    Stream<inflateEnd> stream;
    if (inflateInit2(&stream.zlib, gzip_window) != Z_OK) {
        throw std::bad_alloc();
    }
    give(stream.zlib, bytes);
    std::string text;
    while (true) {
        const std::size_t used = text.size();
        // One byte more than is allowed shows that there is more.
        const std::size_t room = std::min(std::max<std::size_t>(used, 4 * bytes.size() + 4096), largest + 1 - used);
        text.resize(used + room);
        stream.zlib.next_out = reinterpret_cast<Bytef*>(text.data() + used);
        stream.zlib.avail_out = static_cast<uInt>(room);
        const int state = inflate(&stream.zlib, Z_NO_FLUSH);
        text.resize(text.size() - stream.zlib.avail_out);
        if (text.size() > largest) {
            return refused(concat("unpacked it is larger than ", largest, " bytes, which is the most"));
        }
        if (state == Z_STREAM_END) {
            if (stream.zlib.avail_in == 0) {
                return text;
            }
            if (inflateReset(&stream.zlib) != Z_OK) {
                throw std::bad_alloc();
            }
        } else if (state == Z_MEM_ERROR) {
            throw std::bad_alloc();
        } else if (state == Z_OK && stream.zlib.avail_out == 0) {
            continue;
        } else if (state == Z_OK || state == Z_BUF_ERROR) {
            return refused("compressed data that ends too early");
        } else {
            return refused("compressed data that is damaged, or no gzip");
        }
    }
}

std::string gzip(std::string_view text) {
    Stream<deflateEnd> stream;
    if (deflateInit2(&stream.zlib, Z_BEST_COMPRESSION, Z_DEFLATED, gzip_window, 9, Z_DEFAULT_STRATEGY) != Z_OK) {
        throw std::bad_alloc();
    }
    give(stream.zlib, text);
    std::string bytes(deflateBound(&stream.zlib, static_cast<uLong>(text.size())), '\0');
    stream.zlib.next_out = reinterpret_cast<Bytef*>(bytes.data());
    stream.zlib.avail_out = static_cast<uInt>(bytes.size());
    if (deflate(&stream.zlib, Z_FINISH) != Z_STREAM_END) {
        throw std::bad_alloc();
    }
    bytes.resize(bytes.size() - stream.zlib.avail_out);
    return bytes;
}

} // namespace pdlcts
