// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What makes thousands of forks cheap. A worker that allocates from a heap in which its parent left
// holes everywhere copies a page with nearly every allocation: that cost a third of a run. So what
// the parent reads before it forks lies on a heap of its own, and the main one is next to empty.

#ifndef NPUKIT_CONFORMANCE_RUNNER_PROCESS_LEAN_HEAP_H_
#define NPUKIT_CONFORMANCE_RUNNER_PROCESS_LEAN_HEAP_H_

#include <functional>

namespace npukit::conformance {

// Does the work on a thread of its own, whose allocations come from another heap, and waits for it.
// Afterwards there is one thread as before.
void OnAnotherHeap(const std::function<void()>& work);

// Gives back what is free, for a fork copies the page tables of what is there; and lets large blocks
// be fresh memory of the kernel's again, in workers too, however large a block was freed here.
void TrimHeaps();

// Puts what lies on other heaps than the main one into huge pages where the kernel can do that: a
// fork then copies one entry for what were 512, and its end drops one. Workers read there and
// write to the main heap.
void ShareInHugePages();

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_PROCESS_LEAN_HEAP_H_
