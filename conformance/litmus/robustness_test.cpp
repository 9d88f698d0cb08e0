// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/outcome.hpp"
#include "conformance/litmus/parser.hpp"
#include "conformance/litmus/printer.hpp"
#include "conformance/litmus/random_litmus.hpp"
#include "conformance/litmus/words.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace pdlcts;

namespace {

std::string reference_page() {
    std::ifstream file(std::string(PDLCTS_SOURCE_DIR) + "/cases/README.md");
    REQUIRE(file);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<std::string> reference_examples() {
    const std::string page = reference_page();
    const std::string opening = "```litmus\n";
    std::vector<std::string> examples;
    for (std::size_t at = page.find(opening); at != std::string::npos; at = page.find(opening, at)) {
        at += opening.size();
        examples.push_back(page.substr(at, page.find("```", at) - at));
    }
    return examples;
}

/// Whether an error has the form that every tool of the project relies on.
bool is_well_formed(const std::string& message) {
    std::size_t position = 0;
    const auto skip = [&](std::string_view text) {
        const bool there = message.compare(position, text.size(), text) == 0;
        position += text.size();
        return there;
    };
    const auto skip_number = [&] {
        const std::size_t end = message.find_first_not_of("0123456789", position);
        const bool there = end != std::string::npos && end > position && message[position] != '0';
        position = end;
        return there;
    };
    return skip("f:") && skip_number() && skip(":") && skip_number() && skip(": ") &&
           message.find("; expected ", position) != std::string::npos &&
           message.find(", found ", position) != std::string::npos;
}

/// Nothing, or what is wrong with the parser's answer to a text.
std::string complaint(const Result<Litmus>& litmus) {
    if (!litmus) {
        return is_well_formed(litmus.error().message) ? "" : "ill-formed error: " + litmus.error().message;
    }
    const auto again = parse_litmus(print(*litmus), "again");
    if (!again) {
        return "what was printed is refused: " + again.error().message;
    }
    return *again == *litmus ? "" : "what was printed reads back as another value";
}

unsigned below(std::mt19937& random, std::size_t size) {
    return static_cast<unsigned>(random() % size);
}

/// Bytes changed, put in or taken out; words of the language put in; stretches doubled or moved.
std::string mutated(std::string text, const std::vector<std::string>& seeds, std::mt19937& random) {
    static const char* const words[] = {"-",
                                        "+",
                                        "#",
                                        "\n",
                                        "->",
                                        "any ",
                                        "all ",
                                        "exit\n",
                                        "bar.sync\n",
                                        "==",
                                        "(",
                                        ")",
                                        "..",
                                        ".",
                                        "0",
                                        "1",
                                        "4294967296",
                                        "within 1us",
                                        "on s",
                                        "&&",
                                        "||",
                                        "pss ",
                                        "ends\n",
                                        "\r\n",
                                        "thread 0:\n",
                                        "\xc3\xa9",
                                        "<<<1, 1>>>",
                                        "[2]",
                                        "{",
                                        "}",
                                        "@1",
                                        ":u8",
                                        ".v2",
                                        "cluster 2",
                                        "sync device\n",
                                        "sync stream\n",
                                        "read h -> q\n",
                                        "      write h, 1\n",
                                        "host f\n",
                                        "shared s = 0\n",
                                        "mbarrier m = 1\n",
                                        "host_memory h = 0\n",
                                        "barrier.cluster.wait.acquire\n",
                                        "bar.sync 1, 32\n",
                                        "cp.async.bulk.commit_group\n"};
    for (unsigned edits = 1 + below(random, 3); edits > 0; --edits) {
        const std::size_t at = below(random, text.size() + 1);
        const std::size_t length = std::min<std::size_t>(text.size() - at, 1 + below(random, 20));
        switch (below(random, 6)) {
        case 0:
            if (at < text.size()) {
                text[at] = static_cast<char>(below(random, 2) == 0 ? random() : ' ' + random() % 95);
            }
            break;
        case 1:
            text.erase(at, 1 + below(random, 3));
            break;
        case 2:
            text.erase(at, length);
            break;
        case 3:
            text.insert(at, words[below(random, std::size(words))]);
            break;
        case 4:
            text.insert(below(random, text.size() + 1), text.substr(at, length));
            break;
        default:
            const std::string& other = seeds[below(random, seeds.size())];
            text = text.substr(0, at) + other.substr(below(random, other.size()));
        }
    }
    return text;
}

std::string random_bytes(std::mt19937& random) {
    std::string text(below(random, 80), ' ');
    for (char& byte : text) {
        byte = static_cast<char>(random());
    }
    return text;
}

} // namespace

TEST_CASE("every example of the language reference is a file with a canonical form") {
    const auto examples = reference_examples();
    CHECK(examples.size() >= 13);
    for (const std::string& example : examples) {
        CAPTURE(example);
        const auto litmus = parse_litmus(example, "cases/README.md");
        REQUIRE_MESSAGE(litmus, litmus.error().message);
        CHECK(litmus->control);
        CHECK(complaint(litmus) == "");
    }
}

TEST_CASE("the language reference shows an error as it is, and all words that cannot be names") {
    const std::string page = reference_page();
    std::string example = reference_examples().at(1);
    example.replace(example.find("await started"), 13, "await startd");
    const auto litmus = parse_litmus(example, "withholding.litmus");
    REQUIRE_FALSE(litmus);
    CHECK(page.find("\n    " + litmus.error().message + "\n") != std::string::npos);

    const std::size_t begin = page.find("`all any ");
    REQUIRE(begin != std::string::npos);
    std::istringstream words(page.substr(begin + 1, page.find('`', begin + 1) - begin - 1));
    const std::vector<std::string> listed{std::istream_iterator<std::string>(words), {}};
    CHECK(listed == std::vector<std::string>(std::begin(keywords), std::end(keywords)));
}

TEST_CASE("no input crashes the parser") {
    std::vector<std::string> seeds = reference_examples();
    std::mt19937 random(20261201);
    while (seeds.size() < 60) {
        std::string seed = print(random_litmus(random));
        if (seed.size() < 600) { // small files: more mutants a second
            seeds.push_back(std::move(seed));
        }
    }
    std::string first_complaint;
    int read = 0;
    for (int round = 0; round < 100'000 && first_complaint.empty(); ++round) {
        const std::string text =
            round % 5 == 0 ? random_bytes(random) : mutated(seeds[below(random, seeds.size())], seeds, random);
        const auto litmus = parse_litmus(text, "f");
        // Printing costs more than reading: an eighth of the mutants that are files is plenty.
        if (litmus && ++read % 8 != 0) {
            continue;
        }
        first_complaint = complaint(litmus);
        if (!first_complaint.empty()) {
            first_complaint += "\n" + text;
        }
    }
    CHECK(first_complaint == "");
    CHECK(read > 4000);
}

TEST_CASE("no condition and no outcome crashes its parser") {
    const std::vector<std::string> seeds = {"a == 1 && (any b != 2 || all c == 3)", "(a == 1 || b == 2) && c == 3",
                                            "overlapped=1 seen=0 seen=other", "-"};
    std::mt19937 random(20261202);
    bool same = true;
    for (int round = 0; round < 20'000; ++round) {
        const std::string text = mutated(seeds[below(random, seeds.size())], seeds, random);
        if (const auto condition = parse_condition(text)) {
            same = same && *parse_condition(print(*condition)) == *condition;
        }
        const auto outcome = parse_outcome(text);
        if (outcome) {
            same = same && *parse_outcome(print(*outcome)) == *outcome;
        }
        same = same && is_printed_outcome(text) == (outcome && print(*outcome) == text);
    }
    CHECK(same);
}

TEST_CASE("files at the limit of their size are read in good time") {
    const auto repeated = [](std::string head, auto line) {
        for (int index = 0; head.size() < largest_litmus_file - 100; ++index) {
            head += line(index);
        }
        return head;
    };
    const std::string one_grid = "grid a <<<2147483647, 1024>>>\n";
    const auto number = [](int index) { return std::to_string(index); };
    const std::string files[] = {
        repeated(one_grid, [&](int i) { return std::string("block ").append(number(i)) + " thread 1:\n"; }) + "ends\n",
        repeated(one_grid + "thread 0:\n", [](int i) { return i % 2 ? "-wait\n" : "+exit\n"; }) + "ends\n",
        repeated("", [&](int i) { return "grid g" + number(i) + "<<<1,1>>>on s" + number(i) + "\n"; }) + "ends\n",
        repeated("memory x = 0", [&](int i) { return ",a" + number(i) + "=1"; }) + "\n" + one_grid + "ends\n",
        repeated("checks a", [&](int i) { return std::string(",").append(number(i)); }) + "\n" + one_grid + "ends\n",
        repeated("memory x = 0\n" + one_grid + "thread 0:\nld.weak x -> r\nnever r == 1",
                 [](int i) { return i % 2 ? " && r == 1" : " || r == 1"; }) +
            "\n",
        // The rules of a whole grid: agents with a named barrier each, with a cluster barrier and a rank, with copies.
        repeated(one_grid, [&](int i) { return "block " + number(i) + " thread 1:\nbar.sync 1, 32\n"; }) + "ends\n",
        repeated("grid a <<<2147483646, 1024>>> cluster 2\nshared s = 0\n",
                 [&](int i) {
                     return "block " + number(i) + " thread 1:\nst.weak s@1, 1\nbarrier.cluster.arrive.release\n" +
                            "barrier.cluster.wait.acquire\n";
                 }) +
            "ends\n",
        repeated("memory x[4] = 0\n" + one_grid + "shared t[4] = 0\nthread 0:\n",
                 [](int) { return "cp.async.bulk.global.shared x,t\n"; }) +
            "cp.async.bulk.commit_group\ncp.async.bulk.wait_group 0\nends\n",
        repeated("memory a[64] = 0", [&](int i) { return ",v" + number(i) + "[64]=0"; }) + "\n" + one_grid + "ends\n",
        repeated("host_memory h = 0\n", [&](int i) { return "host f" + number(i) + "\n write h,1\n"; }) + one_grid +
            "ends\n",
        std::string(largest_litmus_file, '\n'),
        std::string(largest_litmus_file, '-'),
        "never " + std::string(largest_litmus_file - 6, '('),
    };
    int read = 0;
    for (const std::string& file : files) {
        const auto litmus = parse_litmus(file, "f");
        CHECK((litmus || is_well_formed(litmus.error().message)));
        if (litmus) {
            CHECK(print(*litmus).size() > largest_litmus_file / 2);
            ++read;
        }
    }
    CHECK(read >= 9);
}
