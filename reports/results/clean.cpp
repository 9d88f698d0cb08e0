// SPDX-License-Identifier: Apache-2.0
#include "reports/results/clean.hpp"

#include "reports/results/utf8.hpp"

#include <cmath>
#include <cstddef>

namespace pdlcts {
namespace {

constexpr std::string_view replacement = "\xef\xbf\xbd";

void clean_string(std::string& text) {
    text = clean_text(text);
}

void clean_strings(std::vector<std::string>& texts) {
    for (std::string& text : texts) {
        clean_string(text);
    }
}

void clean_seconds(double& seconds) {
    if (!std::isfinite(seconds) || seconds < 0) {
        seconds = 0;
    }
}

void clean_time(RunTime& time) {
    clean_seconds(time.seconds);
    clean_seconds(time.launch_seconds);
}

/// What becomes the same text is one entry.
void add_clean(Tally& sum, const Tally& tally) {
    for (const auto& [text, count] : tally.outcomes) {
        sum.outcomes[clean_text(text)] += count;
    }
    sum.unwritten += tally.unwritten;
}

void clean_tally(Tally& tally) {
    Tally clean;
    add_clean(clean, tally);
    tally = std::move(clean);
}

void clean_observation(Observation& observation) {
    clean_tally(observation.tally);
    clean_strings(observation.allowed);
    clean_strings(observation.structure.expected);
    clean_strings(observation.structure.built);
    clean_strings(observation.structure.undocumented);
    std::map<std::string, Tally> variations;
    for (const auto& [variation, varied] : observation.variations) {
        add_clean(variations[clean_text(variation)], varied);
    }
    observation.variations = std::move(variations);
}

void clean_form(Form& form) {
    clean_observation(form.program);
    if (form.control) {
        clean_observation(*form.control);
    }
    if (form.time) {
        clean_time(*form.time);
    }
    if (form.instances) {
        clean_tally(form.instances->program);
        if (form.instances->control) {
            clean_tally(*form.instances->control);
        }
        clean_time(form.instances->time);
    }
    if (form.second_gpu) {
        clean_string(form.second_gpu->name);
    }
    for (PollWindow& window : form.windows) {
        clean_string(window.poll);
    }
}

void clean_picture(std::optional<TrialPicture>& picture) {
    if (picture) {
        clean_string(picture->outcome);
        for (NodePicture& node : picture->nodes) {
            clean_string(node.node);
        }
    }
}

void clean_pictures(Cell& cell) {
    if (cell.pictures) {
        clean_string(cell.pictures->note);
        clean_picture(cell.pictures->median);
        clean_picture(cell.pictures->worst);
    }
    for (Latency& latency : cell.latency) {
        for (std::string* text : {&latency.primary, &latency.secondary, &latency.dependency}) {
            clean_string(*text);
        }
        clean_strings(latency.between);
    }
}

void clean_cell(Cell& cell) {
    clean_pictures(cell);
    for (std::string* text : {&cell.case_id, &cell.statement, &cell.image, &cell.digest, &cell.claim.never,
                              &cell.claim.sometimes, &cell.claim.armed, &cell.incident_detail, &cell.interference}) {
        clean_string(*text);
    }
    for (Cell& earlier : cell.tries) {
        clean_cell(earlier);
    }
    clean_form(cell.form);
    if (cell.other_form) {
        clean_form(*cell.other_form);
    }
    if (cell.machine) {
        clean_string(cell.machine->reason);
        clean_strings(cell.machine->trace);
    }
}

void clean_native_cell(NativeCell& cell) {
    for (std::string* text : {&cell.case_id, &cell.statement, &cell.digest, &cell.incident_detail}) {
        clean_string(*text);
    }
    for (Probe& probe : cell.probes) {
        clean_string(probe.what);
        clean_string(probe.found);
        clean_strings(probe.expected);
    }
}

} // namespace

std::string clean_text(std::string_view text) {
    std::string clean;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = character_length(text.substr(at));
        const std::string_view character = length == 0 ? replacement : text.substr(at, length);
        if (clean.size() + character.size() > largest_results_string) {
            break;
        }
        clean += character;
        at += length == 0 ? 1 : length;
    }
    return clean;
}

Results clean(Results results) {
    Environment& environment = results.environment;
    for (std::string* text :
         {&results.suite.version, &results.suite.git_hash, &results.suite.cases_digest, &results.started,
          &environment.gpu, &environment.gpu_uuid_hash, &environment.driver_version, &environment.nvrtc_version,
          &environment.mig_mode, &environment.mps, &environment.ecc, &environment.compute_mode,
          &environment.operating_system, &environment.kernel}) {
        clean_string(*text);
    }
    std::map<std::string, std::string> variables;
    if (environment.fault) {
        clean_string(*environment.fault);
    }
    if (environment.gpu_state) {
        clean_strings(environment.gpu_state->throttled);
        clean_strings(environment.gpu_state->throttled_at_end);
    }
    clean_strings(environment.tools);
    for (const auto& [variable, value] : environment.variables) {
        variables[clean_text(variable)] = clean_text(value);
    }
    environment.variables = std::move(variables);
    clean_seconds(results.seconds);
    if (results.compilation) {
        clean_seconds(results.compilation->seconds);
    }
    for (Cell& cell : results.cells) {
        clean_cell(cell);
    }
    for (NativeCell& cell : results.native) {
        clean_native_cell(cell);
    }
    return results;
}

Cell clean(Cell cell) {
    clean_cell(cell);
    return cell;
}

NativeCell clean(NativeCell cell) {
    clean_native_cell(cell);
    return cell;
}

} // namespace pdlcts
