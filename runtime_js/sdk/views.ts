// Generated from the table of operations; do not edit.
import { call } from "./core";
import type { FileRead, OpenView, Region } from "gg:views";

export function openText(label: string, body: string): void {
  call("views.open_text", [label, body]);
}

export function openFile(path: string, options?: { offset?: number; limit?: number; maxLineChars?: number }): FileRead {
  return call("views.open_file", [path, options]);
}

export function openDocsView(target: Function | string): void {
  call("views.open_docs_view", [typeof target === "function" ? target.name : target]);
}

export function close(selector: string): number {
  return call("views.close", [selector]);
}

export function current(): OpenView[] {
  const result: OpenView[] = call("views.current", []);
  return result.map((view) => ({ ...view, close: () => close(view.selector) }));
}
