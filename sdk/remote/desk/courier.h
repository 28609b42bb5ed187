// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Carries messages between the links of several processes and one connection: each link has a channel of
// it. Messages are checked, and only their channel is changed.

#ifndef NPUKIT_SDK_REMOTE_DESK_COURIER_H_
#define NPUKIT_SDK_REMOTE_DESK_COURIER_H_

namespace npukit::remote {

// Takes links' sockets out of messages on `control` (SCM_RIGHTS) and serves them until `control` or the
// connection ends, or something comes from the device that is no message. A link that ends closes its
// channel.
void RunCourier(int control, int device);

// Hands a socket to the courier at the other end of `control`; false: it is gone.
bool HandToCourier(int control, int link);

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_DESK_COURIER_H_
