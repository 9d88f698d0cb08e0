// SPDX-License-Identifier: Apache-2.0
#include "harness/supervisor/workplace.hpp"

#include "harness/gpu/code_cache.hpp"
#include "harness/worker/incidents.hpp"
#include "harness/worker/serve.hpp"

namespace pdlcts {
namespace {

class Direct final : public Workplace {
public:
    Direct(RunSetup setup, std::vector<Case> cases, int device, const Suite& suite)
        : setup_(std::move(setup)), cases_(std::move(cases)), device_(device), suite_(suite) {}
    ~Direct() override {
        if (!why_lost_.empty()) {
            // Kept for ever: to give a lost device back may never return.
            static_cast<void>(gpu_.release());
        }
    }

    std::variant<Opened, NoWorkplace> open() override {
        if (setup_.on.starts_with(fault_prefix)) {
            gpu_ = open_sampled(setup_.on);
        } else {
            auto opened = open_gpu(device_);
            if (const auto* unavailable = std::get_if<GpuUnavailable>(&opened)) {
                return NoWorkplace{unavailable->problem, unavailable->message};
            }
            gpu_ = std::get<std::unique_ptr<Gpu>>(std::move(opened));
        }
        if (!setup_.cache_folder.empty()) {
            if (auto cache = open_code_cache(setup_.cache_folder)) {
                cache_ = *std::move(cache);
            }
        }
        performer_ = std::make_unique<Performer>(*gpu_, setup_, cases_, cache_ ? &*cache_ : nullptr);
        Opened opened;
        opened.units = performer_->compile(quiet);
        opened.head.suite = suite_;
        opened.head.environment = gpu_->environment();
        return opened;
    }

    std::optional<Cell> cell(const CellJob& job, const Cell& /*expected*/) override {
        return kept([&] { return performer_->cell(job, quiet); });
    }
    std::optional<NativeCell> native(const NativeCase& listed, const NativeCell& /*expected*/) override {
        return kept([&] { return performer_->native(listed, quiet); });
    }
    std::optional<Cell> pictures(const CellJob& job, const Cell& /*expected*/) override {
        return kept([&] { return performer_->pictures(job, quiet); });
    }
    std::optional<NativeCell> incident(std::string_view name) override {
        return kept([&] { return make_incident(*gpu_, name); });
    }
    std::optional<Environment> look() override {
        gpu_->look_again();
        return gpu_->environment();
    }
    const std::string& why_lost() const override { return why_lost_; }

private:
    static void quiet(std::string_view /*what*/) {}

    template <typename Job>
    auto kept(Job job) -> std::optional<decltype(job())> {
        if (!why_lost_.empty()) {
            return std::nullopt;
        }
        auto done = job();
        if (performer_->is_lost(done.incident)) {
            why_lost_ = "an earlier cell lost the device";
        }
        return done;
    }

    RunSetup setup_;
    std::vector<Case> cases_;
    int device_;
    Suite suite_;
    std::optional<CodeCache> cache_;
    std::unique_ptr<Gpu> gpu_;
    std::unique_ptr<Performer> performer_;
    std::string why_lost_;
};

} // namespace

std::unique_ptr<Workplace> work_here(RunSetup setup, std::vector<Case> cases, int device, const Suite& suite) {
    return std::make_unique<Direct>(std::move(setup), std::move(cases), device, suite);
}

} // namespace pdlcts
