// SPDX-License-Identifier: Apache-2.0
#include "harness/worker/protocol.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/support/concat.hpp"
#include "reports/results/clean.hpp"
#include "reports/results/json.hpp"
#include "reports/results/place.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace pdlcts {
namespace {

using Object = Json::Object;

constexpr std::string_view line_name = "line";
constexpr std::uint64_t any = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t most_devices = 1024;
constexpr std::array<std::string_view, 6> problems = {
    "built_without_toolkit", "no_driver", "driver_too_old", "no_gpu", "no_nvrtc", "below_compute_capability_90"};

/// A text of JSON that this program has written, as a part of a longer one.
Json part(const std::string& text) {
    return *parse_json(text, "part");
}

std::string text_of(const Place& place) {
    return print(to_json(place.node()), JsonLayout::compact);
}

template <typename Value>
Value value_or_refuse(const Place& place, Result<Value> value) {
    if (!value) {
        place.refuse(value.error().message);
    }
    return *std::move(value);
}

// ---- what is asked -----------------------------------------------------------------------------------------------

Json to_json(const RunSetup& setup) {
    return Object{{"on", setup.on},
                  {"seed", setup.seed},
                  {"quick", setup.quick},
                  {"instances", setup.instances},
                  {"calibration", setup.calibration},
                  {"jitter", setup.jitter},
                  {"one_gpu_as_two", setup.one_gpu_as_two},
                  {"stamps", setup.stamps},
                  {"compile_first", setup.compile_first},
                  {"image", name(setup.image)},
                  {"cache_folder", setup.cache_folder},
                  {"batch_deadline_ms", static_cast<std::uint64_t>(setup.batch_deadline.count())},
                  {"poison", setup.poison}};
}

RunSetup read_setup(const Place& place) {
    place.object({"on", "seed", "quick", "instances", "calibration", "jitter", "one_gpu_as_two", "stamps",
                  "compile_first", "image", "cache_folder", "batch_deadline_ms", "poison"});
    RunSetup setup;
    setup.on = place["on"].text();
    setup.seed = place["seed"].whole(any);
    setup.quick = place["quick"].boolean();
    setup.instances = place["instances"].boolean();
    setup.calibration = place["calibration"].boolean();
    setup.jitter = place["jitter"].boolean();
    setup.one_gpu_as_two = place["one_gpu_as_two"].boolean();
    setup.stamps = place["stamps"].boolean();
    setup.compile_first = place["compile_first"].boolean();
    const auto image = image_choice(place["image"].text());
    if (!image) {
        place["image"].expect("auto, sass, ptx or intrinsic");
    }
    setup.image = *image;
    setup.cache_folder = place["cache_folder"].text();
    setup.batch_deadline = std::chrono::milliseconds(place["batch_deadline_ms"].whole(1'000'000'000));
    setup.poison = place["poison"].text();
    return setup;
}

Json to_json(const AskOpen& open) {
    Json::List cases;
    for (const AskedCase& each : open.cases) {
        cases.push_back(Object{{"id", each.id}, {"text", each.text}});
    }
    return Object{{"do", "open"}, {"device", open.device}, {"setup", to_json(open.setup)}, {"cases", std::move(cases)}};
}

Json to_json(const AskCell& ask) {
    return Object{{"do", ask.pictures ? "pictures" : "cell"},
                  {"job", ask.job},
                  {"listed", std::uint64_t{ask.cell.listed}},
                  {"route", name(ask.cell.route)},
                  {"number", std::uint64_t{ask.cell.number}},
                  {"round", ask.cell.round},
                  {"trials", ask.cell.trials}};
}

AskedCase read_asked_case(const Place& place) {
    place.object({"id", "text"});
    return {.id = place["id"].text(), .text = place["text"].text()};
}

Ask read_ask_place(const Place& place) {
    place.object();
    const std::string what = place["do"].text();
    if (what == "list" || what == "compile" || what == "look") {
        place.object({"do"});
        return what == "list" ? Ask(AskList{}) : what == "compile" ? Ask(AskCompile{}) : Ask(AskLook{});
    }
    if (what == "open") {
        place.object({"do", "device", "setup", "cases"});
        return AskOpen{.device = place["device"].integer(),
                       .setup = read_setup(place["setup"]),
                       .cases = place["cases"].list(most_results_entries, read_asked_case)};
    }
    if (what == "cell" || what == "pictures") {
        place.object({"do", "job", "listed", "route", "number", "round", "trials"});
        return AskCell{.job = place["job"].whole(any),
                       .cell = {.listed = static_cast<std::size_t>(place["listed"].whole(most_results_cells)),
                                .route = place["route"].one_of<Route>(),
                                .number = static_cast<std::size_t>(place["number"].whole(most_results_cells)),
                                .round = place["round"].count(),
                                .trials = place["trials"].count()},
                       .pictures = what == "pictures"};
    }
    if (what == "native" || what == "incident") {
        place.object({"do", "job", "case"});
        return AskNative{.job = place["job"].whole(any), .name = place["case"].text(), .incident = what == "incident"};
    }
    place["do"].expect("something that a worker does");
}

// ---- what is said ------------------------------------------------------------------------------------------------

Results read_head(const Place& place) {
    return value_or_refuse(place, read_json(text_of(place), line_name));
}

Say read_say_place(const Place& place) {
    place.object();
    const std::string what = place["say"].text();
    if (what == "gpus") {
        place.object({"say", "usable"});
        return SayGpus{place["usable"].list(most_devices, [](const Place& each) { return each.integer(); })};
    }
    if (what == "unavailable") {
        place.object({"say", "problem", "message"});
        const std::string problem = place["problem"].text();
        const auto found = std::find(problems.begin(), problems.end(), problem);
        if (found == problems.end()) {
            place["problem"].expect("why there is no GPU");
        }
        return SayUnavailable{{static_cast<GpuProblem>(found - problems.begin()), place["message"].text()}};
    }
    if (what == "hello") {
        place.object({"say", "protocol", "head"});
        return SayHello{.protocol = place["protocol"].count(), .head = read_head(place["head"])};
    }
    if (what == "compiled") {
        place.object({"say", "seconds", "units", "from_cache"});
        return SayCompiled{{.seconds = place["seconds"].real(std::numeric_limits<double>::max(), "a number from 0"),
                            .units = place["units"].count(),
                            .from_cache = place["from_cache"].count()}};
    }
    if (what == "about") {
        place.object({"say", "job", "what", "compiling"});
        return SayAbout{
            .job = place["job"].whole(any), .what = place["what"].text(), .compiling = place["compiling"].boolean()};
    }
    if (what == "seen") {
        place.object({"say", "head"});
        return SaySeen{read_head(place["head"])};
    }
    place.object({"say", "job", "last", "cell"});
    const std::uint64_t job = place["job"].whole(any);
    const bool last = place["last"].boolean();
    if (what == "cell" || what == "pictures") {
        return SayCell{.job = job,
                       .last = last,
                       .cell = value_or_refuse(place["cell"], read_cell_json(text_of(place["cell"]), line_name)),
                       .pictures = what == "pictures"};
    }
    if (what == "native") {
        return SayNative{.job = job,
                         .last = last,
                         .cell =
                             value_or_refuse(place["cell"], read_native_cell_json(text_of(place["cell"]), line_name))};
    }
    place["say"].expect("something that a worker says");
}

template <typename Read>
auto read_line(Read read, std::string_view line) -> Result<decltype(read(std::declval<const Place&>()))> {
    const Result<JsonDocument> json = parse_document(line, line_name);
    if (!json) {
        return json.error();
    }
    try {
        return read(Place(json->root(), line_name));
    } catch (const MalformedResults& refusal) {
        return Error{refusal.message};
    }
}

std::string print_line(const Json& json) {
    return print(json, JsonLayout::compact);
}

} // namespace

std::string write_ask(const Ask& ask) {
    return print_line(std::visit(Overloaded{[](const AskList&) -> Json {
                                                return Object{{"do", "list"}};
                                            },
                                            [](const AskCompile&) -> Json {
                                                return Object{{"do", "compile"}};
                                            },
                                            [](const AskLook&) -> Json {
                                                return Object{{"do", "look"}};
                                            },
                                            [](const AskNative& native) -> Json {
                                                return Object{{"do", native.incident ? "incident" : "native"},
                                                              {"job", native.job},
                                                              {"case", native.name}};
                                            },
                                            [](const auto& other) { return to_json(other); }},
                                 ask));
}

std::string write_head(const Results& results) {
    Results head = results;
    head.cells.clear();
    head.native.clear();
    return print_line(part(write_json(head)));
}

std::string write_say(const Say& say) {
    return std::visit(
        Overloaded{
            [](const SayGpus& gpus) {
                return print_line(
                    Object{{"say", "gpus"}, {"usable", Json::List(gpus.usable.begin(), gpus.usable.end())}});
            },
            [](const SayUnavailable& unavailable) {
                return print_line(Object{{"say", "unavailable"},
                                         {"problem", problems[static_cast<std::size_t>(unavailable.why.problem)]},
                                         {"message", clean_text(unavailable.why.message)}});
            },
            [](const SayHello& hello) {
                return concat("{\"say\":\"hello\",\"protocol\":", hello.protocol, ",\"head\":", write_head(hello.head),
                              "}");
            },
            [](const SaySeen& seen) { return concat("{\"say\":\"seen\",\"head\":", write_head(seen.head), "}"); },
            [](const SayCompiled& compiled) {
                return print_line(Object{{"say", "compiled"},
                                         {"seconds", compiled.units.seconds},
                                         {"units", compiled.units.units},
                                         {"from_cache", compiled.units.from_cache}});
            },
            [](const SayAbout& about) {
                return print_line(Object{{"say", "about"},
                                         {"job", about.job},
                                         {"what", clean_text(about.what)},
                                         {"compiling", about.compiling}});
            },
            [](const SayCell& cell) {
                return concat("{\"say\":\"", cell.pictures ? "pictures" : "cell", "\",\"job\":", cell.job,
                              ",\"last\":", cell.last ? "true" : "false", ",\"cell\":", write_json(cell.cell), "}");
            },
            [](const SayNative& native) {
                return concat("{\"say\":\"native\",\"job\":", native.job, ",\"last\":", native.last ? "true" : "false",
                              ",\"cell\":", write_json(native.cell), "}");
            },
        },
        say);
}

Result<Ask> read_ask(std::string_view line) {
    return read_line(read_ask_place, line);
}

Result<Say> read_say(std::string_view line) {
    return read_line(read_say_place, line);
}

} // namespace pdlcts
