// Generated from the table of operations; do not edit.
import { call, keyOf, register } from "./core";
import * as self from "./views";
import type { FileRead, ImageRead, OpenView, Region, TextRead } from "gg:views";

register("views", self);

export function openText(label: string, body: string): void {
  call("views.open_text", [label, body]);
}

export function openFile(path: string, options?: { offset?: number; limit?: number; maxLineChars?: number }): FileRead {
  return call("views.open_file", [path, options]);
}

export function openDocsView(target: Function | Record<string, Function> | string): void {
  call("views.open_docs_view", [keyOf(target)]);
}

export function close(selector: string): number {
  return call("views.close", [selector]);
}

export function current(): OpenView[] {
  const result: OpenView[] = call("views.current", []);
  return result.map((view) => ({ ...view, close: () => view.kind === "docs" ? call("docs.close", [view.selector]) : view.kind === "skill" ? 0 : close(view.selector) }));
}
