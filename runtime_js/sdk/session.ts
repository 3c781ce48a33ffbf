// Generated from the table of operations; do not edit.
import { call } from "./core";

export function finish(summary: string): void {
  call("session.finish", [summary]);
}
