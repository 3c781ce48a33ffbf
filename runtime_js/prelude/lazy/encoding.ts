/** `TextEncoder` and `TextDecoder`, UTF-8 only, as the Encoding standard has them. */

import type { Intrinsics } from "../intrinsics";

const LABELS = new Set(["utf-8", "utf8", "unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8", "x-unicode20utf8"]);
const REPLACEMENT = "\ufffd";
const CHUNK = 4_096;

/** UTF-8 bytes of one code point, written at `at`; gives how many. */
const write = (code: number, into: Uint8Array, at: number): number => {
  if (code < 0x80) {
    into[at] = code;
    return 1;
  }
  const more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  into[at] = (code >> (6 * more)) | [0, 0xc0, 0xe0, 0xf0][more]!;
  for (let i = more - 1; i >= 0; i--) into[at + more - i] = ((code >> (6 * i)) & 0x3f) | 0x80;
  return more + 1;
};

const width = (code: number): number => (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4);

class TextEncoder {
  get encoding(): string {
    return "utf-8";
  }

  encode(input: unknown = ""): Uint8Array {
    const text = String(input).toWellFormed();
    const bytes = new Uint8Array(text.length * 3);
    const { written } = this.encodeInto(text, bytes);
    return bytes.slice(0, written);
  }

  encodeInto(source: unknown, destination: Uint8Array): { read: number; written: number } {
    if (!(destination instanceof Uint8Array)) throw new TypeError("encodeInto needs a Uint8Array");
    const text = String(source).toWellFormed();
    let read = 0;
    let written = 0;
    while (read < text.length) {
      const code = text.codePointAt(read)!;
      if (written + width(code) > destination.length) break;
      written += write(code, destination, written);
      read += code > 0xffff ? 2 : 1;
    }
    return { read, written };
  }
}

class TextDecoder {
  readonly #fatal: boolean;
  readonly #ignoreBOM: boolean;
  #started = false;
  // The sequence being read: bytes still due, bits so far, and what the next byte may be.
  #due = 0;
  #code = 0;
  #lower = 0x80;
  #upper = 0xbf;

  constructor(label: unknown = "utf-8", options: { fatal?: boolean; ignoreBOM?: boolean } = {}) {
    const name = String(label);
    if (!LABELS.has(name.trim().toLowerCase()))
      throw new RangeError(`the encoding ${JSON.stringify(name)} is not available; only utf-8 is`);
    this.#fatal = Boolean(options.fatal);
    this.#ignoreBOM = Boolean(options.ignoreBOM);
  }

  get encoding(): string {
    return "utf-8";
  }
  get fatal(): boolean {
    return this.#fatal;
  }
  get ignoreBOM(): boolean {
    return this.#ignoreBOM;
  }

  decode(input?: ArrayBuffer | ArrayBufferView, options: { stream?: boolean } = {}): string {
    const bytes =
      input === undefined
        ? new Uint8Array()
        : ArrayBuffer.isView(input)
          ? new Uint8Array(input.buffer, input.byteOffset, input.byteLength)
          : new Uint8Array(input);
    let out = "";
    let units: number[] = [];
    const flush = (): void => {
      out += String.fromCharCode.apply(null, units);
      units = [];
    };
    const emit = (code: number): void => {
      const first = !this.#started;
      this.#started = true;
      if (first && code == 0xfeff && !this.#ignoreBOM) return;
      if (code > 0xffff) units.push(0xd7c0 + (code >> 10), 0xdc00 + (code & 0x3ff));
      else units.push(code);
      if (units.length > CHUNK) flush();
    };
    const bad = (): void => {
      if (this.#fatal) {
        this.#reset();
        throw new TypeError("the bytes are not valid UTF-8");
      }
      emit(REPLACEMENT.charCodeAt(0));
    };
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i]!;
      if (this.#due) {
        if (byte < this.#lower || byte > this.#upper) {
          this.#due = 0;
          this.#bounds();
          bad();
          i--; // this byte begins anew
          continue;
        }
        this.#bounds();
        this.#code = (this.#code << 6) | (byte & 0x3f);
        if (--this.#due == 0) emit(this.#code);
      } else if (byte < 0x80) emit(byte);
      else if (!this.#begin(byte)) bad();
    }
    if (!options.stream) {
      if (this.#due) {
        this.#due = 0;
        this.#bounds();
        bad();
      }
      this.#started = false;
    }
    flush();
    return out;
  }

  /** Whether `byte` may begin a sequence of more than one. */
  #begin(byte: number): boolean {
    if (byte < 0xc2 || byte > 0xf4) return false;
    this.#due = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    this.#code = byte & (0x3f >> this.#due);
    // No overlong forms, no surrogates, nothing beyond U+10FFFF.
    if (byte == 0xe0) this.#lower = 0xa0;
    if (byte == 0xed) this.#upper = 0x9f;
    if (byte == 0xf0) this.#lower = 0x90;
    if (byte == 0xf4) this.#upper = 0x8f;
    return true;
  }

  #bounds(): void {
    this.#lower = 0x80;
    this.#upper = 0xbf;
  }

  #reset(): void {
    this.#due = 0;
    this.#started = false;
    this.#bounds();
  }
}

export default (_: Intrinsics): Record<string, unknown> => ({ TextEncoder, TextDecoder });
