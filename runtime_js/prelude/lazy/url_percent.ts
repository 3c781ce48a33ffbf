/** Percent-encoding as the URL standard has it. */

const EXTRA = {
  control: "",
  fragment: ' "<>`',
  query: ' "#<>',
  specialQuery: ' "#<>\'',
  path: ' "#<>?^`{}',
  userinfo: ' "#<>?^`{}/:;=@[\\]|',
};

export type EncodeSet = keyof typeof EXTRA;

/** UTF-8 bytes of `text`; a lone surrogate becomes U+FFFD. */
export const utf8 = (text: string): number[] => {
  const bytes: number[] = [];
  for (const character of text.toWellFormed()) {
    const code = character.codePointAt(0)!;
    if (code < 0x80) bytes.push(code);
    else {
      const more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
      bytes.push((code >> (6 * more)) | [0, 0xc0, 0xe0, 0xf0][more]!);
      for (let i = more - 1; i >= 0; i--) bytes.push(((code >> (6 * i)) & 0x3f) | 0x80);
    }
  }
  return bytes;
};

export const hexByte = (byte: number): string => "%" + (byte < 16 ? "0" : "") + byte.toString(16).toUpperCase();

/** Encodes what `set` asks for, and everything outside printable ASCII. */
export const encode = (text: string, set: EncodeSet): string => {
  const extra = EXTRA[set];
  let out = "";
  for (const character of text) {
    const code = character.codePointAt(0)!;
    if (code > 0x1f && code < 0x7f && !extra.includes(character)) out += character;
    else for (const byte of utf8(character)) out += hexByte(byte);
  }
  return out;
};

/** Decodes `%41` and the like; what is no valid UTF-8 then becomes U+FFFD. */
export const decode = (text: string): string => {
  if (!text.includes("%")) return text.toWellFormed();
  const bytes = utf8(text);
  const out: number[] = [];
  const digit = (byte: number | undefined): number => parseInt(String.fromCharCode(byte ?? 0), 16);
  for (let i = 0; i < bytes.length; i++) {
    const high = digit(bytes[i + 1]);
    const low = digit(bytes[i + 2]);
    if (bytes[i] == 0x25 && high >= 0 && low >= 0) {
      out.push(high * 16 + low);
      i += 2;
    } else out.push(bytes[i]!);
  }
  return fromUtf8(out);
};

const fromUtf8 = (bytes: number[]): string => {
  let out = "";
  for (let i = 0; i < bytes.length; ) {
    const first = bytes[i]!;
    const more = first < 0x80 ? 0 : first < 0xc2 ? -1 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : first < 0xf5 ? 3 : -1;
    let code = more > 0 ? first & (0x3f >> more) : first;
    let used = 1;
    for (; used <= more; used++) {
      const next = bytes[i + used];
      const lower = used > 1 ? 0x80 : first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
      const upper = used > 1 ? 0xbf : first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
      if (next === undefined || next < lower || next > upper) break;
      code = (code << 6) | (next & 0x3f);
    }
    out += more >= 0 && used == more + 1 ? String.fromCodePoint(code) : "\ufffd";
    i += used;
  }
  return out;
};
