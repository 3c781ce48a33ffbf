/** What gg's guest code uses of the language, taken before a program can change any of it. */

/** The part that lazily evaluated globals are given. */
export interface Intrinsics {
  readonly apply: typeof Reflect.apply;
  readonly quote: (text: string) => string;
  /** 32 random bits from the program's seed. */
  readonly random32: () => number;
  /** Sends one operator line; `quoted` is a JSON string literal. */
  readonly log: (level: string, quoted: string) => void;
  readonly Registry: FinalizationRegistryConstructor;
  /** Resolves, then runs `job` as a promise job, so that what it throws is an unhandled rejection. */
  readonly enqueue: (job: () => void) => void;
}

/** What `sdk/core.ts` takes, once. */
export interface Handle {
  /** Passes one call to the host. Never throws: the answer is an envelope's JSON text. */
  readonly host: (operation: string, args: string, stack: unknown) => string;
  /** Passes one call to the host and gives its ticket in digits, or the envelope of an error. Never throws. */
  readonly start: Handle["host"];
  /** Has `listener` called with the ticket and the envelope of each call that was started and is complete. */
  readonly onComplete: (listener: (ticket: number, envelope: string) => void) => void;
  readonly quote: (text: string) => string;
  readonly parse: (text: string) => Reply;
  readonly keys: (value: object) => string[];
  readonly hasOwn: (value: object, key: string) => boolean;
  readonly isArray: (value: unknown) => value is unknown[];
  /** `[object Date]` and the like; `instanceof` and `constructor` can lie. */
  readonly tag: (value: unknown) => string;
  readonly Error: ErrorConstructor;
  /** Makes `error` an ApiError to the host; `ceiling` names the ceiling it reports, if it does. */
  readonly mark: (error: object, ceiling: string) => void;
}

/** An envelope. Each path of `bigints` leads from `ok` to a string that stands for a bigint. */
export interface Reply {
  ok?: any;
  readonly error?: Failure;
  readonly bigints?: readonly (readonly (string | number)[])[];
}

export interface Failure {
  readonly code: string;
  readonly operation: string;
  readonly message: string;
  readonly ceiling?: string;
}

/** The symbol under which the handle waits for the SDK. */
export const HANDLE = "gg.handle";
