// Generated from the table of operations; do not edit.
import { call, register } from "./core";
import * as self from "./session";

register("session", self);

export function finish(summary: string): void {
  call("session.finish", [summary]);
}
