/** `console`: lines for the operator. Rendering is bounded and never throws into the program. */

import type { Intrinsics } from "../intrinsics";

const METHODS = ["log", "info", "warn", "error", "debug", "trace", "dir"];
/** The worker keeps 2 KiB of a line; what is rendered beyond that is thrown away. */
const ENOUGH_CHARS = 4_096;
const DEPTH = 8;

export default ($: Intrinsics): Record<string, unknown> => {
  const { toString } = Object.prototype;
  const { toISOString } = Date.prototype;
  const { slice } = String.prototype;
  const { isError } = Error as unknown as { isError(value: unknown): value is Error };
  const { isArray } = Array;
  const { keys } = Object;
  const { quote } = $;
  const tag = (value: unknown): string => $.apply(slice, $.apply(toString, value, []), [8, -1]);

  const withoutEnd = (stack: string): string => $.apply(slice, stack, [0, stack[stack.length - 1] == "\n" ? -1 : undefined]);

  const line = (values: unknown[]): string => {
    let out = "";
    const open: unknown[] = [];
    const full = (): boolean => out.length > ENOUGH_CHARS;

    const list = (count: number, item: (index: number) => void): void => {
      for (let i = 0; i < count && !full(); i++) {
        if (i) out += ",";
        item(i);
      }
    };
    const entries = (value: object): void => {
      const found = keys(value);
      out += "{";
      list(found.length, (i) => {
        out += quote(found[i]!) + ":";
        inner((value as any)[found[i]!]);
      });
      out += "}";
    };
    const error = (value: Error): void => {
      const stack = value.stack;
      out += `${value.name}: ${value.message}`;
      if (typeof stack == "string" && stack) out += "\n" + withoutEnd(stack);
    };
    const object = (value: any): void => {
      for (let i = 0; i < open.length; i++)
        if (open[i] === value) {
          out += "[Circular]";
          return;
        }
      if (open.length == DEPTH) {
        out += isArray(value) ? "[…]" : "{…}";
        return;
      }
      open[open.length] = value;
      const name = tag(value);
      if (isArray(value)) {
        out += "[";
        list(value.length, (i) => inner(value[i]));
        out += "]";
      } else if (isError(value)) error(value);
      else if (name == "Date") out += quote($.apply(toISOString, value, []));
      else if (name == "RegExp") out += `${value}`;
      else if (name == "Map" || name == "Set") {
        out += `${name}(${value.size}) `;
        inner([...value]);
      } else {
        if (name != "Object") out += name + " ";
        entries(value);
      }
      open.length--;
    };
    const inner = (value: any): void => {
      const kind = typeof value;
      if (kind == "string") out += quote($.apply(slice, value, [0, ENOUGH_CHARS]));
      else if (kind == "bigint") out += `${value}n`;
      else if (kind == "function") out += `[function ${value.name}]`;
      else if (kind == "object" && value) object(value);
      else out += String(value);
    };

    for (let i = 0; i < values.length && !full(); i++) {
      const before = out;
      if (i) out += " ";
      const value = values[i];
      try {
        if (typeof value == "string") out += $.apply(slice, value, [0, ENOUGH_CHARS]);
        else inner(value);
      } catch {
        // A getter, a proxy or a `toString` of the program's own.
        out = `${before}${i ? " " : ""}[${tag(value)} that cannot be shown]`;
        open.length = 0;
      }
    }
    return out;
  };

  const console: Record<string, unknown> = {};
  for (const method of METHODS)
    console[method] = {
      [method](...values: unknown[]): void {
        let text = line(values);
        if (method == "trace") text += "\n" + withoutEnd(`${new Error().stack}`);
        $.log(method, quote($.apply(slice, text, [0, ENOUGH_CHARS])));
      },
    }[method];
  return { console };
};
