// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Scripts that ask `npukit completion --candidates` and show the answer as each shell does.

#include "sdk/tools/shell/completion.h"

namespace npukit::tools {
namespace {

// Bash takes the words apart at '=', too: of "--soc=a" only "a" is to be completed.
constexpr std::string_view kBash =
    R"script(# Completion of npukit for bash. Made by `npukit completion bash`.
_npukit() {
  local word words=() answer
  local current=${COMP_WORDS[COMP_CWORD]}
  for word in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
    if [ "$word" = = ] && [ ${#words[@]} -gt 0 ]; then
      words[-1]+='='
    elif [ ${#words[@]} -gt 0 ] && [[ ${words[-1]} == --*= ]]; then
      words[-1]+=$word
    else
      words+=("$word")
    fi
  done
  if [ "$current" = = ]; then current=; fi
  COMPREPLY=()
  while IFS=$'\t' read -r answer _; do
    if [[ ${words[-1]} == --*=* ]]; then answer=${answer#--*=}; fi
    if [ -n "$answer" ]; then COMPREPLY+=("$answer"); fi
  done < <("${COMP_WORDS[0]}" completion --candidates "${words[@]}" 2>/dev/null)
  if [ ${#COMPREPLY[@]} -eq 0 ]; then
    while IFS= read -r answer; do COMPREPLY+=("$answer"); done < <(compgen -f -- "$current")
  fi
}
complete -o filenames -F _npukit npukit
)script";

constexpr std::string_view kZsh = R"script(#compdef npukit
# Completion of npukit for zsh. Made by `npukit completion zsh`.
_npukit() {
  local -a found
  local answer name
  for answer in ${(f)"$(${(Q)words[1]} completion --candidates "${(Q@)words[1,CURRENT]}" 2>/dev/null)"}; do
    name=${answer%%$'\t'*}
    found+=("${name//:/\\:}:${answer#*$'\t'}")
  done
  if (( ${#found} )); then
    _describe npukit found
  else
    _files
  fi
}
if [ "$funcstack[1]" = _npukit ]; then
  _npukit "$@"
else
  compdef _npukit npukit
fi
)script";

constexpr std::string_view kFish =
    R"script(# Completion of npukit for fish. Made by `npukit completion fish`.
function __npukit_candidates
    set -l words (commandline -opc)
    set -l found ($words[1] completion --candidates $words (commandline -ct) 2>/dev/null)
    if test (count $found) -gt 0
        string join \n -- $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c npukit -f -a '(__npukit_candidates)'
)script";

}  // namespace

std::string_view CompletionScript(std::string_view shell) {
  return shell == "bash" ? kBash : shell == "zsh" ? kZsh : kFish;
}

}  // namespace npukit::tools
