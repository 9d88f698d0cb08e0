// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

namespace pdlcts {

/// Calls `work` with each element, on as many threads as the machine has cores. The first exception is thrown on.
template <typename Element, typename Work>
void for_each_in_parallel(std::vector<Element>& elements, const Work& work) {
    std::atomic<std::size_t> next = 0;
    const std::size_t threads =
        std::min<std::size_t>(std::max(1u, std::thread::hardware_concurrency()), elements.size());
    std::vector<std::exception_ptr> problems(threads);
    {
        std::vector<std::jthread> workers;
        for (std::size_t worker = 0; worker < threads; ++worker) {
            workers.emplace_back([&, worker] {
                try {
                    for (std::size_t index = next++; index < elements.size(); index = next++) {
                        work(elements[index]);
                    }
                } catch (...) {
                    problems[worker] = std::current_exception();
                }
            });
        }
    }
    for (const std::exception_ptr& problem : problems) {
        if (problem) {
            std::rethrow_exception(problem);
        }
    }
}

} // namespace pdlcts
