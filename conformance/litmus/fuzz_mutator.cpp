// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/fuzz_mutator.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/litmus/random_litmus.hpp"
#include "conformance/litmus/words.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

namespace pdlcts {

namespace {

constexpr std::size_t largest_input = 1500; ///< bytes: small files are many files a second
constexpr std::size_t most_kept = 2000;

/// Every line of the language. `$` stands for a name of the text, `%` for a number, `?` for a register of its own.
constexpr std::string_view forms[] = {
    "memory $ = %, y[4] = {%, %, %, %}, b[16]:u8 = %, w[8]:u16 = %",
    "host_memory $ = %, hv[2] = %",
    "stream s, $",
    "grid $ <<<%, %>>>",
    "grid $ <<<8, 64>>> on $ peer pss cluster % priority -% domain remote shared_memory %",
    "grid $ <<<2, 32>>> cluster 2 pss = % programmatic_event $ at_block_start launch_completion_event $",
    "  shared $[%] = %, $:u16 = %",
    "  mbarrier $ = %",
    "  thread %:",
    "  block % threads 0..%:",
    "  blocks 0..% thread %:",
    "record $",
    "record $ on $",
    "wait_event $ on $",
    "wait_event $",
    "memset $, %",
    "memcpy $, $",
    "memcpy $, $ on $",
    "host $",
    "host $ on $",
    "      read $ -> ?",
    "      write $[%], %",
    "read $[%] -> ?",
    "write $, %",
    "sync stream",
    "sync stream on $",
    "sync event $",
    "sync device",
    "      trigger",
    "      wait",
    "      exit",
    "      bar.sync",
    "      bar.sync %, 32",
    "      bar.arrive 1, %",
    "      barrier.cluster.arrive.release",
    "      barrier.cluster.arrive.relaxed",
    "      barrier.cluster.wait.acquire",
    "      fence.acq_rel.cluster",
    "      fence.sc.gpu",
    "      fence.proxy.async",
    "      ld.weak.nc $ -> ?",
    "      ld.acquire.cta $[%] -> ?",
    "      ld.weak.v2 $[%] -> {?, ?}",
    "      ld.relaxed.sys.v4 $[%] -> {?, ?, ?, ?}",
    "      ld.weak $[%]@% -> ?",
    "      st.weak $, %",
    "      st.release.cluster $[%]@%, %",
    "      st.relaxed.gpu.v2 $[%], {%, %}",
    "      red.relaxed.gpu.xor $, %",
    "      red.release.cluster.add $@%, %",
    "      atom.acq_rel.sys.cas $, %, % -> ?",
    "      atom.relaxed.gpu.and $[%], % -> ?",
    "      await $ == % -> ? within 50us",
    "      await $[%] == % within %ns",
    "      mbarrier.arrive.release.cluster $@%",
    "      mbarrier.arrive.expect_tx.release.cta $, %",
    "      mbarrier.wait.acquire.cta $, % -> ? within 5us",
    "      cp.async.bulk.shared.global $, $, $",
    "      cp.async.bulk.global.shared $, $",
    "      cp.async.bulk.commit_group",
    "      cp.async.bulk.wait_group %",
    "      cp.async.bulk.wait_group.read 0",
    "      delay %ns",
    "never   $ == %",
    "sometimes any $ != % || ($ == % && all $ == %)",
    "armed   $ == %",
    "ends",
};

constexpr std::string_view numbers[] = {
    "0",    "0",     "0",     "0",      "1",       "1",          "1",          "1",          "2",
    "2",    "3",     "4",     "5",      "7",       "8",          "15",         "16",         "31",
    "32",   "33",    "63",    "64",     "65",      "100",        "101",        "255",        "256",
    "1023", "1024",  "1025",  "65535",  "65536",   "232448",     "1048575",    "1048576",    "2147483647",
    "00",   "00001", "12345", "232449", "9999999", "2147483648", "4294967294", "4294967295", "4294967296"};

constexpr std::string_view fragments[] = {
    "-",   "+",   "#",  "\n",  "\n\n",     " ",    "\t", "\r\n",  "->",   "any ", "all ",  "==",   "!=", "&&", "||",
    "(",   ")",   "..", ".",   "\xc3\xa9", ",",    ":",  "<<<",   ">>>",  "[",    "]",     "{",    "}",  "@",  ".v2",
    ".v4", ".ca", "@1", "[0]", ":u8",      ":u16", "= ", " on s", " pss", ".nc",  ".read", ".gpu", "~"};

/// [begin, end) of the runs of characters that belong to words.
std::vector<std::pair<std::size_t, std::size_t>> words_of(std::string_view text) {
    std::vector<std::pair<std::size_t, std::size_t>> words;
    for (std::size_t at = 0; at < text.size();) {
        if (!is_word_character(text[at])) {
            ++at;
            continue;
        }
        const std::size_t begin = at;
        while (at < text.size() && is_word_character(text[at])) {
            ++at;
        }
        words.emplace_back(begin, at);
    }
    return words;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) {
        text += line;
        text += '\n';
    }
    return text;
}

/// Comments cost time and teach nothing.
std::string without_comments(const std::string& text) {
    std::vector<std::string> lines = lines_of(text);
    std::erase_if(lines, [](const std::string& line) { return line.empty() || line.front() == '#'; });
    return joined(lines);
}

} // namespace

Mutator::Mutator(std::vector<std::string> corpus, std::uint32_t seed) : random_(seed), corpus_(std::move(corpus)) {
    for (std::string& text : corpus_) {
        text = without_comments(text);
    }
    std::erase_if(corpus_, [](const std::string& text) { return text.size() > largest_input; });
    while (corpus_.size() < 100) {
        corpus_.push_back(fresh());
    }
    given_ = corpus_.size();
    std::set<std::string> words(std::begin(keywords), std::end(keywords));
    for (const std::string& text : corpus_) {
        for (const auto& [begin, end] : words_of(text)) {
            if (!is_digit(text[begin])) {
                words.insert(text.substr(begin, end - begin));
            }
        }
    }
    words_.assign(words.begin(), words.end());
}

std::string Mutator::fresh() {
    for (;;) {
        std::string text = without_comments(print(random_litmus(random_)));
        if (text.size() <= largest_input) {
            return text;
        }
    }
}

void Mutator::keep(std::string text) {
    if (text.size() > largest_input) {
        return;
    }
    if (corpus_.size() < given_ + most_kept) {
        corpus_.push_back(std::move(text));
    } else {
        corpus_[given_ + choose_.below(most_kept)] = std::move(text);
    }
}

std::string Mutator::number() {
    return std::string(numbers[choose_.below(std::size(numbers))]);
}

std::string Mutator::name_in(const Lines& lines) {
    for (int tries = 0; tries < 4 && !lines.empty(); ++tries) {
        const std::string& line = choose_.pick(lines);
        const auto words = words_of(line);
        if (words.empty()) {
            continue;
        }
        const auto& [begin, end] = choose_.pick(words);
        const std::string_view word = std::string_view(line).substr(begin, end - begin);
        if (!is_digit(word.front()) && !is_keyword(word)) {
            return std::string(word);
        }
    }
    return choose_.pick(words_);
}

std::string Mutator::new_line(const Lines& lines) {
    std::string line;
    for (const char character : forms[choose_.below(std::size(forms))]) {
        if (character == '$') {
            line += name_in(lines);
        } else if (character == '%') {
            line += number();
        } else if (character == '?') {
            line += "q" + std::to_string(choose_.below(100'000));
        } else {
            line += character;
        }
    }
    return choose_.chance(10) ? choose_.pick({std::string("-"), std::string("+ ")}) + line : line;
}

void Mutator::change_bytes(std::string& text) {
    const std::size_t at = choose_.below(text.size() + 1);
    const std::size_t length = std::min<std::size_t>(text.size() - at, 1 + choose_.below(20));
    switch (choose_.below(4)) {
    case 0:
        if (at < text.size()) {
            text[at] = static_cast<char>(choose_.chance(50) ? choose_.below(256) : ' ' + choose_.below(95));
        }
        break;
    case 1:
        text.erase(at, length);
        break;
    case 2:
        text.insert(at, fragments[choose_.below(std::size(fragments))]);
        break;
    default:
        text.insert(choose_.below(text.size() + 1), text.substr(at, length));
    }
}

void Mutator::change_word(std::string& text) {
    const auto words = words_of(text);
    if (words.empty()) {
        return;
    }
    const auto& [begin, end] = choose_.pick(words);
    const auto& [other_begin, other_end] = choose_.pick(words);
    text.replace(begin, end - begin,
                 choose_.chance(50) ? text.substr(other_begin, other_end - other_begin) : choose_.pick(words_));
}

void Mutator::change_number(std::string& text) {
    auto words = words_of(text);
    std::erase_if(words, [&](const auto& word) { return !is_digit(text[word.first]); });
    if (!words.empty()) {
        const auto& [begin, end] = choose_.pick(words);
        text.replace(begin, end - begin, number());
    }
}

void Mutator::change_lines(Lines& lines) {
    if (lines.empty()) {
        lines.push_back(new_line(lines));
        return;
    }
    const auto at = static_cast<std::ptrdiff_t>(choose_.below(lines.size()));
    const std::string line = lines[static_cast<std::size_t>(at)];
    switch (choose_.below(8)) {
    case 0:
        lines.erase(lines.begin() + at);
        break;
    case 1:
        std::swap(lines[static_cast<std::size_t>(at)], lines[choose_.below(lines.size())]);
        break;
    case 2: {
        const Lines other = lines_of(choose_.pick(corpus_));
        lines.insert(lines.begin() + at, other.empty() ? line : choose_.pick(other));
        break;
    }
    case 3: {
        // The end of another file behind the beginning of this one.
        const Lines other = lines_of(choose_.pick(corpus_));
        lines.resize(static_cast<std::size_t>(at));
        lines.insert(lines.end(), other.begin() + static_cast<std::ptrdiff_t>(choose_.below(other.size() + 1)),
                     other.end());
        break;
    }
    case 4: {
        // A mark comes, goes or changes.
        const bool marked = line.starts_with('-') || line.starts_with('+');
        const char* const marks[] = {"", "-", "+", "- ", "+ "};
        lines[static_cast<std::size_t>(at)] = marks[choose_.below(std::size(marks))] + line.substr(marked ? 1 : 0);
        break;
    }
    default:
        lines.insert(lines.begin() + at, new_line(lines));
    }
}

std::string Mutator::next() {
    if (choose_.chance(1)) {
        return fresh();
    }
    std::string text = choose_.pick(corpus_);
    for (unsigned edits = 1 + choose_.below(3); edits > 0; --edits) {
        const unsigned kind = choose_.below(100);
        if (kind < 15) {
            change_bytes(text);
        } else if (kind < 35) {
            change_word(text);
        } else if (kind < 55) {
            change_number(text);
        } else {
            Lines lines = lines_of(text);
            change_lines(lines);
            text = joined(lines);
        }
    }
    if (text.size() > 2 * largest_input) {
        text.resize(2 * largest_input);
    }
    return text;
}

} // namespace pdlcts
