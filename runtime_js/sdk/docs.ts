// Generated from the table of operations; do not edit.
import { call, register } from "./core";
import * as self from "./docs";
import type { DocHit, DocSearch } from "gg:docs";

register("docs", self);

export function search(query?: string, options?: { modules?: string[]; kind?: "module" | "function" | "type"; offset?: number; limit?: number }): DocSearch {
  return call("docs.search", [query ?? null, options]);
}

export function close(key: string): number {
  return call("docs.close", [key]);
}

export function closeAll(): number {
  return call("docs.close_all", []);
}
