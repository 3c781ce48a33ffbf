// Generated from the table of operations; do not edit.
import { call, register } from "./core";
import * as self from "./delegation";
import type { Subagent, SubagentEnd, SubagentTask, SuccessorTask } from "gg:delegation";

register("delegation", self);

export function spawnSubagent(task: SubagentTask): Subagent {
  return call("delegation.spawn_subagent", [task]);
}

export function waitForSubagents(ids?: string[]): SubagentEnd[] {
  return call("delegation.wait_for_subagents", [ids ?? null]);
}

export function sendMessage(id: string, text: string): void {
  call("delegation.send_message", [id, text]);
}

export function fork(options?: { prompt?: string }): void {
  call("delegation.fork", [options]);
}

export function exec(task: SuccessorTask): void {
  call("delegation.exec", [task]);
}

export function transitionState(state: string): void {
  call("delegation.transition_state", [state]);
}
