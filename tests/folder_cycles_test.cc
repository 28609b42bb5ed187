// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// No two folders include each other, directly or by way of others; a folder and one inside it are
// two folders. What tests include does not count.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/source_tree.h"

namespace npukit {
namespace {

// folder -> folder that it includes -> "file includes file", one of them.
using FolderGraph = std::map<std::string, std::map<std::string, std::string>>;

std::string FolderOf(const std::string& path) { return path.substr(0, path.rfind('/')); }

// The folders of the public headers say whom a header is for, not what it is built on: litert/cc and
// litert/cc/internal need each other, as in LiteRT, and so do npukit and npukit/internal.
bool IsPublicHeader(const std::string& path) { return IsUnder(path, "sdk/include"); }

FolderGraph GraphOf(const std::vector<SourceFile>& files) {
  std::set<std::string> known;
  for (const SourceFile& file : files) known.insert(file.path);
  FolderGraph graph;
  for (const SourceFile& file : files) {
    if (IsTestFile(file.path) || IsPublicHeader(file.path)) continue;
    for (const Include& include : file.includes) {
      for (const std::string& target : PathsOf(include)) {
        if (!known.contains(target) || FolderOf(target) == FolderOf(file.path)) continue;
        graph[FolderOf(file.path)].emplace(FolderOf(target), file.path + " includes " + target);
      }
    }
  }
  return graph;
}

// The includes along a way from a folder back to itself; empty if there is none.
std::vector<std::string> FindCycle(const FolderGraph& graph) {
  std::set<std::string> done;
  for (const auto& [start, unused] : graph) {
    // Breadth first: the shortest cycle through `start`.
    std::map<std::string, std::string> came_from;
    std::vector<std::string> queue = {start};
    for (size_t i = 0; i < queue.size(); ++i) {
      const auto from = graph.find(queue[i]);
      if (from == graph.end()) continue;
      for (const auto& [to, why] : from->second) {
        if (done.contains(to) || !came_from.emplace(to, queue[i]).second) continue;
        queue.push_back(to);
      }
    }
    if (came_from.contains(start)) {
      std::vector<std::string> cycle;
      std::string at = start;
      do {
        const std::string& before = came_from.at(at);
        cycle.push_back(graph.at(before).at(at));
        at = before;
      } while (at != start);
      std::reverse(cycle.begin(), cycle.end());
      return cycle;
    }
    done.insert(start);
  }
  return {};
}

SourceFile File(const std::string& path, const std::vector<std::string>& includes) {
  SourceFile file{.path = path};
  for (const std::string& include : includes)
    file.includes.push_back({.target = include, .quoted = true});
  return file;
}

TEST(FolderCycles, NoneInTheTree) {
  const std::vector<SourceFile> files = ReadSourceTree();
  const FolderGraph graph = GraphOf(files);
  EXPECT_GT(graph.size(), 30u) << "the walk found hardly any folder";
  EXPECT_THAT(FindCycle(graph), testing::IsEmpty());
}

TEST(FolderCycles, FindsOneThroughThreeFolders) {
  const auto cycle =
      FindCycle(GraphOf({File("a/one/x.cc", {"a/two/y.h"}), File("a/two/y.h", {"a/three/z.h"}),
                         File("a/three/z.h", {"a/one/x.h"}), File("a/one/x.h", {})}));
  EXPECT_THAT(
      cycle, testing::ElementsAre("a/one/x.cc includes a/two/y.h", "a/two/y.h includes a/three/z.h",
                                  "a/three/z.h includes a/one/x.h"));
}

TEST(FolderCycles, FindsOneBetweenAFolderAndOneInsideIt) {
  EXPECT_EQ(FindCycle(GraphOf({File("a/x.h", {"a/inner/y.h"}), File("a/inner/y.h", {"a/z.h"}),
                               File("a/z.h", {})}))
                .size(),
            2u);
}

TEST(FolderCycles, LeavesTestsOut) {
  EXPECT_THAT(FindCycle(GraphOf({File("a/x.h", {}), File("b/y.h", {"a/x.h"}),
                                 File("a/x_test.cc", {"b/y.h"}), File("a/testing/rig.h", {"b/y.h"}),
                                 File("a/w.cc", {"a/testing/rig.h"})})),
              testing::IsEmpty());
}

}  // namespace
}  // namespace npukit
