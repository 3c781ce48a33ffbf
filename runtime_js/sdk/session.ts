// Generated from the table of operations; do not edit.
import { call, register } from "./core";
import * as self from "./session";

register("session", self);

export function finish(summary: string): void {
  call("session.finish", [summary]);
}

export function approve(): void {
  call("session.approve", []);
}

export function requestChanges(items: string[]): void {
  call("session.request_changes", [items]);
}
