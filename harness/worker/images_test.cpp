// SPDX-License-Identifier: Apache-2.0
#include "harness/worker/images.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>
#include <thread>

using namespace pdlcts;

namespace {

/// Compiles a case to an image whose source is the case's comment, and notes what it was asked for.
class NotingGpu : public Gpu {
public:
    struct Asked {
        std::size_t cases = 0;
        CompileOptions options;
    };

    const Environment& environment() const override { return environment_; }
    std::vector<Result<CompiledCase>> compile(const std::vector<const Litmus*>& cases,
                                              const CompileOptions& options) const override {
        {
            const std::lock_guard lock(mutex);
            asked.push_back({cases.size(), options});
        }
        while (options.beside_trials && waits_for_stop && !options.stop.stop_requested()) {
            std::this_thread::yield();
        }
        std::vector<Result<CompiledCase>> images;
        for (const Litmus* litmus : cases) {
            images.push_back(CompiledCase{.source = litmus->description.at(0),
                                          .image = "noted",
                                          .kernel_prefix = "",
                                          .unit = std::make_shared<CompiledUnit>(),
                                          .stamped = options.stamps});
        }
        return images;
    }
    std::optional<std::string> why_no_image(ImageChoice choice) const override {
        return choice == ImageChoice::sass ? std::optional<std::string>("no SASS here") : std::nullopt;
    }
    RouteRun run(const Litmus&, const CompiledCase&, Route, const TrialOptions&) override { return {}; }
    NativeRun probe(NativeFunction, std::chrono::milliseconds) override { return {}; }
    PictureRun take_pictures(const Litmus&, const CompiledCase&, Route, const TrialOptions&) override { return {}; }

    mutable std::mutex mutex;
    mutable std::vector<Asked> asked;
    std::atomic<bool> waits_for_stop = false;

private:
    Environment environment_;
};

std::vector<Case> cases(std::size_t count) {
    std::vector<Case> all(count);
    for (std::size_t index = 0; index < count; ++index) {
        all[index].litmus.description = {std::to_string(index)};
    }
    return all;
}

void quiet(std::string_view /*what*/) {}

} // namespace

TEST_CASE("some cases are compiled before the first trial, and few enough beside them") {
    for (std::size_t count = 0; count < 3000; ++count) {
        CAPTURE(count);
        const std::size_t before = compiled_before_trials(count);
        CHECK(before <= count);
        CHECK(before >= std::min<std::size_t>(count, 64));
        CHECK(count - before <= 200);
    }
    CHECK(compiled_before_trials(1) == 1);
    CHECK(compiled_before_trials(64) == 64);
    CHECK(compiled_before_trials(240) == 64);
}

TEST_CASE("every case has its own image, whenever it is compiled") {
    for (const std::size_t count : {std::size_t{1}, std::size_t{64}, std::size_t{65}, std::size_t{300}}) {
        CAPTURE(count);
        const NotingGpu gpu;
        const std::vector<Case> all = cases(count);
        RunSetup setup;
        setup.stamps = count != 64;
        Images images(gpu, setup, all, nullptr);
        const CompiledUnits units = images.compile(quiet);
        CHECK(units.units == compiled_before_trials(count));
        for (std::size_t index = count; index-- > 0;) {
            const Result<CompiledCase>& image = images.of(index, quiet);
            REQUIRE(image);
            CHECK(image->source == std::to_string(index));
            CHECK_FALSE(image->stamped);
            const Result<CompiledCase>& stamped = images.stamped(index, quiet);
            REQUIRE(static_cast<bool>(stamped) == setup.stamps);
            CHECK((!stamped || (stamped->stamped && stamped->source == std::to_string(index))));
        }
        const std::size_t parts = count > compiled_before_trials(count) ? 2 : 1;
        REQUIRE(gpu.asked.size() == parts + (setup.stamps ? 1 : 0));
        CHECK_FALSE(gpu.asked[0].options.beside_trials);
        for (std::size_t call = 1; call < gpu.asked.size(); ++call) {
            CHECK(gpu.asked[call].options.beside_trials);
            CHECK(gpu.asked[call].options.stamps == (call == parts));
        }
    }
}

TEST_CASE("who has lost a worker to the compiler compiles everything first") {
    const NotingGpu gpu;
    const std::vector<Case> all = cases(300);
    RunSetup setup;
    setup.stamps = setup.compile_first = true;
    Images images(gpu, setup, all, nullptr);
    CHECK(images.compile(quiet).units == 300);
    CHECK_FALSE(images.is_compiling());
    CHECK(images.of(299, quiet)->source == "299");
    CHECK(images.stamped(299, quiet)->source == "299");
    for (const NotingGpu::Asked& asked : gpu.asked) {
        CHECK_FALSE(asked.options.beside_trials);
        CHECK(asked.cases == 300);
    }
}

TEST_CASE("where no image can be made every case says why") {
    const NotingGpu gpu;
    const std::vector<Case> all = cases(70);
    RunSetup setup;
    setup.image = ImageChoice::sass;
    Images images(gpu, setup, all, nullptr);
    CHECK(images.compile(quiet).units == 0);
    CHECK(images.none() == "no SASS here");
    for (const std::size_t index : {0, 69}) {
        REQUIRE_FALSE(images.of(index, quiet));
        CHECK(images.of(index, quiet).error().message == "no SASS here");
    }
    CHECK(gpu.asked.empty());
}

TEST_CASE("who waits for the compiler is told, and who leaves does not wait for all of it") {
    NotingGpu gpu;
    gpu.waits_for_stop = true;
    const std::vector<Case> all = cases(70);
    const RunSetup setup;
    std::set<std::string> said;
    {
        Images images(gpu, setup, all, nullptr);
        images.compile(quiet);
        CHECK(images.is_compiling());
        std::jthread releases([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(1200));
            gpu.waits_for_stop = false;
        });
        CHECK(images.of(69, [&](std::string_view what) { said.emplace(what); }));
        CHECK_FALSE(images.is_compiling());
    }
    CHECK(said == std::set<std::string>{"waiting for the compiler"});
    gpu.waits_for_stop = true;
    Images images(gpu, setup, all, nullptr);
    images.compile(quiet);
    // Its destructor comes back only because it asks for a stop.
}
