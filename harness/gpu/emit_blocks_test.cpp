// SPDX-License-Identifier: Apache-2.0
// What the threads of a block and of a cluster share: shared memory, mbarriers and bulk copies.
#include "harness/gpu/emit_testing.hpp"

using namespace pdlcts;

namespace {

/// That the parts stand in the text in this order.
void check_order(const std::string& text, std::initializer_list<const char*> parts) {
    std::size_t place = 0;
    for (const char* part : parts) {
        const auto found = text.find(part, place);
        REQUIRE_MESSAGE(found != std::string::npos, std::string(part) << " in " << text);
        place = found + 1;
    }
}

/// The kernel, without the definitions before it.
std::string kernel_of(const std::string& source) {
    const auto start = source.find("extern \"C\"");
    REQUIRE(start != std::string::npos);
    return source.substr(start);
}

constexpr const char* bulk = R"(memory x[4] = 0, y[4] = 0
grid g <<<1, 64>>>
  shared  tile[4] = 7
  mbarrier full = 1
  thread 40:
      mbarrier.arrive.expect_tx.release.cta full, 16
      cp.async.bulk.shared.global tile, x, full
      mbarrier.wait.acquire.cta full, 0 -> done within 30us
      fence.proxy.async
      cp.async.bulk.global.shared y, tile
      cp.async.bulk.commit_group
      cp.async.bulk.wait_group.read 0
ends
)";

} // namespace

TEST_CASE("shared memory is initialised by one thread, before a barrier of all and before any agent") {
    const std::string source = emit_text(R"(grid g <<<2, 64>>>
  shared  tile[4] = {1, 2, 3, 4}, s:u8 = 1, same[8] = 9
  mbarrier full = 3
  thread 40:
      bar.sync
      ld.weak tile[2] -> r
ends
)");
    check_order(kernel_of(source),
                {"const word salt = ", "__shared__ __align__(16) unsigned char storage_tile[16];",
                 "const shared_address location_tile = shared_window(storage_tile);",
                 "__shared__ __align__(16) unsigned char storage_s[1];",
                 "__shared__ __align__(8) unsigned char storage_full[8];", "if (threadIdx.x == 0) {",
                 "st_weak_shared(location_tile + 0, salt + 1u);", "st_weak_shared(location_tile + 12, salt + 4u);",
                 "st_weak_shared_u8(location_s + 0, ((salt >> 7) + 1u & 255u));",
                 "for (word element = 0; element < 8; ++element) {",
                 "st_weak_shared(location_same + 4 * element, salt + 9u);", "mbarrier_init(location_full, 3u);",
                 "fence_mbarrier_init();", "barrier_sync();", "if (!((threadIdx.x == 40))) return;",
                 "if (threadIdx.x == 40) {", "barrier_sync();", "ld_weak_shared(location_tile + 8)"});
    CHECK(contains(source, "ld.weak.shared::cta.u32 %0, [%1];"));
    CHECK(contains(source, "mbarrier.init.shared::cta.b64 [%0], %1;"));
    CHECK_FALSE(contains(source, "fence_proxy_async")); // nothing of it is copied
}

TEST_CASE("a grid whose blocks reach each other's shared memory begins behind a barrier of the cluster") {
    const std::string source = emit_text(R"(grid g <<<2, 32>>> cluster 2
  shared  tile[4] = 0
  mbarrier full = 1
  thread 0:
      st.weak tile[2]@1, 5
      atom.relaxed.cluster.add tile[0]@0, 1 -> old
      mbarrier.arrive.release.cluster full@1
      barrier.cluster.arrive.release
      barrier.cluster.wait.acquire
ends
)");
    check_order(kernel_of(source),
                {"fence_mbarrier_init();", "}", "barrier_cluster_arrive_release();", "barrier_cluster_wait_acquire();",
                 "if (!((threadIdx.x == 0))) return;", "st_weak_cluster(map_to_rank(location_tile + 8, 1), salt + 5u);",
                 "atom_relaxed_cluster_add_cluster(map_to_rank(location_tile, 0), 1u)",
                 "mbarrier_arrive_release_cluster_remote(map_to_rank(location_full, 1));",
                 "barrier_cluster_arrive_release();"});
    CHECK(contains(source, "st.weak.shared::cluster.u32 [%0], %1;"));
    CHECK(contains(source, "atom.relaxed.cluster.shared::cluster.add.u32"));
    CHECK(contains(source, "mapa.shared::cluster.u32 %0, %1, %2;"));
    CHECK(contains(source, "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];"));
    CHECK_FALSE(contains(kernel_of(source), "barrier_sync();"));
}

TEST_CASE("bulk copies and mbarriers are PTX, and every poll is bounded") {
    const std::string source = emit_text(bulk);
    check_order(kernel_of(source),
                {"fence_proxy_async();", "mbarrier_arrive_expect_tx_release_cta(location_full, 16u);",
                 "cp_async_bulk_shared_global(location_tile, location_x, 16u, location_full);",
                 "satisfied_0 = mbarrier_wait_acquire_cta(location_full, 0u, within_0, elapsed_0);",
                 "fence_proxy_async();", "cp_async_bulk_global_shared(location_y, location_tile, 16u);",
                 "cp_async_bulk_commit_group();", "cp_async_bulk_wait_group_read_0();"});
    for (const char* ptx : {"mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;",
                            "mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 complete, [%1], %2, 1000;",
                            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];",
                            "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;",
                            "cp.async.bulk.commit_group;", "cp.async.bulk.wait_group.read 0;"}) {
        CHECK_MESSAGE(contains(source, ptx), std::string(ptx));
    }
    CHECK(contains(source, "poll < most_polls"));
}

TEST_CASE("a block does not leave while a copy that it did not see complete may still write its shared memory") {
    CHECK(contains(kernel_of(emit_text(bulk)),
                   "if (satisfied_0 == 0) mbarrier_wait_acquire_cta(location_full, 0u, 100000, elapsed_0);"));
    const std::string source = emit_text(R"(grid g <<<1, 32>>>
  mbarrier full = 1
  thread 0:
      mbarrier.wait.acquire.cta full, 0 within 1us
ends
)");
    CHECK_FALSE(contains(source, "== 0) mbarrier_wait"));
}
