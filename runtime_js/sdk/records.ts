// Generated from the table of operations; do not edit.
import { call, register } from "./core";
import * as self from "./records";
import type { KeptRecord, PassageDraft, RecordApproval, RecordEvidence, RecordPassage, RecordPut, RecordSuperseded, RecordWarning, RecordsFound, RecordsStatus, WithdrawnRecord } from "gg:records";

register("records", self);

export function put(text: string, options?: { source?: string; kind?: "note" | "lesson"; tags?: string[]; staleAfter?: string; passage?: string | PassageDraft }): RecordPut {
  return call("records.put", [text, options]);
}

export function search(query: string, options?: { topK?: number; tags?: string[]; kind?: "note" | "lesson" }): RecordsFound {
  return call("records.search", [query, options]);
}

export function recall(options?: { recordIds?: string[]; tags?: string[]; kind?: "note" | "lesson"; proposed?: boolean; limit?: number }): RecordsFound {
  return call("records.recall", [options]);
}

export function status(): RecordsStatus {
  return call("records.status", []);
}
