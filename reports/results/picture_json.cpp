// SPDX-License-Identifier: Apache-2.0
#include "reports/results/picture_json.hpp"

#include "reports/results/place.hpp"

namespace pdlcts {
namespace {

using Object = Json::Object;

Json number(std::int64_t value) {
    Json json;
    if (value < 0) {
        json.value = value;
    } else {
        json.value = static_cast<std::uint64_t>(value);
    }
    return json;
}

void add_if(Object& object, const char* key, const std::optional<std::int64_t>& time) {
    if (time) {
        object.emplace_back(key, number(*time));
    }
}

Json to_json(const BlockPicture& block) {
    Object object = {{"block", std::uint64_t{block.block}},
                     {"multiprocessor", std::uint64_t{block.multiprocessor}},
                     {"begin", number(block.begin)}};
    add_if(object, "trigger", block.trigger);
    add_if(object, "wait_entered", block.wait_entered);
    add_if(object, "wait_returned", block.wait_returned);
    object.emplace_back("end", number(block.end));
    return object;
}

Json to_json(const NodePicture& node) {
    Json::List shown;
    for (const BlockPicture& block : node.shown) {
        shown.push_back(to_json(block));
    }
    return Object{{"node", node.node},           {"blocks", node.blocks},   {"stamped", node.stamped},
                  {"begin", number(node.begin)}, {"end", number(node.end)}, {"shown", std::move(shown)}};
}

Json to_json(const TrialPicture& picture) {
    Json::List nodes;
    for (const NodePicture& node : picture.nodes) {
        nodes.push_back(to_json(node));
    }
    return Object{{"trial", picture.trial},
                  {"outcome", picture.outcome},
                  {"armed", picture.armed},
                  {"measured_ns", number(picture.measured)},
                  {"nodes", std::move(nodes)}};
}

Json to_json(const LatencyFigures& figures) {
    return Object{{"trials", figures.trials},
                  {"p5_ns", number(figures.p5_ns)},
                  {"median_ns", number(figures.median_ns)},
                  {"p95_ns", number(figures.p95_ns)}};
}

// ---- reading -----------------------------------------------------------------------------------------------------

std::int64_t read_time(const Place& place) {
    return place.whole_of_either_sign(longest_picture_nanoseconds);
}

std::optional<std::int64_t> read_time_if(const Place& place, std::string_view key) {
    return place.has(key) ? std::optional(read_time(place[key])) : std::nullopt;
}

BlockPicture read_block(const Place& place) {
    place.object({"block", "multiprocessor", "begin", "end"}, {"trigger", "wait_entered", "wait_returned"});
    const BlockPicture block{.block = static_cast<unsigned>(place["block"].integer()),
                             .multiprocessor = static_cast<unsigned>(place["multiprocessor"].integer()),
                             .begin = read_time(place["begin"]),
                             .trigger = read_time_if(place, "trigger"),
                             .wait_entered = read_time_if(place, "wait_entered"),
                             .wait_returned = read_time_if(place, "wait_returned"),
                             .end = read_time(place["end"])};
    if (block.wait_entered.has_value() != block.wait_returned.has_value()) {
        place.refuse("a wait that was entered and one that returned are given together");
    }
    std::int64_t last = block.wait_entered.value_or(block.begin);
    bool in_order = block.begin <= last && (!block.trigger || *block.trigger >= block.begin);
    last = block.wait_returned.value_or(last);
    in_order = in_order && block.wait_entered.value_or(last) <= last && last <= block.end &&
               block.trigger.value_or(block.begin) <= block.end;
    if (!in_order) {
        place.refuse("times of a block that do not follow one another");
    }
    return block;
}

NodePicture read_node(const Place& place) {
    place.object({"node", "blocks", "stamped", "begin", "end", "shown"});
    NodePicture node{.node = place["node"].text(),
                     .blocks = place["blocks"].count(),
                     .stamped = place["stamped"].count(),
                     .begin = read_time(place["begin"]),
                     .end = read_time(place["end"]),
                     .shown = place["shown"].list(most_picture_blocks, read_block)};
    if (node.stamped > node.blocks || node.shown.size() > node.stamped) {
        place.refuse("more blocks shown than stamped, or stamped than there are");
    }
    if (node.begin > node.end) {
        place.refuse("a node that ends before it begins");
    }
    return node;
}

TrialPicture read_trial(const Place& place) {
    place.object({"trial", "outcome", "armed", "measured_ns", "nodes"});
    return {.trial = place["trial"].count(),
            .outcome = place["outcome"].text(),
            .armed = place["armed"].boolean(),
            .measured = read_time(place["measured_ns"]),
            .nodes = place["nodes"].list(most_picture_nodes, read_node)};
}

LatencyFigures read_figures(const Place& place) {
    place.object({"trials", "p5_ns", "median_ns", "p95_ns"});
    const LatencyFigures figures{.trials = place["trials"].count(),
                                 .p5_ns = read_time(place["p5_ns"]),
                                 .median_ns = read_time(place["median_ns"]),
                                 .p95_ns = read_time(place["p95_ns"])};
    if (figures.p5_ns > figures.median_ns || figures.median_ns > figures.p95_ns) {
        place.refuse("quantiles that do not follow one another");
    }
    return figures;
}

Latency read_pair(const Place& place) {
    place.object({"primary", "secondary", "dependency", "between", "begin"}, {"wait_return"});
    Latency latency{.primary = place["primary"].text(),
                    .secondary = place["secondary"].text(),
                    .dependency = place["dependency"].text(),
                    .between = place["between"].list(most_picture_nodes, [](const Place& node) { return node.text(); }),
                    .begin = read_figures(place["begin"]),
                    .wait_return = std::nullopt};
    if (place.has("wait_return")) {
        latency.wait_return = read_figures(place["wait_return"]);
    }
    return latency;
}

} // namespace

Json to_json(const Pictures& pictures) {
    Object object = {{"trials", pictures.trials},
                     {"armed", pictures.armed},
                     {"resolution_ns", pictures.resolution_ns},
                     {"measure", name(pictures.measure)},
                     {"note", pictures.note}};
    if (pictures.median) {
        object.emplace_back("median", to_json(*pictures.median));
    }
    if (pictures.worst) {
        object.emplace_back("worst", to_json(*pictures.worst));
    }
    return object;
}

Json to_json(const std::vector<Latency>& latency) {
    Json::List pairs;
    for (const Latency& pair : latency) {
        Object object = {{"primary", pair.primary},
                         {"secondary", pair.secondary},
                         {"dependency", pair.dependency},
                         {"between", pair.between},
                         {"begin", to_json(pair.begin)}};
        if (pair.wait_return) {
            object.emplace_back("wait_return", to_json(*pair.wait_return));
        }
        pairs.emplace_back(std::move(object));
    }
    return pairs;
}

Pictures read_pictures(const Place& place) {
    place.object({"trials", "armed", "resolution_ns", "measure", "note"}, {"median", "worst"});
    Pictures pictures{.trials = place["trials"].count(),
                      .armed = place["armed"].count(),
                      .resolution_ns = place["resolution_ns"].count(),
                      .measure = place["measure"].one_of<PictureMeasure>(),
                      .note = place["note"].text(),
                      .median = std::nullopt,
                      .worst = std::nullopt};
    if (pictures.armed > pictures.trials) {
        place.refuse("more armed trials than trials");
    }
    if (place.has("median")) {
        pictures.median = read_trial(place["median"]);
    }
    if (place.has("worst")) {
        pictures.worst = read_trial(place["worst"]);
    }
    return pictures;
}

std::vector<Latency> read_latency(const Place& place) {
    return place.list(most_latencies, read_pair);
}

} // namespace pdlcts
