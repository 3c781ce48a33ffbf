// Generated from the table of operations; do not edit.
import { call, register } from "./core";
import * as self from "./skills";

register("skills", self);

export function readSkill(name: string): string {
  return call("skills.read_skill", [name]);
}
