// SPDX-License-Identifier: Apache-2.0
#include "harness/supervisor/supervised.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/support/concat.hpp"
#include "harness/gpu/batches.hpp"
#include "harness/worker/native_cells.hpp"

#include <algorithm>
#include <thread>

namespace pdlcts {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// A context takes half a second; where a killed process' kernels have to be taken off the GPU first, longer.
constexpr seconds to_open{90};
constexpr seconds to_compile{60};
constexpr seconds to_compile_a_case{2};
/// Beside the deadline that the worker itself holds a batch to: whatever is no batch, such as to ask the machine.
constexpr seconds beside_a_batch{60};
constexpr seconds for_a_check{30};
constexpr seconds for_an_incident{12};
constexpr seconds to_leave{5};
constexpr milliseconds between_starts{500};
constexpr std::size_t kept_lines = 10;
constexpr int starting = 6;

/// What ended a worker at its job.
struct Loss {
    Incident incident = Incident::crash;
    std::string why;
};

class Supervised final : public Workplace {
public:
    Supervised(Supervision supervision, RunSetup setup, std::vector<Case> cases, int device, const Suite& suite,
               std::optional<Child> first)
        : supervision_(std::move(supervision)), setup_(std::move(setup)), cases_(std::move(cases)), device_(device),
          suite_(suite) {
        if (first) {
            worker_.emplace(std::move(*first));
        }
    }
    ~Supervised() override {
        if (worker_) {
            static_cast<void>(worker_->end(in(to_leave)));
        }
    }

    std::variant<Opened, NoWorkplace> open() override {
        if (supervision_.isolate) {
            // Only to be asked what it is.
            only_ = 0;
        }
        if (!ready()) {
            return no_workplace_;
        }
        return opened_;
    }

    std::optional<Cell> cell(const CellJob& job, const Cell& expected) override {
        return perform<SayCell>(
            job.listed, to_run(job), expected,
            [&](std::uint64_t number) {
                return AskCell{number, place(job), false};
            },
            [&](const Cell& found) {
                return found.case_id == expected.case_id && found.form.route == expected.form.route &&
                       found.statement == expected.statement && found.strength == expected.strength &&
                       found.basis == expected.basis && found.claim == expected.claim &&
                       found.thresholds == expected.thresholds;
            },
            [&](Cell& cell, const Loss& loss) {
                cell.incident = loss.incident;
                cell.incident_detail = loss.why;
                if (loss.incident == Incident::timeout && cell.claim.ends) {
                    // Who is silent has not shown that the program did not end, which would be a FAIL.
                    cell.incident = Incident::device_error;
                }
                cell.incident_detail += reproduction(job, cell);
            });
    }

    std::optional<Cell> pictures(const CellJob& job, const Cell& expected) override {
        Cell taken;
        taken.case_id = expected.case_id;
        taken.form.route = expected.form.route;
        return perform<SayCell>(
            job.listed, to_run(job), taken,
            [&](std::uint64_t number) {
                return AskCell{number, place(job), true};
            },
            [&](const Cell& found) { return found.case_id == taken.case_id && found.form.route == taken.form.route; },
            [&](Cell& cell, const Loss& loss) {
                cell.incident = loss.incident;
                cell.pictures.emplace().note = concat("the stamped trials ended early: ", loss.why);
            });
    }

    std::optional<NativeCell> native(const NativeCase& listed, const NativeCell& expected) override {
        return perform<SayNative>(
            std::nullopt, for_a_check, expected,
            [&](std::uint64_t number) {
                return AskNative{number, listed.id, false};
            },
            [&](const NativeCell& found) {
                return found.case_id == expected.case_id && found.statement == expected.statement &&
                       found.strength == expected.strength && found.basis == expected.basis;
            },
            tell<NativeCell>);
    }

    std::optional<NativeCell> incident(std::string_view name) override {
        NativeCell expected;
        expected.case_id = concat("incidents/", name);
        return perform<SayNative>(
            std::nullopt, for_an_incident, expected,
            [&](std::uint64_t number) {
                return AskNative{number, std::string(name), true};
            },
            [&](const NativeCell& found) { return found.case_id == expected.case_id; }, tell<NativeCell>);
    }

    std::optional<Environment> look() override {
        if (!worker_ || !worker_->say(write_ask(AskLook{}), in(for_a_check))) {
            return std::nullopt;
        }
        auto answer = hear(0, patience(for_a_check));
        const auto* seen = std::get_if<SaySeen>(&answer);
        return seen == nullptr ? std::nullopt : std::optional(seen->head.environment);
    }

    const std::string& why_lost() const override { return why_lost_; }

private:
    using Answer = std::variant<Loss, SayGpus, SayUnavailable, SayHello, SayCompiled, SayCell, SayNative, SaySeen>;

    Supervision supervision_;
    RunSetup setup_;
    std::vector<Case> cases_;
    int device_;
    Suite suite_;
    std::optional<Child> worker_;
    bool is_open_ = false;
    std::size_t only_ = 0; ///< the case that an isolated worker knows
    Opened opened_;
    NoWorkplace no_workplace_;
    std::uint64_t jobs_ = 0;
    unsigned losses_ = 0; ///< in a row
    std::string about_;
    bool compiling_ = false; ///< beside what it is about
    std::string why_lost_;

    static Deadline in(std::chrono::milliseconds time) { return std::chrono::steady_clock::now() + time; }
    milliseconds patience(milliseconds usual) const { return supervision_.patience.value_or(usual); }
    /// To start is slower than any job that a test asks for.
    milliseconds to_start(milliseconds usual) const {
        return supervision_.patience ? starting * *supervision_.patience : usual;
    }

    template <typename Told>
    static void tell(Told& cell, const Loss& loss) {
        cell.incident = loss.incident;
        cell.incident_detail = loss.why;
    }

    milliseconds to_run(const CellJob& job) const {
        const milliseconds batch = std::max(setup_.batch_deadline, least_deadline(cases_[job.listed].litmus));
        return batch + batch / 2 + beside_a_batch;
    }

    CellJob place(CellJob job) const {
        if (supervision_.isolate) {
            job.listed = 0;
        }
        return job;
    }

    std::string reproduction(const CellJob& job, const Cell& cell) const {
        return supervision_.reproduce ? concat("; reproduce: ", supervision_.reproduce(job, cell)) : "";
    }

    /// Ends the worker, and says what it last did and wrote.
    Loss lose(Incident incident, std::string_view what) {
        const Ending ending = worker_->kill();
        std::string why(what);
        const bool by_itself = what.empty();
        if (by_itself) {
            why = concat("the worker ended with ", describe(ending));
        }
        if (!about_.empty()) {
            why += concat(" at: ", about_);
        }
        if (compiling_) {
            // It may be the compiler that ended it, and would end the next one at some other innocent job.
            why += "; later cells were being compiled beside it, which the next worker does before any trial";
            setup_.compile_first = true;
        }
        if (const std::string output = worker_->last_output(kept_lines); !output.empty()) {
            why += concat("; its last output: ", output);
        }
        worker_.reset();
        is_open_ = false;
        return {incident, std::move(why)};
    }

    /// What the worker answers to a job; until then it says what it is about, and has so long after each such word.
    Answer hear(std::uint64_t job, milliseconds time) {
        std::string line;
        for (std::size_t said = 0; said <= most_announcements; ++said) {
            switch (worker_->hear(line, in(time))) {
            case Child::Heard::line:
                break;
            case Child::Heard::ended:
                return lose(Incident::crash, "");
            case Child::Heard::too_long:
                return lose(Incident::crash, concat("the worker wrote a line of more than ", Child::longest_line,
                                                    " bytes, and was ended"));
            case Child::Heard::deadline:
                return lose(Incident::timeout,
                            concat("the worker did not answer within ", time.count(), " ms, and was ended"));
            }
            Result<Say> heard = read_say(line);
            if (!heard) {
                return lose(Incident::crash, concat("the worker wrote what is no message, and was ended (",
                                                    cut_reason(heard.error().message), ")"));
            }
            if (auto* about = std::get_if<SayAbout>(&*heard)) {
                if (about->job != job) {
                    return lose(Incident::crash, "the worker spoke of another job, and was ended");
                }
                about_ = std::move(about->what);
                compiling_ = about->compiling;
                continue;
            }
            return std::visit(Overloaded{[](SayAbout&) -> Answer { return Loss{}; },
                                         [](auto& answer) -> Answer { return std::move(answer); }},
                              *heard);
        }
        return lose(Incident::crash, "the worker said more than any job has to say, and was ended");
    }

    Answer ask(const Ask& what, std::uint64_t job, milliseconds time) {
        about_.clear();
        compiling_ = false;
        if (!worker_->say(write_ask(what), in(time))) {
            return lose(Incident::crash, "");
        }
        return hear(job, time);
    }

    /// Whether there is a worker that has compiled the first cases and waits to be asked.
    bool ready() {
        if (!why_lost_.empty()) {
            return false;
        }
        for (unsigned start = 0; start < most_vain_starts; ++start) {
            if (is_open_ || try_open()) {
                return true;
            }
            if (no_workplace_.problem && !has_opened_) {
                break; // asked for the first time, it says that there is none
            }
            std::this_thread::sleep_for(start * patience(between_starts));
        }
        why_lost_ = no_workplace_.message;
        return false;
    }

    bool has_opened_ = false;

    bool refuse(std::optional<GpuProblem> problem, std::string message) {
        no_workplace_ = {problem, std::move(message)};
        if (worker_) {
            static_cast<void>(worker_->kill());
            worker_.reset();
        }
        return false;
    }

    template <typename Wanted>
    bool refuse(const Answer& answer, const char* doing) {
        if (const auto* unavailable = std::get_if<SayUnavailable>(&answer)) {
            return refuse(unavailable->why.problem, unavailable->why.message);
        }
        const auto* loss = std::get_if<Loss>(&answer);
        return refuse(std::nullopt,
                      concat("a worker that was ", doing, loss == nullptr ? " answered something else" : ": ",
                             loss == nullptr ? "" : loss->why));
    }

    bool try_open() {
        if (!worker_) {
            auto started = Child::start(supervision_.program, supervision_.arguments);
            if (!started) {
                return refuse(std::nullopt, started.error().message);
            }
            worker_.emplace(*std::move(started));
        }
        AskOpen open{device_, setup_, {}};
        for (std::size_t index = 0; index < cases_.size(); ++index) {
            if (!supervision_.isolate || index == only_) {
                const Case& listed = cases_[index];
                open.cases.push_back({listed.id, listed.statement.empty() ? print(listed.litmus) : ""});
            }
        }
        Answer answer = ask(open, 0, to_start(to_open));
        auto* const hello = std::get_if<SayHello>(&answer);
        if (hello == nullptr) {
            return refuse<SayHello>(answer, "to open the GPU");
        }
        if (hello->protocol != protocol_version || hello->head.suite != suite_) {
            return refuse(std::nullopt, "the worker is of another version of this program");
        }
        Results head = std::move(hello->head);
        answer = ask(AskCompile{}, 0, to_start(to_compile + open.cases.size() * to_compile_a_case));
        const auto* const compiled = std::get_if<SayCompiled>(&answer);
        if (compiled == nullptr) {
            return refuse<SayCompiled>(answer, "to compile the cases");
        }
        if (!has_opened_) {
            opened_ = {std::move(head), compiled->units};
        }
        has_opened_ = is_open_ = true;
        return true;
    }

    /// `listed`: the case, where the job is of one.
    template <typename Said, typename Evidence, typename MakeAsk, typename IsExpected, typename Tell>
    std::optional<Evidence> perform(std::optional<std::size_t> listed, milliseconds usual, const Evidence& expected,
                                    MakeAsk make_ask, IsExpected is_expected, Tell tell_loss) {
        if (supervision_.isolate) {
            leave();
            only_ = listed.value_or(cases_.size());
        }
        if (!ready()) {
            return std::nullopt;
        }
        const std::uint64_t job = ++jobs_;
        const auto asked = make_ask(job);
        Answer answer = ask(asked, job, patience(usual));
        auto* const said = std::get_if<Said>(&answer);
        if (said != nullptr && said->job == job && is_expected(said->cell)) {
            Evidence cell = std::move(said->cell);
            if (said->last) {
                leave();
                count_loss();
                tell_last(cell);
            } else {
                losses_ = 0;
            }
            return cell;
        }
        const auto* const loss = std::get_if<Loss>(&answer);
        Evidence cell = expected;
        tell_loss(cell, loss != nullptr ? *loss
                                        : lose(Incident::crash, "the worker answered for another job, and was ended"));
        count_loss();
        return cell;
    }

    template <typename Evidence>
    void tell_last(Evidence& cell) {
        if (!last_words_.empty()) {
            cell.incident_detail += concat("; the worker's last output: ", last_words_);
        }
    }
    std::string last_words_;

    /// The worker may go; what it does not do by itself is done to it.
    void leave() {
        last_words_.clear();
        if (worker_) {
            static_cast<void>(worker_->end(in(patience(to_leave))));
            last_words_ = worker_->last_output(kept_lines);
            worker_.reset();
        }
        is_open_ = false;
    }

    void count_loss() {
        if (++losses_ >= most_losses_in_a_row) {
            why_lost_ = concat(losses_, " jobs in a row have each lost their worker");
        }
    }
};

} // namespace

FoundGpus find_gpus(const Supervision& supervision) {
    FoundGpus found{NoWorkplace{}, std::nullopt};
    const auto vain = [&](std::string message) { found.usable = NoWorkplace{std::nullopt, std::move(message)}; };
    auto started = Child::start(supervision.program, supervision.arguments);
    if (!started) {
        vain(started.error().message);
        return found;
    }
    Child worker = *std::move(started);
    const milliseconds time = supervision.patience ? starting * *supervision.patience : milliseconds(to_open);
    const Deadline deadline = std::chrono::steady_clock::now() + time;
    std::string line;
    const bool asked = worker.say(write_ask(AskList{}), deadline);
    const Child::Heard heard = asked ? worker.hear(line, deadline) : Child::Heard::ended;
    if (heard != Child::Heard::line) {
        const Ending ending = worker.kill();
        const std::string output = worker.last_output(kept_lines);
        vain(concat("the worker that was asked for the GPUs ",
                    heard == Child::Heard::deadline ? concat("did not answer within ", time.count(), " ms")
                                                    : concat("ended with ", describe(ending)),
                    output.empty() ? "" : "; its last output: ", output));
        return found;
    }
    const Result<Say> said = read_say(line);
    if (const auto* gpus = said ? std::get_if<SayGpus>(&*said) : nullptr) {
        found.usable = gpus->usable;
        found.worker.emplace(std::move(worker));
    } else if (const auto* unavailable = said ? std::get_if<SayUnavailable>(&*said) : nullptr) {
        found.usable = NoWorkplace{unavailable->why.problem, unavailable->why.message};
    } else {
        vain(concat("the worker that was asked for the GPUs answered something else", said ? "" : ": ",
                    said ? "" : cut_reason(said.error().message)));
    }
    return found;
}

std::unique_ptr<Workplace> work_supervised(Supervision supervision, RunSetup setup, std::vector<Case> cases, int device,
                                           const Suite& suite, std::optional<Child> first) {
    return std::make_unique<Supervised>(std::move(supervision), std::move(setup), std::move(cases), device, suite,
                                        std::move(first));
}

} // namespace pdlcts
