// Generated from the table of operations; do not edit.
import { call, register } from "./core";
import * as self from "./files";
import type { DirEntry, FileRead, ImageRead, SearchMatch, TextRead } from "gg:files";

register("files", self);

export function readFile(path: string, options?: { offset?: number; limit?: number }): FileRead {
  return call("files.read_file", [path, options]);
}

export function readTextFile(path: string, options?: { offset?: number; limit?: number }): string {
  return call("files.read_text_file", [path, options]);
}

export function writeFile(path: string, contents: string): number {
  return call("files.write_file", [path, contents]);
}

export function editFile(path: string, oldString: string, newString: string): void {
  call("files.edit_file", [path, oldString, newString]);
}

export function listDir(path?: string): DirEntry[] {
  return call("files.list_dir", [path ?? null]);
}

export function search(query: string, options?: { path?: string; limit?: number }): SearchMatch[] {
  return call("files.search", [query, options]);
}
