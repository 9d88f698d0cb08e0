// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/benchmarks/families.hpp"

#include "conformance/support/concat.hpp"

namespace pdlcts::spin {
namespace {

std::string agent(unsigned block, const std::vector<std::string>& instructions) {
    std::string text = concat("  block ", block, " thread 0:\n");
    for (const std::string& instruction : instructions) {
        text += concat("      ", instruction, "\n");
    }
    return text;
}

std::string words(unsigned count, std::string_view name) {
    std::string text;
    for (unsigned index = 0; index < count; ++index) {
        text += concat(index == 0 ? "" : ", ", name, index, " = 0");
    }
    return text;
}

/// Each block stores its word and then loads the next block's.
std::string store_buffering(unsigned blocks) {
    std::string text = concat("memory  ", words(blocks, "x"), "\n\ngrid kernel <<<", blocks, ", 32>>>\n");
    for (unsigned block = 0; block < blocks; ++block) {
        text += agent(block, {concat("st.relaxed.gpu x", block, ", 1"),
                              concat("ld.relaxed.gpu x", (block + 1) % blocks, " -> r", block)});
    }
    return text + "\nends\n";
}

/// One block publishes a word behind a flag, the others look for it.
std::string message_passing(unsigned readers) {
    std::string text = concat("memory  x = 0, flag = 0\n\ngrid kernel <<<", readers + 1, ", 32>>>\n");
    text += agent(0, {"st.weak x, 1", "st.release.gpu flag, 1"});
    for (unsigned reader = 1; reader <= readers; ++reader) {
        text += agent(reader, {concat("ld.acquire.gpu flag -> f", reader), concat("ld.weak x -> x", reader)});
    }
    return text + "\nends\n";
}

/// Two blocks write a word each; the others read both, every second one in the other order.
std::string independent_reads(unsigned readers) {
    std::string text = concat("memory  x = 0, y = 0\n\ngrid kernel <<<", readers + 2, ", 32>>>\n");
    text += agent(0, {"st.relaxed.gpu x, 1"});
    text += agent(1, {"st.relaxed.gpu y, 1"});
    for (unsigned reader = 0; reader < readers; ++reader) {
        const std::string first = reader % 2 == 0 ? "x" : "y";
        const std::string second = reader % 2 == 0 ? "y" : "x";
        text += agent(reader + 2, {concat("ld.relaxed.gpu ", first, " -> first", reader), "fence.sc.gpu",
                                   concat("ld.relaxed.gpu ", second, " -> second", reader)});
    }
    return text + "\nends\n";
}

/// Grids, each of which may start once the one before has triggered; each waits for it, and adds its word.
std::string chain(unsigned grids, bool waits) {
    std::string text = concat("memory  ", words(grids, "x"), "\n\n");
    for (unsigned grid = 0; grid < grids; ++grid) {
        text += concat("grid g", grid, " <<<1, 32>>>", grid == 0 ? "" : " pss", "\n  thread 0:\n      trigger\n");
        text += waits && grid > 0 ? "      wait\n" : "";
        text += concat("      st.weak x", grid, ", 1\n");
        text += grid > 0 ? concat("      ld.weak x", grid - 1, " -> r", grid, "\n") : "";
        text += "\n";
    }
    return text + "ends\n";
}

/// A class of blocks that count themselves, and a secondary that reads the count once it may start.
std::string class_of_blocks(unsigned blocks) {
    return concat(
        "memory  arrived = 0, started = 0\n\ngrid primary <<<", blocks, ", 32>>>\n", "  blocks 0..", blocks - 1,
        " thread 0:\n      trigger\n      red.relaxed.gpu.add arrived, 1\n      ld.relaxed.gpu started -> late\n",
        "\ngrid secondary <<<1, 32>>> pss\n  thread 0:\n      st.relaxed.sys started, 1\n      wait\n"
        "      ld.weak arrived -> count\n\nends\n");
}

/// Blocks that fetch and add one word, each with its own register.
std::string tickets(unsigned blocks) {
    std::string text = concat("memory  next = 0\n\ngrid kernel <<<", blocks, ", 32>>>\n");
    for (unsigned block = 0; block < blocks; ++block) {
        text += agent(block, {concat("atom.relaxed.gpu.add next, 1 -> r", block)});
    }
    return text + "\nends\n";
}

} // namespace

std::vector<Member> families() {
    std::vector<Member> members;
    const auto add = [&](const std::string& name, std::string text) { members.push_back({name, std::move(text)}); };
    for (unsigned blocks = 2; blocks <= 9; ++blocks) {
        add(concat("store buffering, ", blocks, " blocks"), store_buffering(blocks));
    }
    for (unsigned readers = 2; readers <= 8; readers += 2) {
        add(concat("message passing, ", readers, " readers"), message_passing(readers));
    }
    for (unsigned readers = 2; readers <= 6; ++readers) {
        add(concat("independent reads, ", readers, " readers"), independent_reads(readers));
    }
    for (unsigned grids = 2; grids <= 6; ++grids) {
        add(concat("chain that waits, ", grids, " grids"), chain(grids, true));
    }
    for (unsigned grids = 2; grids <= 6; ++grids) {
        add(concat("chain that does not wait, ", grids, " grids"), chain(grids, false));
    }
    for (unsigned blocks = 2; blocks <= 7; ++blocks) {
        add(concat("class of ", blocks, " blocks"), class_of_blocks(blocks));
    }
    for (unsigned blocks = 2; blocks <= 6; ++blocks) {
        add(concat("tickets, ", blocks, " blocks"), tickets(blocks));
    }
    return members;
}

} // namespace pdlcts::spin
