// Generated from the table of operations; do not edit.
import { call, register } from "./core";
import * as self from "./files";
import type { DirEntry, FileRead } from "gg:files";

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

export function listDir(path?: string): DirEntry[] {
  return call("files.list_dir", [path]);
}
