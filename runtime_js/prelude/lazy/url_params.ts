/** `URLSearchParams`: an ordered list of pairs. */

import { decode, hexByte, utf8 } from "./url_percent";

type Pair = [string, string];

export const parseForm = (text: string): Pair[] =>
  text
    .split("&")
    .filter((part) => part != "")
    .map((part) => {
      const at = part.indexOf("=");
      const [name, value] = at < 0 ? [part, ""] : [part.slice(0, at), part.slice(at + 1)];
      const plain = (coded: string): string => decode(coded.replaceAll("+", " "));
      return [plain(name), plain(value)];
    });

const formEncode = (text: string): string => {
  let out = "";
  for (const byte of utf8(text)) {
    const character = String.fromCharCode(byte);
    out += byte == 0x20 ? "+" : /[A-Za-z0-9*._-]/.test(character) ? character : hexByte(byte);
  }
  return out;
};

const word = (value: unknown): string => `${value}`.toWellFormed();

export class URLSearchParams {
  #pairs: Pair[] = [];
  /** Told of each change; a URL passes its own. */
  #changed: () => void = () => {};

  constructor(init: unknown = "") {
    if (typeof init == "object" && init !== null) {
      if (Symbol.iterator in init)
        for (const pair of init as Iterable<unknown>) {
          const parts = [...(pair as Iterable<unknown>)];
          if (parts.length != 2) throw new TypeError("URLSearchParams needs pairs of a name and a value");
          this.#pairs.push([word(parts[0]), word(parts[1])]);
        }
      else for (const [name, value] of Object.entries(init)) this.#pairs.push([word(name), word(value)]);
    } else this.#pairs = parseForm(word(init).replace(/^\?/, ""));
  }

  static attach(params: URLSearchParams, changed: () => void): (pairs: Pair[]) => void {
    params.#changed = changed;
    return (pairs) => (params.#pairs = pairs);
  }

  get size(): number {
    return this.#pairs.length;
  }
  append(name: unknown, value: unknown): void {
    this.#pairs.push([word(name), word(value)]);
    this.#changed();
  }
  delete(name: unknown, value?: unknown): void {
    const [key, only] = [word(name), value === undefined ? undefined : word(value)];
    this.#pairs = this.#pairs.filter(([n, v]) => n != key || (only !== undefined && v != only));
    this.#changed();
  }
  get(name: unknown): string | null {
    const key = word(name);
    return this.#pairs.find(([n]) => n == key)?.[1] ?? null;
  }
  getAll(name: unknown): string[] {
    const key = word(name);
    return this.#pairs.filter(([n]) => n == key).map(([, value]) => value);
  }
  has(name: unknown, value?: unknown): boolean {
    const [key, only] = [word(name), value === undefined ? undefined : word(value)];
    return this.#pairs.some(([n, v]) => n == key && (only === undefined || v == only));
  }
  set(name: unknown, value: unknown): void {
    const [key, text] = [word(name), word(value)];
    const at = this.#pairs.findIndex(([n]) => n == key);
    if (at < 0) this.#pairs.push([key, text]);
    else {
      this.#pairs = this.#pairs.filter(([n], i) => i <= at || n != key);
      this.#pairs[at]![1] = text;
    }
    this.#changed();
  }
  sort(): void {
    this.#pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    this.#changed();
  }
  forEach(callback: (value: string, name: string, params: URLSearchParams) => void, self?: unknown): void {
    for (const [name, value] of this) callback.call(self, value, name, this);
  }
  *entries(): Generator<Pair, undefined> {
    for (let i = 0; i < this.#pairs.length; i++) yield [...this.#pairs[i]!];
    return undefined;
  }
  *keys(): Generator<string, undefined> {
    for (const [name] of this.entries()) yield name;
    return undefined;
  }
  *values(): Generator<string, undefined> {
    for (const [, value] of this.entries()) yield value;
    return undefined;
  }
  [Symbol.iterator](): Generator<Pair, undefined> {
    return this.entries();
  }
  toString(): string {
    return this.#pairs.map(([name, value]) => `${formEncode(name)}=${formEncode(value)}`).join("&");
  }
}
