// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the messages between desk and device are for. The desk asks, the device answers each request
// once; calls of several threads in any order, all else of one channel in order. While it works it says every
// second that it does.

#ifndef NPUKIT_SDK_REMOTE_WIRE_MESSAGE_KIND_H_
#define NPUKIT_SDK_REMOTE_WIRE_MESSAGE_KIND_H_

#include <cstdint>

namespace npukit::remote {

// Both sides must have the same: a worker of another version is refused.
inline constexpr uint32_t kProtocolVersion = 6;

enum class MessageKind : uint16_t {
  // From the desk.
  kHello = 1,     // version, whether the library is to be quiet
  kHaveFile = 2,  // digest
  kPutFile = 3,   // a piece of a file: digest, size of the whole, offset, bytes
  kOpen = 4,      // a fresh process that loads a library: digest, file name
  kCall = 5,      // functions of that library: a list of DispatchCall
  kClose = 6,     // ends the channel and its processes; is not answered
  kOpenPlugin =
      7,  // a fresh process that loads a compiler plugin, beside the library's: digest, file name
  kPluginCall = 8,  // a function of that plugin: PluginCall
  // From the device.
  kFacts = 101,         // to kHello: version, DeviceFacts
  kYes = 102,           // to kHaveFile, kPutFile
  kNo = 103,            // to kHaveFile
  kOpened = 104,        // to kOpen: LibraryFacts
  kAnswer = 105,        // to kCall: a list of DispatchAnswer
  kRefused = 106,       // to any: a sentence
  kDied = 107,          // to kOpen, kCall, kOpenPlugin, kPluginCall: how the process ended
  kWorking = 108,       // before an answer
  kPluginOpened = 109,  // to kOpenPlugin: PluginFacts
  kPluginAnswer = 110,  // to kPluginCall: PluginAnswer
};

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_WIRE_MESSAGE_KIND_H_
