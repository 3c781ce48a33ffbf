/** Hosts of URLs: domains, IPv4, IPv6 and opaque ones. `null` is a failure. */

import { decode, encode } from "./url_percent";

const FORBIDDEN = /[\0\t\n\r #/:<>?@[\\\]^|]/;
const FORBIDDEN_DOMAIN = /[\0-\x20"#%/:<>?@[\\\]^`{|}\x7f]/;

export const parseHost = (text: string, special: boolean): string | null => {
  if (text[0] == "[") return text.at(-1) == "]" ? ipv6(text.slice(1, -1)) : null;
  if (!special) return FORBIDDEN.test(text) ? null : encode(text, "control");
  const domain = toAscii(decode(text));
  if (domain === null || domain == "" || FORBIDDEN_DOMAIN.test(domain)) return null;
  return endsInNumber(domain) ? ipv4(domain) : domain;
};

/** Lower case, compatibility forms composed, other scripts as `xn--` labels (without the full IDNA tables). */
const toAscii = (domain: string): string | null => {
  const normal = domain.normalize("NFKC").toLowerCase().replace(/[。．｡]/g, ".").replace(/\xad/g, "");
  const labels = normal.split(".").map((label) => (/^[\0-\x7f]*$/.test(label) ? label : punycode(label)));
  return labels.includes(null) ? null : labels.join(".");
};

/** RFC 3492. */
const punycode = (label: string): string | null => {
  const points = [...label].map((character) => character.codePointAt(0)!);
  let out = points.filter((point) => point < 0x80).reduce((text, point) => text + String.fromCharCode(point), "");
  let handled = out.length;
  const basic = handled;
  if (basic) out += "-";
  let n = 128;
  let delta = 0;
  let bias = 72;
  while (handled < points.length) {
    const next = Math.min(...points.filter((point) => point >= n));
    delta += (next - n) * (handled + 1);
    if (delta > 0x7fffffff) return null;
    n = next;
    for (const point of points) {
      if (point < n) delta++;
      if (point != n) continue;
      let q = delta;
      for (let k = 36; ; k += 36) {
        const t = k <= bias ? 1 : k >= bias + 26 ? 26 : k - bias;
        if (q < t) break;
        out += digit(t + ((q - t) % (36 - t)));
        q = Math.floor((q - t) / (36 - t));
      }
      out += digit(q);
      bias = adapt(delta, handled + 1, handled == basic);
      delta = 0;
      handled++;
    }
    delta++;
    n++;
  }
  return "xn--" + out;
};

const digit = (value: number): string => String.fromCharCode(value < 26 ? value + 97 : value + 22);

const adapt = (delta: number, count: number, first: boolean): number => {
  let rest = first ? Math.floor(delta / 700) : delta >> 1;
  rest += Math.floor(rest / count);
  let k = 0;
  for (; rest > 455; k += 36) rest = Math.floor(rest / 35);
  return k + Math.floor((36 * rest) / (rest + 38));
};

const endsInNumber = (domain: string): boolean => {
  const parts = domain.split(".");
  if (parts.at(-1) == "" && parts.length > 1) parts.pop();
  return /^(\d+|0x[\da-f]*)$/i.test(parts.at(-1)!);
};

const ipv4 = (domain: string): string | null => {
  const parts = domain.split(".");
  if (parts.at(-1) == "" && parts.length > 1) parts.pop();
  if (parts.length > 4) return null;
  const numbers: number[] = [];
  for (const part of parts) {
    const [, prefix, digits] = /^(0x|0(?=.)|)(.*)$/i.exec(part)!;
    const radix = prefix == "" ? 10 : prefix == "0" ? 8 : 16;
    const allowed = radix == 10 ? /^\d+$/ : radix == 8 ? /^[0-7]+$/ : /^[\da-f]*$/i;
    if (!allowed.test(digits!)) return null;
    numbers.push(digits == "" ? 0 : parseInt(digits!, radix));
  }
  const last = numbers.pop()!;
  if (numbers.some((number) => number > 255) || last >= 256 ** (4 - numbers.length)) return null;
  let address = last;
  numbers.forEach((number, i) => (address += number * 256 ** (3 - i)));
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join(".");
};

const ipv6 = (text: string): string | null => {
  const halves = text.split("::");
  if (halves.length > 2) return null;
  const [head, tail] = halves.map((half) => (half == "" ? [] : half.split(":")));
  const pieces = (parts: string[], last: boolean): number[] | null => {
    const out: number[] = [];
    for (let i = 0; i < parts.length; i++) {
      const part = parts[i]!;
      if (last && i == parts.length - 1 && part.includes(".")) {
        const octets = part.split(".");
        if (octets.length != 4 || !octets.every((o) => /^(0|[1-9]\d{0,2})$/.test(o) && Number(o) < 256)) return null;
        const [a, b, c, d] = octets.map(Number) as [number, number, number, number];
        out.push(a * 256 + b, c * 256 + d);
      } else if (/^[\da-f]{1,4}$/i.test(part)) out.push(parseInt(part, 16));
      else return null;
    }
    return out;
  };
  const first = pieces(head!, !tail);
  const second = tail ? pieces(tail, true) : [];
  if (!first || !second) return null;
  const missing = 8 - first.length - second.length;
  if (tail ? missing < 1 : missing != 0) return null;
  return `[${compressed([...first, ...new Array<number>(missing).fill(0), ...second])}]`;
};

/** The first longest run of two or more zeros becomes `::`. */
const compressed = (pieces: number[]): string => {
  let best = -1;
  let length = 1;
  for (let i = 0; i < 8; i++) {
    let end = i;
    while (end < 8 && pieces[end] == 0) end++;
    if (end - i > length) [best, length] = [i, end - i];
  }
  const text = (part: number[]): string => part.map((piece) => piece.toString(16)).join(":");
  return best < 0 ? text(pieces) : `${text(pieces.slice(0, best))}::${text(pieces.slice(best + length))}`;
};
