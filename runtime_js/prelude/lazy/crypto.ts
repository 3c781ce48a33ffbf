/** `crypto`: two calls, drawing from the program's seed. */

import type { Intrinsics } from "../intrinsics";

const QUOTA_BYTES = 65_536;
const INTEGERS = /^(Big)?(Ui|I)nt(8|16|32|64)(Clamped)?Array$/;

export default ($: Intrinsics): Record<string, unknown> => {
  const bytes = (into: Uint8Array): void => {
    for (let i = 0; i < into.length; i += 4) {
      const word = $.random32();
      for (let j = i; j < i + 4 && j < into.length; j++) into[j] = word >>> ((j - i) * 8);
    }
  };
  return {
    crypto: {
      getRandomValues<T extends ArrayBufferView>(array: T): T {
        const name = Object.prototype.toString.call(array).slice(8, -1);
        if (!INTEGERS.test(name))
          throw new DOMException("getRandomValues needs an array of integers", "TypeMismatchError");
        if (array.byteLength > QUOTA_BYTES)
          throw new DOMException(
            `getRandomValues fills at most ${QUOTA_BYTES} bytes, found ${array.byteLength}`,
            "QuotaExceededError",
          );
        bytes(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
        return array;
      },
      randomUUID(): string {
        const raw = new Uint8Array(16);
        bytes(raw);
        raw[6] = (raw[6]! & 0x0f) | 0x40;
        raw[8] = (raw[8]! & 0x3f) | 0x80;
        let text = "";
        for (let i = 0; i < 16; i++)
          text += (i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "") + raw[i]!.toString(16).padStart(2, "0");
        return text;
      },
    },
  };
};
