// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What makes thousands of forks cheap. A worker that allocates from a heap in which its parent left
// holes everywhere copies a page with nearly every allocation: that cost a third of a run. So what
// the parent reads before it forks lies on a heap of its own, and the main one is next to empty.

#ifndef NPUKIT_CONFORMANCE_RUNNER_PROCESS_LEAN_HEAP_H_
#define NPUKIT_CONFORMANCE_RUNNER_PROCESS_LEAN_HEAP_H_

#include <functional>
#include <memory>
#include <vector>

namespace npukit::conformance {

// Does the work on a thread of its own, whose allocations come from another heap, and waits for it.
// Afterwards there is one thread as before.
void OnAnotherHeap(const std::function<void()>& work);

// A heap that nothing else of the process allocates from: for what changes between forks. On the main
// heap it would leave the holes that workers then find; among what was read before, it would
// write to pages that all of them share. Its thread waits between two works; a process that is
// forked in the meantime has neither and must leave by _exit. Under a sanitizer it is the caller's.
class OwnHeap {
 public:
  OwnHeap();
  ~OwnHeap();
  OwnHeap(const OwnHeap&) = delete;
  OwnHeap& operator=(const OwnHeap&) = delete;

  // Does the work on the heap's thread and waits for it. Not thread-safe.
  void Do(const std::function<void()>& work);

 private:
  class Thread;
  // The last one's is the heap. The others hold heaps that threads left behind, which it would have
  // been given otherwise.
  std::vector<std::unique_ptr<Thread>> threads_;
};

// On the heap, or where it is called if there is none.
void DoOn(OwnHeap* heap, const std::function<void()>& work);

// Gives back what is free, for a fork copies the page tables of what is there; and lets large blocks
// be fresh memory of the kernel's again, in workers too, however large a block was freed here.
void TrimHeaps();

// In a worker, which does not live long: what is freed stays for the next block, however large. Pages
// of the kernel's are taken once, not again for each tensor.
void KeepFreedMemory();
// Puts what lies on other heaps than the main one into huge pages where the kernel can do that: a
// fork then copies one entry for what were 512, and its end drops one. Workers read there and
// write to the main heap.
void ShareInHugePages();

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_PROCESS_LEAN_HEAP_H_
