// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/pack.hpp"

namespace pdlcts::machine {

namespace {

/// Seven bits a byte: most numbers of a state are small.
void put(std::string& bytes, std::uint64_t number) {
    while (number >= 0x80) {
        bytes.push_back(static_cast<char>(number | 0x80));
        number >>= 7;
    }
    bytes.push_back(static_cast<char>(number));
}

void put(std::string& bytes, const View& view) {
    put(bytes, view.size());
    for (const std::uint16_t place : view) {
        put(bytes, std::uint64_t{place});
    }
}

struct Reader {
    const std::string& bytes;
    std::size_t position = 0;

    std::uint64_t number() {
        std::uint64_t result = 0;
        for (unsigned shift = 0;; shift += 7) {
            const auto byte = static_cast<unsigned char>(bytes[position++]);
            result |= std::uint64_t{byte & 0x7fU} << shift;
            if (byte < 0x80) {
                return result;
            }
        }
    }
    View view() {
        View result(number());
        for (std::uint16_t& place : result) {
            place = static_cast<std::uint16_t>(number());
        }
        return result;
    }
};

void put(std::string& bytes, const Knowledge& knowledge) {
    put(bytes, knowledge.causal);
    for (std::size_t level = 0; level < level_count; ++level) {
        put(bytes, knowledge.acquirable[level]);
        put(bytes, knowledge.released[level]);
    }
}

Knowledge get_knowledge(Reader& reader) {
    Knowledge knowledge;
    knowledge.causal = reader.view();
    for (std::size_t level = 0; level < level_count; ++level) {
        knowledge.acquirable[level] = reader.view();
        knowledge.released[level] = reader.view();
    }
    return knowledge;
}

void put(std::string& bytes, const Thread& thread) {
    put(bytes, thread.performed);
    put(bytes, thread.known);
    put(bytes, thread.coherent);
    put(bytes, thread.ahead.size());
    for (const auto& [operation, learned] : thread.ahead) {
        put(bytes, std::uint64_t{operation});
        put(bytes, learned);
    }
}

Thread get_thread(Reader& reader) {
    Thread thread;
    thread.performed = reader.number();
    thread.known = get_knowledge(reader);
    thread.coherent = reader.view();
    thread.ahead.resize(reader.number());
    for (auto& [operation, learned] : thread.ahead) {
        operation = static_cast<std::uint8_t>(reader.number());
        learned = get_knowledge(reader);
    }
    return thread;
}

void put(std::string& bytes, const Message& message) {
    put(bytes, std::uint64_t{message.value});
    put(bytes, std::uint64_t{message.strong} | std::uint64_t{message.atomic} << 1 |
                   static_cast<std::uint64_t>(message.scope) << 2);
    put(bytes, std::uint64_t{message.read});
    put(bytes, std::uint64_t{message.block});
    put(bytes, message.released);
    put(bytes, message.released_in_block.size());
    for (const auto& [block, released] : message.released_in_block) {
        put(bytes, std::uint64_t{block});
        put(bytes, released);
    }
}

Message get_message(Reader& reader) {
    Message message;
    message.value = static_cast<std::uint32_t>(reader.number());
    const std::uint64_t flags = reader.number();
    message.strong = (flags & 1) != 0;
    message.atomic = (flags & 2) != 0;
    message.scope = static_cast<Scope>(flags >> 2);
    message.read = static_cast<std::uint16_t>(reader.number());
    message.block = static_cast<std::uint16_t>(reader.number());
    message.released = reader.view();
    message.released_in_block.resize(reader.number());
    for (auto& [block, released] : message.released_in_block) {
        block = static_cast<std::uint16_t>(reader.number());
        released = reader.view();
    }
    return message;
}

} // namespace

std::string pack(const State& state) {
    std::string bytes;
    bytes.reserve(128);
    put(bytes, state.blocks.size());
    for (const auto& [block, blocks] : state.blocks) {
        put(bytes, std::uint64_t{blocks});
        put(bytes, std::uint64_t{block.block_class} << 1 | std::uint64_t{block.triggered});
        for (const Counted<Thread>& threads : block.roles) {
            put(bytes, threads.size());
            for (const auto& [thread, count] : threads) {
                put(bytes, std::uint64_t{count});
                put(bytes, thread);
            }
        }
    }
    for (const NodeState& node : state.nodes) {
        put(bytes, std::uint64_t{node.triggered_or_exited} << 1 | std::uint64_t{node.begun});
        put(bytes, std::uint64_t{node.exited});
        put(bytes, node.completion);
        put(bytes, node.trigger);
    }
    for (const std::vector<Message>& messages : state.memory) {
        put(bytes, messages.size());
        for (const Message& message : messages) {
            put(bytes, message);
        }
    }
    put(bytes, state.sc_fences);
    put(bytes, state.results.size());
    for (const auto& [result, value] : state.results) {
        put(bytes, static_cast<std::uint64_t>(result));
        put(bytes, std::uint64_t{value});
    }
    return bytes;
}

State unpack(const Code& code, const std::string& bytes) {
    Reader reader{bytes};
    State state;
    state.blocks.resize(reader.number());
    for (auto& [block, blocks] : state.blocks) {
        blocks = static_cast<unsigned>(reader.number());
        const std::uint64_t head = reader.number();
        block.block_class = static_cast<std::uint16_t>(head >> 1);
        block.triggered = (head & 1) != 0;
        block.roles.resize(code.classes[block.block_class].roles.size());
        for (Counted<Thread>& threads : block.roles) {
            threads.resize(reader.number());
            for (auto& [thread, count] : threads) {
                count = static_cast<unsigned>(reader.number());
                thread = get_thread(reader);
            }
        }
    }
    for (std::size_t index = 0; index < code.nodes.size(); ++index) {
        NodeState node;
        const std::uint64_t head = reader.number();
        node.begun = (head & 1) != 0;
        node.triggered_or_exited = static_cast<unsigned>(head >> 1);
        node.exited = static_cast<unsigned>(reader.number());
        node.completion = reader.view();
        node.trigger = reader.view();
        state.nodes.push_back(std::move(node));
    }
    for (std::size_t index = 0; index < code.locations.size(); ++index) {
        const std::size_t count = reader.number();
        std::vector<Message> messages;
        for (std::size_t message = 0; message < count; ++message) {
            messages.push_back(get_message(reader));
        }
        state.memory.push_back(std::move(messages));
    }
    state.sc_fences = reader.view();
    const std::size_t results = reader.number();
    for (std::size_t index = 0; index < results; ++index) {
        const auto result = static_cast<int>(reader.number());
        state.results.emplace_back(result, static_cast<std::uint32_t>(reader.number()));
    }
    return state;
}

} // namespace pdlcts::machine
