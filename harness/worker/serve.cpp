// SPDX-License-Identifier: Apache-2.0
#include "harness/worker/serve.hpp"

#include "harness/faults/sampled_gpu.hpp"
#include "harness/gpu/code_cache.hpp"
#include "harness/worker/incidents.hpp"
#include "harness/worker/native_cells.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <future>
#include <set>

#include <sys/socket.h>
#include <unistd.h>

namespace pdlcts {
namespace {

/// Nobody listens any more, or what is asked makes no sense: there is nobody to tell but standard error.
[[noreturn]] void leave(int code, std::string_view why = "") {
    if (!why.empty()) {
        static_cast<void>(std::fprintf(stderr, "worker: %.*s\n", static_cast<int>(why.size()), why.data()));
    }
    static_cast<void>(std::fflush(nullptr));
    std::_Exit(code);
}

class Channel {
public:
    explicit Channel(int descriptor) : descriptor_(descriptor) {}

    void say(const Say& what) const {
        std::string line = write_say(what);
        line += '\n';
        for (std::size_t said = 0; said < line.size();) {
            const ssize_t count = send(descriptor_, line.data() + said, line.size() - said, MSG_NOSIGNAL);
            if (count < 0 && errno != EINTR) {
                leave(0);
            }
            said += static_cast<std::size_t>(std::max<ssize_t>(count, 0));
        }
    }

    Ask hear() {
        while (true) {
            if (const std::size_t newline = heard_.find('\n'); newline != std::string::npos) {
                const std::string line = heard_.substr(0, newline);
                heard_.erase(0, newline + 1);
                Result<Ask> ask = read_ask(line);
                if (!ask) {
                    leave(1, ask.error().message);
                }
                return *std::move(ask);
            }
            std::array<char, 65536> buffer{};
            const ssize_t count = recv(descriptor_, buffer.data(), buffer.size(), 0);
            if (count == 0 || (count < 0 && errno != EINTR)) {
                leave(0);
            }
            heard_.append(buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
        }
    }

private:
    int descriptor_;
    std::string heard_;
};

/// `a+b>c`.
class Poison {
public:
    explicit Poison(std::string_view text) {
        const std::size_t arrow = text.find('>');
        if (arrow == std::string_view::npos) {
            return;
        }
        victim_ = text.substr(arrow + 1);
        for (std::size_t at = 0; at < arrow;) {
            const std::size_t end = std::min(text.find('+', at), arrow);
            needed_.emplace(text.substr(at, end - at));
            at = end + 1;
        }
    }
    void taint(Cell& cell) {
        if (!victim_.empty() && cell.case_id == victim_ && needed_.empty()) {
            cell.incident = Incident::harness_error;
            cell.incident_detail = "poisoned by cells before it, as a test asks";
        }
        needed_.erase(cell.case_id);
    }

private:
    std::string victim_;
    std::set<std::string> needed_;
};

class Worker {
public:
    Worker(int channel, const Suite& suite) : channel_(channel), suite_(suite) {}

    [[noreturn]] void serve() {
        while (true) {
            std::visit([this](const auto& ask) { perform(ask); }, channel_.hear());
        }
    }

private:
    Channel channel_;
    Suite suite_;
    std::vector<Case> cases_;
    std::optional<CodeCache> cache_;
    std::unique_ptr<Gpu> gpu_;
    std::unique_ptr<Performer> performer_;
    std::optional<Poison> poison_;
    std::future<void> warming_up_;

    Announce about(std::uint64_t job) {
        return [this, job](std::string_view what) {
            channel_.say(SayAbout{job, std::string(what), performer_ != nullptr && performer_->is_compiling()});
        };
    }
    Results head() const {
        Results results;
        results.suite = suite_;
        if (gpu_) {
            results.environment = gpu_->environment();
        }
        return results;
    }
    Performer& performer() {
        if (performer_ == nullptr) {
            leave(1, "asked for a job before a GPU was opened");
        }
        return *performer_;
    }
    void known(const CellJob& job) const {
        if (job.listed >= cases_.size()) {
            leave(1, "asked for a case that is not in the list");
        }
    }
    /// After a lost device nothing goes on in this process.
    void end_if(bool lost) const {
        if (lost) {
            leave(0);
        }
    }

    void perform(const AskList&) {
        // Who asks for GPUs will ask for code.
        warming_up_ = std::async(std::launch::async, warm_up_compiler);
        auto found = usable_gpus();
        if (auto* unavailable = std::get_if<GpuUnavailable>(&found)) {
            channel_.say(SayUnavailable{*unavailable});
        } else {
            channel_.say(SayGpus{std::get<std::vector<int>>(found)});
        }
    }

    void perform(const AskOpen& ask) {
        for (const AskedCase& asked : ask.cases) {
            add_case(asked);
        }
        if (ask.setup.on.starts_with(fault_prefix)) {
            gpu_ = open_sampled(ask.setup.on);
            if (gpu_ == nullptr) {
                leave(1, "there is no such fault");
            }
        } else {
            auto opened = open_gpu(ask.device);
            if (auto* unavailable = std::get_if<GpuUnavailable>(&opened)) {
                channel_.say(SayUnavailable{*unavailable});
                return;
            }
            gpu_ = std::get<std::unique_ptr<Gpu>>(std::move(opened));
        }
        if (!ask.setup.cache_folder.empty()) {
            if (auto cache = open_code_cache(ask.setup.cache_folder)) {
                cache_ = *std::move(cache);
            }
        }
        performer_ = std::make_unique<Performer>(*gpu_, ask.setup, cases_, cache_ ? &*cache_ : nullptr);
        poison_.emplace(ask.setup.poison);
        channel_.say(SayHello{.head = head()});
    }

    void add_case(const AskedCase& asked) {
        if (!asked.text.empty()) {
            Result<Case> read = read_user_case({asked.id, asked.text}, embedded_ledger());
            if (!read) {
                leave(1, read.error().message);
            }
            read->id = asked.id;
            cases_.push_back(*std::move(read));
            return;
        }
        const auto& all = embedded_cases();
        const auto found = std::find_if(all.begin(), all.end(), [&](const Case& each) { return each.id == asked.id; });
        if (found == all.end()) {
            leave(1, "asked for a case that this suite does not have");
        }
        cases_.push_back(*found);
    }

    void perform(const AskCompile&) { channel_.say(SayCompiled{performer().compile(about(0))}); }

    void perform(const AskCell& ask) {
        known(ask.cell);
        Cell cell =
            ask.pictures ? performer().pictures(ask.cell, about(ask.job)) : performer().cell(ask.cell, about(ask.job));
        const bool lost = performer().is_lost(cell.incident);
        if (!ask.pictures) {
            poison_->taint(cell);
        }
        channel_.say(SayCell{.job = ask.job, .last = lost, .cell = std::move(cell), .pictures = ask.pictures});
        end_if(lost);
    }

    void perform(const AskNative& ask) {
        NativeCell cell;
        if (ask.incident) {
            static_cast<void>(performer());
            about(ask.job)(ask.name);
            cell = make_incident(*gpu_, ask.name);
        } else {
            const auto& all = embedded_native_cases();
            const auto listed =
                std::find_if(all.begin(), all.end(), [&](const NativeCase& each) { return each.id == ask.name; });
            if (listed == all.end()) {
                leave(1, "asked for a check that this suite does not have");
            }
            cell = performer().native(*listed, about(ask.job));
        }
        const bool lost = performer().is_lost(cell.incident);
        channel_.say(SayNative{ask.job, lost, std::move(cell)});
        end_if(lost);
    }

    void perform(const AskLook&) {
        if (gpu_) {
            gpu_->look_again();
        }
        channel_.say(SaySeen{head()});
    }
};

} // namespace

std::unique_ptr<Gpu> open_sampled(std::string_view on) {
    const std::string_view name = on.substr(std::min(fault_prefix.size(), on.size()));
    if (name == "none") {
        return std::make_unique<SampledGpu>(Fault::none);
    }
    const FaultInfo* const info = find_fault(name);
    return info == nullptr ? nullptr : std::make_unique<SampledGpu>(info->fault);
}

void serve(int channel, const Suite& suite) {
    try {
        Worker(channel, suite).serve();
    } catch (const std::exception& error) {
        leave(70, error.what());
    }
}

} // namespace pdlcts
