// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/pack.hpp"

#include <type_traits>

namespace pdlcts::machine {
namespace {

/// Writes numbers, seven bits a byte: most numbers of a state are small.
struct Writer {
    std::string& bytes;
    std::size_t used = 0;

    template <typename Number>
    void number(const Number& number) {
        auto rest = static_cast<std::uint64_t>(number);
        if (used + 10 > bytes.size()) {
            bytes.resize(bytes.size() * 2 + 64);
        }
        char* to = bytes.data() + used;
        while (rest >= 0x80) {
            *to++ = static_cast<char>(rest | 0x80);
            rest >>= 7;
        }
        *to++ = static_cast<char>(rest);
        used = static_cast<std::size_t>(to - bytes.data());
    }
    template <typename List>
    void size(const List& list) {
        number(list.size());
    }
};

struct Reader {
    std::string_view bytes;
    std::size_t position = 0;

    std::uint64_t next() {
        std::uint64_t result = 0;
        for (unsigned shift = 0;; shift += 7) {
            const auto byte = static_cast<unsigned char>(bytes[position++]);
            result |= std::uint64_t{byte & 0x7fU} << shift;
            if (byte < 0x80) {
                return result;
            }
        }
    }
    template <typename Number>
    void number(Number& number) {
        number = static_cast<Number>(next());
    }
    template <typename List>
    void size(List& list) {
        list.resize(next());
    }
};

// One description of what a state consists of, for writing and for reading: `Archive` is Writer or Reader, and the
// values are const for the one.

template <typename Archive, typename Number>
requires(std::is_arithmetic_v<std::remove_const_t<Number>> ||
         std::is_enum_v<std::remove_const_t<Number>>) void pass(Archive& archive, Number& number) {
    archive.number(number);
}

template <typename Archive, typename List>
requires requires(List& list) {
    list.begin()->key;
}
void pass(Archive& archive, List& view) {
    archive.size(view);
    for (auto& entry : view) {
        archive.number(entry.key);
        archive.number(entry.place);
    }
}

template <typename Archive, typename List, typename Function>
void each(Archive& archive, List& list, const Function& function) {
    archive.size(list);
    for (auto& element : list) {
        function(element);
    }
}

template <typename Archive, typename R>
void release(Archive& archive, R& release) {
    pass(archive, release.who);
    pass(archive, release.scope);
    pass(archive, release.view);
}

template <typename Archive, typename List>
void releases(Archive& archive, List& list) {
    each(archive, list, [&](auto& one) { release(archive, one); });
}

template <typename Archive, typename T>
void thread(Archive& archive, T& thread) {
    pass(archive, thread.performed);
    pass(archive, thread.known);
    each(archive, thread.acquirable, [&](auto& acquirable) {
        pass(archive, acquirable.last);
        pass(archive, acquirable.cell);
        release(archive, acquirable.release);
        pass(archive, acquirable.unfinished);
    });
    each(archive, thread.published, [&](auto& published) {
        pass(archive, published.cell);
        pass(archive, published.scope);
        pass(archive, published.view);
    });
    each(archive, thread.ahead, [&](auto& ahead) {
        pass(archive, ahead.first);
        pass(archive, ahead.second);
    });
    each(archive, thread.unfinished, [&](auto& unfinished) {
        pass(archive, unfinished.first);
        pass(archive, unfinished.second.key);
        pass(archive, unfinished.second.place);
    });
}

template <typename Archive, typename T>
void message(Archive& archive, T& message) {
    pass(archive, message.value);
    pass(archive, message.strong);
    pass(archive, message.scope);
    pass(archive, message.who);
    pass(archive, message.atomic);
    pass(archive, message.read);
    pass(archive, message.ahead);
    pass(archive, message.unfinished);
    each(archive, message.unrelated, [&](auto& place) { pass(archive, place); });
    each(archive, message.never_before, [&](auto& place) { pass(archive, place); });
    releases(archive, message.releases);
}

template <typename Archive, typename List>
void messages(Archive& archive, List& list) {
    each(archive, list, [&](auto& one) { message(archive, one); });
}

template <typename Archive, typename List>
void gathered(Archive& archive, List& list) {
    each(archive, list, [&](auto& one) {
        pass(archive, one.arrived);
        pass(archive, one.view);
    });
}

template <typename Archive, typename B>
void block(Archive& archive, B& block) {
    pass(archive, block.block_class);
    pass(archive, block.triggered);
    each(archive, block.roles, [&](auto& threads) {
        each(archive, threads, [&](auto& counted) {
            pass(archive, counted.second);
            thread(archive, counted.first);
        });
    });
    gathered(archive, block.gathered);
    each(archive, block.copied, [&](auto& view) { pass(archive, view); });
}

template <typename Archive, typename S>
void shared(Archive& archive, S& state) {
    each(archive, state.nodes, [&](auto& node) {
        pass(archive, node.begun);
        pass(archive, node.triggered_or_exited);
        pass(archive, node.exited);
        pass(archive, node.completion);
        pass(archive, node.trigger_gpu);
        pass(archive, node.trigger_sys);
        pass(archive, node.told_apart);
    });
    each(archive, state.memory, [&](auto& written) { messages(archive, written); });
    each(archive, state.mbarriers, [&](auto& mbarrier) {
        pass(archive, mbarrier.pending);
        pass(archive, mbarrier.bytes);
        pass(archive, mbarrier.odd);
        releases(archive, mbarrier.arriving);
        releases(archive, mbarrier.completed);
    });
    each(archive, state.clusters, [&](auto& cluster) { gathered(archive, cluster); });
    releases(archive, state.sc_fences);
}

template <typename Archive, typename S>
void whole(Archive& archive, S& state) {
    shared(archive, state);
    each(archive, state.blocks, [&](auto& counted) {
        pass(archive, counted.second);
        block(archive, counted.first);
    });
    each(archive, state.results, [&](auto& result) {
        pass(archive, result.first);
        pass(archive, result.second);
    });
}

} // namespace

void pack(const State& state, std::string& bytes) {
    Writer writer{bytes};
    whole(writer, state);
    bytes.resize(writer.used);
}

State unpack(std::string_view bytes) {
    Reader reader{bytes};
    State state;
    whole(reader, state);
    return state;
}

void pack(const Shared& all_shared, std::string& bytes) {
    Writer writer{bytes};
    shared(writer, all_shared);
    bytes.resize(writer.used);
}

void pack(const Messages& writes, std::string& bytes) {
    Writer writer{bytes};
    messages(writer, writes);
    bytes.resize(writer.used);
}

void pack(const Block& one, std::string& bytes) {
    Writer writer{bytes};
    block(writer, one);
    bytes.resize(writer.used);
}

} // namespace pdlcts::machine
