// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Buffers that an application lets go while a run may use them.

#ifndef NPUKIT_CONFORMANCE_RUNNER_CHECKS_DISPATCH_FREED_BUFFERS_H_
#define NPUKIT_CONFORMANCE_RUNNER_CHECKS_DISPATCH_FREED_BUFFERS_H_

#include <memory>
#include <vector>

#include "conformance/runner/vendor/attached_invocation.h"
#include "conformance/runner/vendor/guarded_memory.h"
#include "litert/c/litert_common.h"
#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

// Registered and attached in place of an invocation's own. When the last reference to a buffer goes,
// which may be the library's, its values are put aside and its memory is spoilt: it stays mapped, so
// that who uses it later gives wrong values and does not crash.
class FreedBuffers {
 public:
  // With the values of `model`, whose buffers must be detached.
  static litert::Expected<std::unique_ptr<FreedBuffers>> Attach(const VendorInvocation& invocation,
                                                                const AttachedInvocation& model);
  // Detaches and unregisters what still is.
  ~FreedBuffers();
  FreedBuffers(const FreedBuffers&) = delete;
  FreedBuffers& operator=(const FreedBuffers&) = delete;

  // All of them, in any order; each once.
  litert::Expected<void> Detach();
  litert::Expected<void> Unregister();
  // Drops the host's references.
  void LetGo();
  // Puts what the buffers held when they were freed, or hold now, into those of `model`.
  void CopyTo(const AttachedInvocation& model);

 private:
  struct Buffer;
  explicit FreedBuffers(const VendorInvocation& invocation);
  litert::Expected<void> Add(const AttachedInvocation::Slot& slot);

  const VendorInvocation& invocation_;
  std::vector<std::unique_ptr<Buffer>> buffers_;
};

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_CHECKS_DISPATCH_FREED_BUFFERS_H_
