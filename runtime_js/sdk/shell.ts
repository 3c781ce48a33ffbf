// Generated from the table of operations; do not edit.
import { call, register } from "./core";
import * as self from "./shell";
import type { ShellOutput } from "gg:shell";

register("shell", self);

export function shell(command: string | string[], options?: { timeoutSecs?: number }): ShellOutput {
  return call("shell.shell", [command, options]);
}
