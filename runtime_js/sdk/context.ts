// Generated from the table of operations; do not edit.
import { call, register } from "./core";
import * as self from "./context";
import type { ArchiveHit, ArchiveSearch, ReclaimReport, TurnRange } from "gg:context";

register("context", self);

export function evictFileView(path?: string): ReclaimReport {
  return call("context.evict_file_view", [path ?? null]);
}

export function archiveThread(ranges: TurnRange[]): ReclaimReport {
  return call("context.archive_thread", [ranges]);
}

export function searchArchive(query: string): ArchiveSearch {
  return call("context.search_archive", [query]);
}

export function compact(summary: string, files?: string[]): void {
  call("context.compact", [summary, files ?? null]);
}
