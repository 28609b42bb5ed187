// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A dispatch library for tests: a software device that is strict about how it is called. Whatever a
// host does wrong (order of calls, alignment, sizes, attaching twice, leaving things behind) is
// written down as a violation and the call refused. Tests open the library a second time (dlopen
// gives the same one) and reach its state through the functions below.
//
// Its bytecode is text:
//   TESTDEV 1          (2 in the build called `second`)
//   fn NAME OP [align=N] [pad=BYTES] [strides]
// OP: add, sub, mul (float32, all inputs of one shape, folded from the left), copy (any type,
// output i from input i). align, pad, strides: what the function requires of every buffer; strides
// put 8 elements of padding behind each row.
//
// The builds `async` and `second_async` run asynchronously too, each run on a thread of its own,
// and watch that nobody writes to what a run under way reads.

#ifndef NPUKIT_SDK_HOST_RUNTIME_TEST_DISPATCH_TEST_DISPATCH_H_
#define NPUKIT_SDK_HOST_RUNTIME_TEST_DISPATCH_TEST_DISPATCH_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace npukit::test_dispatch {

// A number that several threads count, as an int else.
class Count {
 public:
  Count(int number = 0) : number_(number) {}
  Count(const Count& other) : number_(other.number_.load()) {}
  Count& operator=(const Count& other) {
    number_ = other.number_.load();
    return *this;
  }
  operator int() const { return number_; }
  int operator++() { return ++number_; }
  int operator--() { return --number_; }

 private:
  std::atomic<int> number_;
};

// Calls of several threads are counted and written down as they come.
struct State {
  std::vector<std::string> calls;  // "attach_input(main_0, 1)"
  std::vector<std::string> violations;
  std::vector<std::string> specs;  // keys of those that are set
  Count live_devices = 0;
  Count live_buffers = 0;
  Count live_invocations = 0;
  Count live_attachments = 0;
  Count live_metrics = 0;
  Count registrations = 0;
  Count invokes = 0;
  Count async_invokes = 0;
  // One of: "", "device_fails", "device_null", "create_fails", "create_null", "requirements_fail",
  // "requirements_null", "requirements_type", "requirements_small", "requirements_alignment",
  // "requirements_strides", "register_fails", "attach_input_fails", "attach_output_fails",
  // "invoke_fails", "detach_fails", "unregister_fails", "destroy_fails", "device_destroy_fails",
  // "metrics_fail", "metrics_null", "metrics_unnamed", "options_fail", "start_fails",
  // "null_event", "async_fails", "metrics_fail of NAME", which is an entry point.
  std::string fault;

  bool AllReleased() const {
    return live_devices == 0 && live_buffers == 0 && live_invocations == 0 &&
           live_attachments == 0 && live_metrics == 0;
  }
};

}  // namespace npukit::test_dispatch

// The library's state; the caller may change it between calls of the host.
extern "C" npukit::test_dispatch::State* TestDispatchState();

// While held, no asynchronous run gets beyond the reading of its inputs. A run that is held for
// half a minute fails.
extern "C" void TestDispatchHold(bool hold);
// Runs that have begun and not ended.
extern "C" int TestDispatchRunsUnderWay();

#endif  // NPUKIT_SDK_HOST_RUNTIME_TEST_DISPATCH_TEST_DISPATCH_H_
