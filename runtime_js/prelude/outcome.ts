/** How a program ended, told as JSON text. Runs the program's getters, so the host's clock is running. */

const MESSAGE_CHARS = 16_384;
const STACK_CHARS = 8_192;
const NAME_CHARS = 256;
const LISTED_KEYS = 20;

export interface Tracker {
  /** The engine reports a rejection that has no handler, or the handler that came later. */
  readonly track: (promise: object, reason: unknown, handled: boolean) => void;
  /** What the program threw: its own promise's reason, or an exception that left a job. */
  readonly fail: (reason: unknown) => void;
  /** The verdict, once no job is left. */
  readonly judge: (finished: boolean) => string;
}

export function tracker(marks: (error: object) => string | undefined): Tracker {
  const { stringify } = JSON;
  const { apply, ownKeys } = Reflect;
  const { slice } = String.prototype;
  const { set, delete: drop, forEach } = Map.prototype;
  const isError = (Error as unknown as { isError(value: unknown): boolean }).isError;
  const text = String;

  const rejections = new Map<object, unknown>();
  let threw = false;
  let error: unknown;

  const cut = (value: unknown, limit: number): string | undefined => {
    if (typeof value != "string") return undefined;
    const over = value.length - limit;
    return over > 0 ? apply(slice, value, [0, limit]) + "… [" + over + " characters cut]" : value;
  };
  const read = (value: any, key: string, limit: number): string | undefined => {
    try {
      return cut(value[key], limit);
    } catch {
      return undefined;
    }
  };
  const properties = (value: object): string => {
    try {
      const found = ownKeys(value);
      let listed = "";
      for (let i = 0; i < found.length && i < LISTED_KEYS; i++)
        listed += (i ? ", " : "") + cut(text(found[i]), NAME_CHARS);
      const rest = found.length - LISTED_KEYS;
      if (!found.length) return "no own properties";
      return "own properties " + listed + (rest > 0 ? " and " + rest + " more" : "");
    } catch {
      return "own properties that cannot be read";
    }
  };
  const describe = (value: any): object => {
    if (isError(value)) {
      const ceiling = marks(value);
      return {
        __proto__: null,
        name: read(value, "name", NAME_CHARS) ?? "Error",
        message: read(value, "message", MESSAGE_CHARS) ?? "",
        stack: read(value, "stack", STACK_CHARS) ?? "",
        code: ceiling == null ? undefined : read(value, "code", NAME_CHARS),
        operation: ceiling == null ? undefined : read(value, "operation", NAME_CHARS),
        ceiling: ceiling || undefined,
        isError: true,
      };
    }
    const kind = value === null ? "null" : typeof value;
    const whole = kind == "object" || kind == "function";
    return {
      __proto__: null,
      name: kind,
      message: whole ? properties(value) : cut(text(value), MESSAGE_CHARS),
      stack: "",
      isError: false,
    };
  };

  const fail = (reason: unknown): void => {
    if (!threw) error = reason;
    threw = true;
  };

  return {
    track(promise, reason, handled) {
      apply(handled ? drop : set, rejections, [promise, reason]);
    },
    fail,
    judge(finished) {
      if (!threw) apply(forEach, rejections, [fail]);
      try {
        return stringify({
          __proto__: null,
          kind: threw ? "threw" : finished ? "ended" : "never-settled",
          error: threw ? describe(error) : undefined,
        });
      } catch {
        // No memory or stack left even for this.
        return "";
      }
    },
  };
}
