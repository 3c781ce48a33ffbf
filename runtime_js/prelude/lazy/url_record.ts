/** Parsing into a URL record, and back into text. Follows the standard's state machine, split by part. */

import { parseHost } from "./url_host";
import { encode } from "./url_percent";

export interface Record {
  scheme: string;
  username: string;
  password: string;
  host: string | null;
  port: number | null;
  path: string[];
  /** Instead of `path`, for `mailto:` and the like. */
  opaque: string | null;
  query: string | null;
  fragment: string | null;
}

const DEFAULT_PORTS: { [scheme: string]: number | null } = {
  __proto__: null as never,
  "ftp:": 21,
  "file:": null,
  "http:": 80,
  "https:": 443,
  "ws:": 80,
  "wss:": 443,
};

export const isSpecial = (scheme: string): boolean => scheme in DEFAULT_PORTS;
const DRIVE = /^[a-z][:|]$/i;
const DRIVE_START = /^[a-z][:|](?:[/\\?#]|$)/i;

/** `null` where `input` is no URL, with respect to `base` if given. */
export const parse = (input: string, base: Record | null): Record | null => {
  const text = input.toWellFormed().replace(/^[\0-\x20]+|[\0-\x20]+$/g, "").replace(/[\t\n\r]/g, "");
  const [rest, fragment] = cutAt(text, "#");
  const url = parseHierarchy(rest, base);
  if (url && fragment !== null) url.fragment = encode(fragment, "fragment");
  return url;
};

const empty = (scheme: string): Record => ({
  scheme,
  username: "",
  password: "",
  host: null,
  port: null,
  path: [],
  opaque: null,
  query: null,
  fragment: null,
});

/** Text before the first `mark`, and text after it. */
const cutAt = (text: string, mark: string): [string, string | null] => {
  const at = text.indexOf(mark);
  return at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
};

const parseHierarchy = (text: string, base: Record | null): Record | null => {
  const found = /^([a-z][a-z\d+.-]*:)([^]*)$/i.exec(text);
  if (!found) return base ? relative(text, base, isSpecial(base.scheme)) : null;
  const scheme = found[1]!.toLowerCase();
  const rest = found[2]!;
  const url = empty(scheme);
  if (scheme == "file:") return file(rest, base?.scheme == "file:" ? base : null);
  if (isSpecial(scheme)) {
    if (base?.scheme == scheme && !/^[/\\]{2}/.test(rest)) return relative(rest, base, true);
    return authority(url, rest.replace(/^[/\\]*/, ""));
  }
  if (rest.startsWith("//")) return authority(url, rest.slice(2));
  if (rest[0] == "/") return pathAndQuery(url, rest);
  const [path, query] = cutAt(rest, "?");
  // A trailing space would be lost when the text is parsed again.
  url.opaque = encode(path, "control").replace(/ $/, "%20");
  return withQuery(url, query);
};

const relative = (text: string, base: Record, special: boolean): Record | null => {
  if (base.scheme == "file:") return file(text, base);
  if (base.opaque !== null) {
    if (text != "") return null;
    return { ...base, path: [], fragment: null };
  }
  const slashes = special ? /^[/\\]{2}/ : /^\/\//;
  if (slashes.test(text))
    return authority(empty(base.scheme), text.replace(special ? /^[/\\]*/ : /^\/\//, ""));
  const url: Record = { ...base, path: [...base.path], fragment: null };
  if (text == "") return url;
  if (text[0] == "?") return withQuery(url, text.slice(1));
  url.query = null;
  if (text[0] == "/" || (special && text[0] == "\\")) url.path = [];
  else url.path.pop();
  return pathAndQuery(url, text);
};

const file = (text: string, base: Record | null): Record | null => {
  const url = empty("file:");
  url.host = "";
  if (/^[/\\]{2}/.test(text)) {
    const [, host, rest] = /^([^/\\?]*)([^]*)$/.exec(text.slice(2))!;
    if (DRIVE.test(host!)) return pathAndQuery(url, "/" + host + rest);
    if (host != "") {
      const parsed = parseHost(host!, true);
      if (parsed === null) return null;
      url.host = parsed == "localhost" ? "" : parsed;
    }
    return pathAndQuery(url, rest!);
  }
  if (/^[/\\]/.test(text)) {
    if (base) {
      url.host = base.host;
      if (!DRIVE_START.test(text.slice(1)) && DRIVE.test(base.path[0] ?? "")) url.path = [base.path[0]!];
    }
    return pathAndQuery(url, text);
  }
  if (!base) return pathAndQuery(url, text);
  const near: Record = { ...base, path: [...base.path], fragment: null };
  if (text == "") return near;
  if (text[0] == "?") return withQuery(near, text.slice(1));
  near.query = null;
  if (DRIVE_START.test(text)) near.path = [];
  else shorten(near);
  return pathAndQuery(near, text);
};

const authority = (url: Record, text: string): Record | null => {
  const end = text.search(isSpecial(url.scheme) ? /[/\\?]/ : /[/?]/);
  const part = end < 0 ? text : text.slice(0, end);
  const at = part.lastIndexOf("@");
  if (at >= 0) setCredentials(url, part.slice(0, at));
  const host = part.slice(at + 1);
  if (at >= 0 && host == "") return null;
  if (!setHost(url, host, true)) return null;
  return pathAndQuery(url, end < 0 ? "" : text.slice(end));
};

const setCredentials = (url: Record, text: string): void => {
  const [name, password] = cutAt(text, ":");
  url.username = encode(name, "userinfo");
  url.password = encode(password ?? "", "userinfo");
};

/** Sets host and, where `text` has one, port. False where it is no host. */
export const setHost = (url: Record, text: string, withPort: boolean): boolean => {
  const [, name, port] = /^(\[[^\]]*\]?|[^:]*)(?::([^]*))?$/.exec(text) ?? [];
  if (name === undefined) return false;
  const special = isSpecial(url.scheme);
  if (name == "" && (special || port !== undefined)) return false;
  const host = name == "" ? "" : parseHost(name, special);
  if (host === null) return false;
  if (withPort && port !== undefined && !setPort(url, port)) return false;
  url.host = host;
  return true;
};

export const setPort = (url: Record, text: string): boolean => {
  if (text == "") {
    url.port = null;
    return true;
  }
  if (!/^\d+$/.test(text) || Number(text) > 65_535) return false;
  const port = Number(text);
  url.port = port === DEFAULT_PORTS[url.scheme] ? null : port;
  return true;
};

const pathAndQuery = (url: Record, text: string): Record => {
  const [path, query] = cutAt(text, "?");
  setPath(url, path);
  return withQuery(url, query);
};

const withQuery = (url: Record, query: string | null): Record => {
  url.query = query === null ? null : encode(query, isSpecial(url.scheme) ? "specialQuery" : "query");
  return url;
};

/** Appends `text` to the record's path, resolving `.` and `..`. */
export const setPath = (url: Record, text: string): void => {
  const special = isSpecial(url.scheme);
  const rooted = text[0] == "/" || (special && text[0] == "\\");
  if (text == "" && !special) return;
  const parts = (rooted ? text.slice(1) : text).split(special ? /[/\\]/ : "/");
  parts.forEach((part, i) => {
    const last = i == parts.length - 1;
    const plain = part.replace(/%2e/gi, ".");
    if (plain == "..") {
      shorten(url);
      if (last) url.path.push("");
    } else if (plain == ".") {
      if (last) url.path.push("");
    } else if (url.scheme == "file:" && url.path.length == 0 && DRIVE.test(part)) url.path.push(part[0] + ":");
    else url.path.push(encode(part, "path"));
  });
};

const shorten = (url: Record): void => {
  if (url.scheme == "file:" && url.path.length == 1 && /^[a-z]:$/i.test(url.path[0]!)) return;
  url.path.pop();
};

export const pathname = (url: Record): string =>
  url.opaque ?? url.path.reduce((text, part) => `${text}/${part}`, "");

export const serialize = (url: Record): string => {
  let out = url.scheme;
  if (url.host !== null) {
    out += "//";
    if (url.username || url.password)
      out += url.username + (url.password ? ":" + url.password : "") + "@";
    out += url.host + (url.port === null ? "" : ":" + url.port);
  } else if (url.opaque === null && url.path.length > 1 && url.path[0] == "") out += "/.";
  out += pathname(url);
  if (url.query !== null) out += "?" + url.query;
  if (url.fragment !== null) out += "#" + url.fragment;
  return out;
};
