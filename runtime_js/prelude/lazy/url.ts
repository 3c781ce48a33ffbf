/** `URL` and `URLSearchParams`. */

import type { Intrinsics } from "../intrinsics";
import { encode } from "./url_percent";
import { parseForm, URLSearchParams } from "./url_params";
import { isSpecial, parse, pathname, type Record, serialize, setHost, setPath, setPort } from "./url_record";

const attach = URLSearchParams.attach;
delete (URLSearchParams as { attach?: unknown }).attach;

const read = (input: unknown, base: unknown): Record | null => {
  if (base === undefined) return parse(`${input}`, null);
  const from = parse(`${base}`, null);
  return from && parse(`${input}`, from);
};

class URL {
  #url: Record;
  #params: URLSearchParams;
  #replacePairs: (pairs: [string, string][]) => void;

  constructor(input: unknown, base?: unknown) {
    const url = read(input, base);
    if (!url)
      throw new TypeError(
        `Invalid URL: ${JSON.stringify(`${input}`)}${base === undefined ? "" : ` with base ${JSON.stringify(`${base}`)}`}`,
      );
    this.#url = url;
    this.#params = new URLSearchParams(url.query ?? "");
    this.#replacePairs = attach(this.#params, () => {
      const text = this.#params.toString();
      this.#url.query = text == "" ? null : text;
    });
  }

  static canParse(input: unknown, base?: unknown): boolean {
    return read(input, base) !== null;
  }
  static parse(input: unknown, base?: unknown): URL | null {
    return URL.canParse(input, base) ? new URL(input, base) : null;
  }

  get href(): string {
    return serialize(this.#url);
  }
  set href(value: unknown) {
    const url = parse(`${value}`, null);
    if (!url) throw new TypeError(`Invalid URL: ${JSON.stringify(`${value}`)}`);
    this.#url = url;
    this.#replacePairs(parseForm(url.query ?? ""));
  }
  get origin(): string {
    const { scheme, host, port } = this.#url;
    if (scheme == "blob:") return parse(pathname(this.#url), null)?.scheme.startsWith("http") ? new URL(pathname(this.#url)).origin : "null";
    if (!isSpecial(scheme) || scheme == "file:") return "null";
    return `${scheme}//${host}${port === null ? "" : `:${port}`}`;
  }
  get protocol(): string {
    return this.#url.scheme;
  }
  set protocol(value: unknown) {
    const found = /^([a-z][a-z\d+.-]*)(:|$)/i.exec(`${value}`);
    if (!found) return;
    const scheme = found[1]!.toLowerCase() + ":";
    const { username, password, port, host } = this.#url;
    if (isSpecial(scheme) != isSpecial(this.#url.scheme)) return;
    if (scheme == "file:" && (username || password || port !== null)) return;
    if (this.#url.scheme == "file:" && host == "") return;
    this.#url.scheme = scheme;
    if (port !== null) setPort(this.#url, `${port}`);
  }
  get username(): string {
    return this.#url.username;
  }
  set username(value: unknown) {
    if (this.#bare()) return;
    this.#url.username = encode(`${value}`.toWellFormed(), "userinfo");
  }
  get password(): string {
    return this.#url.password;
  }
  set password(value: unknown) {
    if (this.#bare()) return;
    this.#url.password = encode(`${value}`.toWellFormed(), "userinfo");
  }
  get host(): string {
    const { host, port } = this.#url;
    return `${host ?? ""}${port === null ? "" : `:${port}`}`;
  }
  set host(value: unknown) {
    this.#setHost(value, true);
  }
  get hostname(): string {
    return this.#url.host ?? "";
  }
  set hostname(value: unknown) {
    this.#setHost(value, false);
  }
  get port(): string {
    return `${this.#url.port ?? ""}`;
  }
  set port(value: unknown) {
    const text = clean(value);
    const digits = /^\d+/.exec(text)?.[0];
    if (this.#bare() || (text != "" && digits === undefined)) return;
    setPort(this.#url, digits ?? "");
  }
  get pathname(): string {
    return pathname(this.#url);
  }
  set pathname(value: unknown) {
    if (this.#url.opaque !== null) return;
    this.#url.path = [];
    const text = clean(value).replaceAll("?", "%3F").replaceAll("#", "%23");
    setPath(this.#url, text == "" || text[0] == "/" || (isSpecial(this.#url.scheme) && text[0] == "\\") ? text : "/" + text);
  }
  get search(): string {
    return this.#url.query ? "?" + this.#url.query : "";
  }
  set search(value: unknown) {
    const text = clean(value).replace(/^\?/, "");
    this.#url.query = text == "" ? null : encode(text, isSpecial(this.#url.scheme) ? "specialQuery" : "query");
    this.#replacePairs(parseForm(text));
  }
  get searchParams(): URLSearchParams {
    return this.#params;
  }
  get hash(): string {
    return this.#url.fragment ? "#" + this.#url.fragment : "";
  }
  set hash(value: unknown) {
    const text = clean(value).replace(/^#/, "");
    this.#url.fragment = text == "" ? null : encode(text, "fragment");
  }
  toString(): string {
    return this.href;
  }
  toJSON(): string {
    return this.href;
  }

  /** Without a host, or a file: such a URL has no credentials and no port. */
  #bare(): boolean {
    return !this.#url.host || this.#url.scheme == "file:";
  }
  #setHost(value: unknown, withPort: boolean): void {
    if (this.#url.opaque !== null) return;
    const text = clean(value).split(isSpecial(this.#url.scheme) ? /[/\\?#]/ : /[/?#]/)[0]!;
    const changed = { ...this.#url };
    if (text.includes("@") || !setHost(changed, withPort ? text : text.replace(/^([^[:]*):.*$/, "$1"), withPort)) return;
    this.#url.host = changed.host;
    this.#url.port = changed.port;
  }
}

const clean = (value: unknown): string => `${value}`.toWellFormed().replace(/[\t\n\r]/g, "");

export default (_: Intrinsics): object => ({ URL, URLSearchParams });
