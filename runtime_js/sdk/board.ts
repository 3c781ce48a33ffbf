// Generated from the table of operations; do not edit.
import { call, register } from "./core";
import * as self from "./board";
import type { Issue, IssueDraft, IssueEnd } from "gg:board";

register("board", self);

export function createIssue(issue: IssueDraft): Issue {
  return call("board.create_issue", [issue]);
}

export function waitForIssue(ids?: string[]): IssueEnd[] {
  return call("board.wait_for_issue", [ids ?? null]);
}
