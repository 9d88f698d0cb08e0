// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/session.hpp"

#include "conformance/plan/routes.hpp"
#include "harness/gpu/batches.hpp"
#include "harness/gpu/graph_detours.hpp"
#include "harness/gpu/stream_route.hpp"

#include <exception>
#include <thread>

/// How a session launches the trials of a batch: call by call in streams, or as graphs that it builds once a size.
namespace pdlcts {

void Session::issue_branch(const Trials& trials, std::size_t branch, Deadline deadline) {
    // A separator, an event and the waits for them for each stream, and what the longer program issues.
    std::size_t operations = 0;
    for (const LoadedProgram& program : programs_) {
        operations = std::max(operations, program.program->operations.size());
    }
    // Branches may share a channel.
    const Pace pace{trials_in_flight((operations + 4 * branches_[branch].size()) * branches_.size())};
    std::vector<std::size_t> issued;
    for (std::size_t index = 0; index < trials.size(); ++index) {
        if (trials[index].branch != branch) {
            continue;
        }
        SeparatorMarks marks(*stream_separators_, index);
        issue_trial(trials[index], index, branches_[branch], *stream_events_, pace.is_awaited(issued.size()),
                    interface_, marks, host_calls_, nullptr);
        issued.push_back(index);
        if (const auto awaited = pace.awaited_behind(issued.size())) {
            wait_for(stream_events_->opened(issued[*awaited]), deadline, batch_name_);
        }
    }
}

/// Each branch from a thread of its own: one thread cannot issue as fast as a GPU runs.
void Session::issue_eagerly(const Trials& trials, Deadline deadline) {
    int device = 0;
    check(cudaGetDevice(&device), "finding the GPU of this thread");
    std::vector<std::exception_ptr> failures(branches_.size());
    const auto issue = [&](std::size_t branch) {
        try {
            check(cudaSetDevice(device), "selecting the GPU for a thread that issues trials");
            issue_branch(trials, branch, deadline);
        } catch (...) {
            failures[branch] = std::current_exception();
        }
    };
    std::vector<std::jthread> threads;
    for (std::size_t branch = 1; branch < branches_.size(); ++branch) {
        threads.emplace_back(issue, branch);
    }
    issue(0);
    threads.clear();
    for (const std::exception_ptr& failure : failures) {
        if (failure) {
            std::rethrow_exception(failure);
        }
    }
    for (const TrialStreams& branch : branches_) {
        wait_for(branch.main(), deadline, batch_name_);
    }
}

/// The host's own thread belongs to the program: it finds the device as the trial before has left it, done.
void Session::issue_one_by_one(const Trials& trials, Deadline deadline) {
    // By value: the thread may be left behind.
    run_with_blocking_calls(deadline, batch_name_, [this, trials, deadline](BlockingCalls& blocking) {
        for (std::size_t index = 0; index < trials.size(); ++index) {
            SeparatorMarks marks(*stream_separators_, index);
            issue_trial(trials[index], index, branches_[0], *stream_events_, false, interface_, marks, host_calls_,
                        &blocking);
            wait_for(main(), deadline, batch_name_);
        }
    });
}

/// The same trials on other records, and with another block each: no launch of theirs could be taken for one of these.
Session::Trials Session::with_other_parameters(const Trials& trials) {
    if (other_records_ == nullptr) {
        other_records_ = allocate_device_words(record_words_);
        if (host_record_words_ > 0) {
            other_host_records_ = allocate_mapped_words(host_record_words_);
        }
    }
    Trials others = trials;
    for (Trial& trial : others) {
        trial.record = other_records_.get() + (trial.record - records_.get());
        if (trial.host_record != nullptr) {
            const std::ptrdiff_t word = trial.host_record - host_records_.words.get();
            trial.host_record = other_host_records_.words.get() + word;
            trial.host_record_on_device = other_host_records_.on_device + word;
        }
        trial.variation.blocks_behind += trial.instances > 0 ? 0 : 1;
    }
    return others;
}

TrialGraph Session::make_graph(const Trials& trials) {
    const Separation separation = has(TrialDefect::no_separators) ? Separation::first_trials : Separation::every_trial;
    const auto plain = [&](const Trials& of) {
        return lowered_as(route_) == Route::captured ? capture_trials(of, branches_, events_, separation)
                                                     : build_trials(of, separation);
    };
    TrialGraph graph = plain(trials);
    if (route_ == Route::updated) {
        instantiate_updated(graph, plain(with_other_parameters(trials)));
        return graph;
    }
    if (route_ == Route::cloned) {
        graph = clone_of(std::move(graph));
    } else if (route_ == Route::child) {
        graph = parent_of(std::move(graph));
    }
    graph.exec = instantiate(graph.graph.get(), graph.has_priorities);
    return graph;
}

const TrialGraph& Session::graph_of(const Trials& trials, RouteRun& result) {
    const std::pair key{trials.size(), trials.front().variation.measures};
    const auto known = graphs_.find(key);
    if (known != graphs_.end()) {
        return known->second;
    }
    TrialGraph graph = make_graph(trials);
    BuiltPlans built = has(TrialDefect::no_read_back) ? BuiltPlans{} : read_back(graph, trials);
    const bool first = graphs_.empty();
    if (!first && (built.program != result.program_built || built.control != result.control_built)) {
        throw HarnessFault("the dependencies that the driver has differ from one graph of trials to the next");
    }
    result.program_built = std::move(built.program);
    result.control_built = std::move(built.control);
    return graphs_.emplace(key, std::move(graph)).first->second;
}

void Session::launch_trials(const Trials& trials, const TrialGraph* graph, Deadline deadline) {
    if (graph != nullptr) {
        check(cudaGraphLaunch(graph->exec.get(), main()), "launching a graph of trials");
        wait_for(main(), deadline, batch_name_);
        return;
    }
    stream_separators_->begin_batch(trials.size(), branches_[0]);
    // Before any branch issues: only the main stream of one of them would wait for it.
    wait_for(main(), deadline, batch_name_ + ", the marks of its separators");
    if (host_takes_part_) {
        issue_one_by_one(trials, deadline);
    } else {
        issue_eagerly(trials, deadline);
    }
    wait_for(main(), deadline, batch_name_);
    host_calls_.clear();
    stream_separators_->check_batch(main(), deadline, batch_name_);
}

/// Whether the load was there from before the first trial to behind the last.
bool Session::launch_loaded(const Trials& trials, const TrialGraph* graph, std::size_t batch, Deadline deadline) {
    const auto load_of = memory_load_ ? memory_load : background_load;
    const BackgroundLoad load = load_of(options_.seed, batch, background_->limits());
    const bool began = background_->start(load, options_.deadline / 4, deadline);
    try {
        launch_trials(trials, graph, deadline);
    } catch (...) {
        background_->let_end();
        throw;
    }
    return began && background_->stop(deadline);
}

} // namespace pdlcts
