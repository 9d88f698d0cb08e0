// SPDX-License-Identifier: Apache-2.0
#include "reports/results/picture_json.hpp"

#include "reports/results/place.hpp"

namespace pdlcts {
namespace {

void write_if(JsonSink& out, const char* key, const std::optional<std::int64_t>& time) {
    if (time) {
        put(out, key, *time);
    }
}

void write(JsonSink& out, const BlockPicture& block) {
    out.begin_object();
    put(out, "block", block.block);
    put(out, "multiprocessor", block.multiprocessor);
    put(out, "begin", block.begin);
    write_if(out, "trigger", block.trigger);
    write_if(out, "wait_entered", block.wait_entered);
    write_if(out, "wait_returned", block.wait_returned);
    put(out, "end", block.end);
    out.end_object();
}

void write(JsonSink& out, const NodePicture& node) {
    out.begin_object();
    put(out, "node", node.node);
    put(out, "blocks", node.blocks);
    put(out, "stamped", node.stamped);
    put(out, "begin", node.begin);
    put(out, "end", node.end);
    out.key("shown");
    put_each(out, node.shown, [&](const BlockPicture& block) { write(out, block); });
    out.end_object();
}

void write(JsonSink& out, const char* key, const std::optional<TrialPicture>& picture) {
    if (!picture) {
        return;
    }
    out.key(key);
    out.begin_object();
    put(out, "trial", picture->trial);
    put(out, "outcome", picture->outcome);
    put(out, "armed", picture->armed);
    put(out, "measured_ns", picture->measured);
    out.key("nodes");
    put_each(out, picture->nodes, [&](const NodePicture& node) { write(out, node); });
    out.end_object();
}

void write(JsonSink& out, const char* key, const LatencyFigures& figures) {
    out.key(key);
    out.begin_object();
    put(out, "trials", figures.trials);
    put(out, "p5_ns", figures.p5_ns);
    put(out, "median_ns", figures.median_ns);
    put(out, "p95_ns", figures.p95_ns);
    out.end_object();
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

void write(JsonSink& out, const Pictures& pictures) {
    out.begin_object();
    put(out, "trials", pictures.trials);
    put(out, "armed", pictures.armed);
    put(out, "resolution_ns", pictures.resolution_ns);
    put(out, "measure", name(pictures.measure));
    put(out, "note", pictures.note);
    write(out, "median", pictures.median);
    write(out, "worst", pictures.worst);
    out.end_object();
}

void write(JsonSink& out, const std::vector<Latency>& latency) {
    put_each(out, latency, [&](const Latency& pair) {
        out.begin_object();
        put(out, "primary", pair.primary);
        put(out, "secondary", pair.secondary);
        put(out, "dependency", pair.dependency);
        put(out, "between", pair.between);
        write(out, "begin", pair.begin);
        if (pair.wait_return) {
            write(out, "wait_return", *pair.wait_return);
        }
        out.end_object();
    });
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
