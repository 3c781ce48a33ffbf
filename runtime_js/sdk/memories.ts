// Generated from the table of operations; do not edit.
import { call, register } from "./core";
import * as self from "./memories";
import type { MemoryCreate, MemoryEdit, MemoryHit, MemoryHits, MemoryUpdate, MemoryUsage, MemoryWrite } from "gg:memories";

register("memories", self);

export function writeMemory(memory: MemoryWrite): MemoryUsage {
  return call("memories.write_memory", [memory]);
}

export function updateMemory(memory: MemoryUpdate): MemoryUsage {
  return call("memories.update_memory", [memory]);
}

export function createMemory(memory: MemoryCreate): MemoryUsage {
  return call("memories.create_memory", [memory]);
}

export function readMemory(name: string): string {
  return call("memories.read_memory", [name]);
}

export function editMemory(edit: MemoryEdit): MemoryUsage {
  return call("memories.edit_memory", [edit]);
}

export function deleteMemory(name: string, options?: { expectedRevision?: number }): MemoryUsage {
  return call("memories.delete_memory", [name, options]);
}

export function searchMemories(keywords: string[]): MemoryHits {
  const result: { hits: MemoryHit[]; total: number } = call("memories.search_memories", [keywords]);
  return Object.assign(result.hits.map((hit) => ({ ...hit, read: () => readMemory(hit.name) })), { total: result.total });
}
