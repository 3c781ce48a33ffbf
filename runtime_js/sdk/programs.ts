// Generated from the table of operations; do not edit.
import { call, register } from "./core";
import * as self from "./programs";
import type { ProgramSummary } from "gg:programs";

register("programs", self);

export function history(): ProgramSummary[] {
  const result: ProgramSummary[] = call("programs.history", []);
  return result.map((program) => ({ ...program, source: () => get(program.turn) }));
}

export function get(turn?: number): string {
  return call("programs.get", [turn ?? null]);
}

export function rerun(source: string): void {
  call("programs.rerun", [source]);
}
