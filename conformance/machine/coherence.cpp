// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/coherence.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace pdlcts::machine {
namespace {

/// before[a][b]: a precedes b.
using Matrix = std::vector<std::vector<bool>>;

Matrix matrix_of(const Messages& messages) {
    Matrix matrix(messages.size(), std::vector<bool>(messages.size()));
    for (std::size_t later = 0; later < messages.size(); ++later) {
        for (std::size_t earlier = 0; earlier < later; ++earlier) {
            matrix[earlier][later] = true;
        }
        for (const std::uint16_t unrelated : messages[later].unrelated) {
            matrix[unrelated][later] = false;
        }
    }
    return matrix;
}

/// What two lists with the same writes have in common whatever they went through: equal orders become equal lists.
auto content(const Message& message) {
    return std::tuple(message.value, message.strong, message.scope, message.who, message.atomic);
}

/// A linear extension: of those that nothing unplaced precedes always the least.
std::vector<std::uint16_t> linear_extension(const Messages& messages, const Matrix& matrix) {
    std::vector<std::uint16_t> order;
    std::vector<bool> placed(messages.size());
    while (order.size() < messages.size()) {
        std::size_t best = messages.size();
        for (std::size_t candidate = 0; candidate < messages.size(); ++candidate) {
            bool open = !placed[candidate];
            for (std::size_t other = 0; open && other < messages.size(); ++other) {
                open = placed[other] || !matrix[other][candidate];
            }
            if (open && (best == messages.size() || content(messages[candidate]) < content(messages[best]))) {
                best = candidate;
            }
        }
        placed[best] = true;
        order.push_back(static_cast<std::uint16_t>(best));
    }
    return order;
}

/// A function that lets a view follow a cell's writes to their new places.
auto following(const Code& code, Cell cell, const std::vector<std::uint16_t>& new_place) {
    return [cells = code.cells.size(), cell, &new_place](View& view) {
        bool moved = false;
        for (Entry& entry : view) {
            const bool is_of_cell = entry.key == cell || entry.key == cells + cell || entry.key == 2 * cells + cell;
            if (is_of_cell && new_place[entry.place] != entry.place) {
                entry.place = new_place[entry.place];
                moved = true;
            }
        }
        if (moved) {
            std::sort(view.begin(), view.end());
            view.erase(std::unique(view.begin(), view.end()), view.end());
        }
    };
}

void move_places_of_threads(Counted<Block>& all_blocks, Cell cell, const std::vector<std::uint16_t>& new_place) {
    for (auto& [block, blocks] : all_blocks) {
        for (Counted<Thread>& threads : block.roles) {
            for (auto& [thread, count] : threads) {
                for (auto& [operation, entry] : thread.unfinished) {
                    if (entry.key == cell) {
                        entry.place = new_place[entry.place];
                    }
                }
                for (Acquirable& acquirable : thread.acquirable) {
                    if (acquirable.cell == cell) {
                        acquirable.unfinished = new_place[acquirable.unfinished];
                    }
                }
            }
        }
    }
}

/// Every view and every atomic of the state follows a cell's writes to their new places.
void move_along(const Code& code, State& state, Cell cell, const std::vector<std::uint16_t>& new_place) {
    const auto stays = [&](std::uint16_t place) { return new_place[place] == place; };
    const auto count = static_cast<std::uint16_t>(new_place.size());
    std::uint16_t first_moved = 0;
    while (first_moved < count && stays(first_moved)) {
        ++first_moved;
    }
    if (first_moved == count) {
        return;
    }
    if (state.elsewhere.has_blocks) {
        state.elsewhere.changes.push_back({Change::Kind::moved, cell, new_place, 0, {}});
    }
    for_each_view(state, following(code, cell, new_place));
    move_places_of_threads(state.blocks, cell, new_place);
    for (Message& message : state.memory[cell]) {
        message.read = message.atomic ? new_place[message.read] : message.read;
        for (std::uint16_t& known : message.never_before) {
            known = new_place[known];
        }
        std::sort(message.never_before.begin(), message.never_before.end());
    }
}

/// Orders a cell's writes, the last of which may be new, by a matrix. Returns the new places.
std::vector<std::uint16_t> arrange(const Code& code, State& state, Cell cell, const Matrix& matrix) {
    Messages& messages = state.memory[cell];
    const std::vector<std::uint16_t> order = linear_extension(messages, matrix);
    std::vector<std::uint16_t> new_place(messages.size());
    for (std::size_t place = 0; place < order.size(); ++place) {
        new_place[order[place]] = static_cast<std::uint16_t>(place);
    }
    move_along(code, state, cell, new_place);
    Messages arranged;
    arranged.reserve(messages.size());
    for (std::size_t place = 0; place < order.size(); ++place) {
        arranged.push_back(std::move(messages[order[place]]));
        arranged.back().unrelated.clear();
        for (std::size_t earlier = 0; earlier < place; ++earlier) {
            if (!matrix[order[earlier]][order[place]]) {
                arranged.back().unrelated.push_back(static_cast<std::uint16_t>(earlier));
            }
        }
    }
    messages = std::move(arranged);
    return new_place;
}

} // namespace

void follow_moved(const Code& code, Counted<Block>& blocks, Cell cell, const std::vector<std::uint16_t>& new_place) {
    for_each_view(blocks, following(code, cell, new_place));
    move_places_of_threads(blocks, cell, new_place);
}

bool precedes(const Messages& messages, std::uint16_t earlier, std::uint16_t later) {
    if (earlier >= later) {
        return false;
    }
    const std::vector<std::uint16_t>& unrelated = messages[later].unrelated;
    return unrelated.empty() || std::find(unrelated.begin(), unrelated.end(), earlier) == unrelated.end();
}

bool is_hidden(const Messages& messages, std::uint16_t place, const View& known, std::uint16_t key) {
    auto entry = std::lower_bound(known.begin(), known.end(), Entry{key, 0});
    for (; entry != known.end() && entry->key == key; ++entry) {
        if (precedes(messages, place, entry->place)) {
            return true;
        }
    }
    return false;
}

void for_each_order(const Messages& messages, const std::vector<bool>& before, const std::vector<bool>& behind,
                    const std::vector<bool>& strong, const std::vector<bool>& free,
                    const std::function<void(const Sides&)>& found) {
    const std::size_t count = messages.size();
    Sides sides(count, Side::unrelated);
    const auto place = [](std::size_t index) { return static_cast<std::uint16_t>(index); };
    // Everything precedes nothing that is before the new write without being before it itself.
    for (std::size_t later = count; later-- > 0;) {
        bool is_before = later == 0 || before[later];
        for (std::size_t other = later + 1; !is_before && other < count; ++other) {
            is_before = sides[other] == Side::before && precedes(messages, place(later), place(other));
        }
        sides[later] = is_before ? Side::before : Side::unrelated;
    }
    const std::function<void(std::size_t, const Sides&)> decide = [&](std::size_t index, const Sides& decided) {
        if (index == count) {
            found(decided);
            return;
        }
        bool is_behind = behind[index]; // or what precedes it is
        for (std::size_t other = 0; !is_behind && other < index; ++other) {
            is_behind = decided[other] == Side::behind && precedes(messages, place(other), place(index));
        }
        if (decided[index] == Side::before) {
            if (!is_behind) {
                decide(index + 1, decided);
            }
            return;
        }
        if (!is_behind && (strong[index] || free[index])) {
            Sides next = decided;
            next[index] = Side::before;
            bool possible = true;
            for (std::size_t other = 0; possible && other < index; ++other) {
                if (precedes(messages, place(other), place(index))) {
                    possible = next[other] != Side::behind;
                    next[other] = Side::before;
                }
            }
            if (possible) {
                decide(index + 1, next);
            }
        }
        if (is_behind || strong[index]) {
            Sides next = decided;
            next[index] = Side::behind;
            decide(index + 1, next);
        } else {
            decide(index + 1, decided);
        }
    };
    decide(0, sides);
}

std::uint16_t insert(const Code& code, State& state, Cell cell, const Sides& sides, Message message) {
    Messages& messages = state.memory[cell];
    const std::size_t added = messages.size();
    const bool total =
        std::all_of(messages.begin(), messages.end(), [](const Message& each) { return each.unrelated.empty(); }) &&
        std::none_of(sides.begin(), sides.end(), [](Side side) { return side == Side::unrelated; });
    messages.push_back(std::move(message));
    if (total) {
        // The usual case: one order of all.
        const auto place = static_cast<std::uint16_t>(std::count(sides.begin(), sides.end(), Side::before));
        if (place < added) {
            std::vector<std::uint16_t> new_place(added + 1);
            std::iota(new_place.begin(), new_place.end(), std::uint16_t{0});
            for (std::size_t other = place; other < added; ++other) {
                ++new_place[other];
            }
            new_place[added] = place;
            move_along(code, state, cell, new_place);
            std::rotate(messages.begin() + place, messages.end() - 1, messages.end());
        }
        return place;
    }
    Matrix matrix = matrix_of(messages);
    for (std::size_t other = 0; other < added; ++other) {
        matrix[other][added] = sides[other] == Side::before;
        matrix[added][other] = sides[other] == Side::behind;
        for (std::size_t behind = 0; sides[other] == Side::before && behind < added; ++behind) {
            matrix[other][behind] = matrix[other][behind] || sides[behind] == Side::behind;
        }
    }
    return arrange(code, state, cell, matrix)[added];
}

bool relate(const Code& code, State& state, Cell cell, std::uint16_t earlier, std::uint16_t later) {
    const Messages& messages = state.memory[cell];
    if (earlier == later || precedes(messages, later, earlier)) {
        return false;
    }
    if (precedes(messages, earlier, later)) {
        return true;
    }
    Matrix matrix = matrix_of(messages);
    for (std::size_t first = 0; first < messages.size(); ++first) {
        for (std::size_t second = 0; second < messages.size(); ++second) {
            if ((first == earlier || matrix[first][earlier]) && (second == later || matrix[later][second])) {
                matrix[first][second] = true;
            }
        }
    }
    arrange(code, state, cell, matrix);
    return true;
}

namespace {

bool contains(const std::vector<std::uint16_t>& places, std::uint16_t place) {
    return std::find(places.begin(), places.end(), place) != places.end();
}

bool says_only_its_value(const Message& message) {
    return !message.strong && !message.atomic && !message.ahead && message.unfinished == 0 &&
           message.never_before.empty() && message.releases.empty();
}

/// Whether a write and the next one of the list race, and stand alike to all others.
bool are_twins(const Messages& messages, std::uint16_t place) {
    const auto next = static_cast<std::uint16_t>(place + 1);
    const Message& one = messages[place];
    const Message& other = messages[next];
    if (content(one) != content(other) || !says_only_its_value(one) || !says_only_its_value(other) ||
        !contains(other.unrelated, place) || other.unrelated.size() != one.unrelated.size() + 1 ||
        !std::equal(one.unrelated.begin(), one.unrelated.end(), other.unrelated.begin())) {
        return false;
    }
    return std::all_of(messages.begin() + next + 1, messages.end(), [&](const Message& later) {
        return contains(later.unrelated, place) == contains(later.unrelated, next) &&
               !contains(later.never_before, place) && !contains(later.never_before, next);
    });
}

} // namespace

void merge_twins(const Code& code, State& state, Cell cell) {
    Messages& messages = state.memory[cell];
    for (std::uint16_t place = 1; place + std::size_t{1} < messages.size();) {
        if (!are_twins(messages, place)) {
            ++place;
            continue;
        }
        std::vector<std::uint16_t> new_place(messages.size());
        for (std::uint16_t old = 0; old < messages.size(); ++old) {
            new_place[old] = static_cast<std::uint16_t>(old > place ? old - 1 : old);
        }
        move_along(code, state, cell, new_place);
        messages.erase(messages.begin() + place + 1);
        for (Message& message : messages) {
            for (std::uint16_t& unrelated : message.unrelated) {
                unrelated = new_place[unrelated];
            }
            message.unrelated.erase(std::unique(message.unrelated.begin(), message.unrelated.end()),
                                    message.unrelated.end());
        }
    }
}

} // namespace pdlcts::machine
