// Generated from the table of operations; do not edit.
import { call, register } from "./core";
import * as self from "./skillbook";
import type { BookSkill, SkillDone, SkillGiven, SkillSource, SkillsFound } from "gg:skillbook";

register("skillbook", self);

export function searchSkills(query: string, options?: { topK?: number; section?: "context" | "harness"; keywords?: string[] }): SkillsFound {
  return call("skillbook.search_skills", [query, options]);
}

export function readSkill(skillId: string): SkillGiven {
  return call("skillbook.read_skill", [skillId]);
}

export function addSkill(section: "context" | "harness", issue: string, keywords: string[], options?: { insight?: string; evidence?: string }): SkillDone {
  return call("skillbook.add_skill", [section, issue, keywords, options]);
}

export function updateSkill(skillId: string, options?: { issue?: string; keywords?: string[]; insight?: string; evidence?: string }): SkillDone {
  return call("skillbook.update_skill", [skillId, options]);
}

export function tagSkill(skillId: string, delta: number): SkillDone {
  return call("skillbook.tag_skill", [skillId, delta]);
}

export function removeSkill(skillId: string, reason: string): SkillDone {
  return call("skillbook.remove_skill", [skillId, reason]);
}
