# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""What npukit raises. Messages name the file, the op or tensor, what was expected and what was found."""


class Error(Exception):
  """Base class of all of npukit's exceptions."""


class UsageError(Error, ValueError):
  """The arguments make no sense: a name that the model lacks, a shape that does not fit."""


class LoadError(Error):
  """A model, plugin or dispatch library could not be loaded."""


class RunError(Error):
  """A run or a compilation failed, or the NPU did not run though it was required."""


class CrashError(RunError):
  """A command was ended by a signal: a vendor's library crashed. This process goes on."""


class NpukitWarning(UserWarning):
  """What a user should know though the work was done."""
