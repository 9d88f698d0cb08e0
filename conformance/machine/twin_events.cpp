// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/twin_events.hpp"

#include "conformance/machine/twin_builder.hpp"

#include <algorithm>
#include <variant>

namespace pdlcts::twin {

// ---- nodes ---------------------------------------------------------------------------------------------------------

void Builder::grid(std::size_t node, const Grid& grid) {
    for (const Agent& agent : grid.agents) {
        for (unsigned block = agent.blocks.first; block <= agent.blocks.last && !too_many(); ++block) {
            for (unsigned index = agent.threads.first; index <= agent.threads.last && !too_many(); ++index) {
                Thread thread;
                thread.grid = &grid;
                thread.block = block;
                thread.place.node = node;
                thread.place.block = first_block_[node] + block;
                thread.place.cluster = first_block_[node] + block / grid.cluster;
                thread.place.thread = threads_++;
                thread.place.gpu_scope = gpu_scope(grid);
                for (const Instruction& each : agent.instructions) {
                    instruction(thread, each);
                }
            }
        }
    }
    for (std::size_t block = 0; block < grid.blocks; ++block) {
        std::map<std::size_t, std::size_t> first; // by thread
        for (std::size_t event = 0; event < code_.events.size(); ++event) {
            if (code_.events[event].trigger && code_.events[event].block == first_block_[node] + block) {
                first.try_emplace(code_.events[event].thread, event);
            }
        }
        if (!first.empty()) {
            Triggers& triggers = code_.triggers.emplace_back();
            std::transform(first.begin(), first.end(), std::back_inserter(triggers),
                           [](const auto& each) { return each.second; });
        }
    }
}

Event Builder::host_place(std::size_t node) {
    Event place;
    place.node = node;
    place.thread = threads_++;
    return place;
}

void Builder::host_instruction(Thread& thread, const HostInstruction& instruction) {
    std::visit(Overloaded{[&](const HostRead& read) {
                              Event event = access(thread, read.element, Ordering::acquire, Scope::sys);
                              event.reads = true;
                              event.result = read.result;
                              step(thread, {add(event)});
                          },
                          [&](const HostWrite& write) {
                              Event event = access(thread, write.element, Ordering::release, Scope::sys);
                              event.writes = true;
                              event.value = write.value;
                              step(thread, {add(event)});
                          }},
               instruction);
}

/// memset and memcpy: weak writes of every element, unordered.
void Builder::whole_location(std::size_t node, const std::string& destination, const std::string* source, Value value) {
    for (unsigned position = 0; position < location(nullptr, destination).first.elements(); ++position) {
        Thread writer;
        writer.place = host_place(node);
        Event write = access(writer, {destination, position, {}}, Ordering::weak, Scope::sys);
        write.writes = true;
        write.value = value;
        if (source != nullptr) {
            Thread reader;
            reader.place = host_place(node);
            Event read = access(reader, {*source, position, {}}, Ordering::weak, Scope::sys);
            read.reads = true;
            write.copied_from = add(read);
            step(reader, {write.copied_from});
        }
        step(writer, {add(write)});
        if (source != nullptr) {
            time_.emplace_back(write.copied_from, writer.all.front());
        }
    }
}

/// When a node begins. Blocks have no events of their own: each begins as soon as it may, which keeps nothing from
/// coming late. So a block that has begun is its grid that has.
void Builder::depend(std::size_t node) {
    const std::size_t begin = code_.begin[node];
    std::size_t boundary = none;
    both(start_, begin);
    for (const Dependency& dependency : plan_.nodes[node].dependencies) {
        const std::size_t upstream = dependency.upstream;
        if (dependency.port == Port::full) {
            if (boundary == none) {
                boundary = point();
                code_.events[boundary].joins_proxies = true;
                both(boundary, begin);
            }
            both(complete_[upstream], boundary);
        } else if (dependency.type == DependencyType::programmatic) {
            time_.emplace_back(code_.begin[upstream], begin);
        }
        if (dependency.port == Port::programmatic) {
            // Blocks without a trigger exit; the others are decided at run time.
            for (std::size_t event = 0; event < code_.events.size(); ++event) {
                const Event& each = code_.events[event];
                if (each.node == upstream && each.issue == none &&
                    std::none_of(code_.triggers.begin(), code_.triggers.end(), [&](const Triggers& triggers) {
                        return code_.events[triggers.front()].block == each.block;
                    })) {
                    time_.emplace_back(event, begin);
                }
            }
        }
    }
}

void Builder::node(std::size_t node) {
    code_.begin.push_back(point());
    complete_.push_back(point());
    both(code_.begin[node], complete_[node]);
    first_block_.push_back(blocks_);
    depend(node);
    Thread host;
    host.place = host_place(node);
    code_.gpu_scopes.emplace_back();
    std::visit(Overloaded{[&](const Grid& each) {
                              code_.gpu_scopes.back() = gpu_scope(each);
                              blocks_ += each.blocks;
                              grid(node, each);
                          },
                          [&](const Memset& each) {
                              whole_location(node, each.location, nullptr,
                                             each.element(location(nullptr, each.location).first.width));
                          },
                          [&](const Memcpy& each) { whole_location(node, each.destination, &each.source, 0); },
                          [&](const HostFunction& each) {
                              for (const HostInstruction& instruction : each.instructions) {
                                  host_instruction(host, instruction);
                              }
                          },
                          [&](const HostRead& each) { host_instruction(host, each); },
                          [&](const HostWrite& each) { host_instruction(host, each); }, [](const auto&) {}},
               program_.operations[plan_.nodes[node].operation]);
}

std::optional<Code> Builder::code() {
    start_ = point();
    code_.events[start_].joins_proxies = true;
    for (std::size_t index = 0; index < plan_.nodes.size() && !too_many(); ++index) {
        node(index);
    }
    if (too_many()) {
        return std::nullopt;
    }
    for (const auto& [phase, waits] : cluster_waits_) {
        for (const auto& [arrival, releases] : cluster_arrivals_[phase]) {
            for (const std::size_t wait : waits) {
                time_.emplace_back(arrival, wait);
                if (releases) {
                    base_.emplace_back(arrival, wait);
                }
            }
        }
    }
    code_.base = code_.time = Order(code_.events.size());
    for (const auto& [earlier, later] : base_) {
        code_.base.add(earlier, later);
    }
    for (const auto& [earlier, later] : time_) {
        code_.time.add(earlier, later);
    }
    return std::move(code_);
}

std::optional<Code> spell_out(const Program& program, const Plan& plan) {
    return Builder(program, plan).code();
}

} // namespace pdlcts::twin
