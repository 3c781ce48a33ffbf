/**
 * The guest's end of a call: arguments become JSON text under stated rules, the envelope becomes a value or a
 * thrown `ApiError`, or those of a promise where the program does not wait. Uses only what the prelude took before the program could change it, and no template
 * literals, which the engine builds with the program's `String.prototype.concat`.
 *
 * No value is silently changed on its way out. JSON's own types cross as they are; an object's property that is
 * undefined, and undefined arguments at the end, are absent; `toJSON` is honoured. All else (undefined in an
 * array, functions, symbols, bigint, NaN, infinities, dates, collections, buffers, errors, promises, cycles, more
 * than 64 levels) is refused as `invalid-argument`, naming the place. A call whose answer is a promise takes a
 * bigint as well, as a whole number, and may give some.
 */

import { type Failure, type Handle, HANDLE, type Reply } from "../prelude/intrinsics";

export type ApiErrorCode =
  | "invalid-argument"
  | "not-found"
  | "conflict"
  | "refused"
  | "unavailable"
  | "limit-exceeded"
  | "io-error"
  | "other";

const DEPTH = 64;
const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

const take: (() => Handle) | undefined = (globalThis as any)[Symbol.for(HANDLE)];
if (!take) throw new Error("the SDK is loaded already, or this is no gg program");
const { host, start, onComplete, quote, parse, keys, hasOwn, isArray, tag, Error: NativeError, mark } = take();
// This runs before the program as well.
const { BigInt: NativeBigInt, Promise: NativePromise } = globalThis;
const { defineProperty } = Object;

/** The failure of a call. */
export class ApiError extends NativeError {
  readonly operation: string;
  readonly code: ApiErrorCode;

  constructor(operation: string, code: ApiErrorCode, message: string) {
    super(message);
    this.operation = operation;
    this.code = code;
    mark(this, "");
  }

  toJSON(): { name: string; operation: string; code: ApiErrorCode; message: string } {
    return { name: "ApiError", operation: this.operation, code: this.code, message: this.message };
  }
}
Object.defineProperty(ApiError.prototype, "name", { value: "ApiError", writable: true, configurable: true });
Object.defineProperty(ApiError, "name", { value: "ApiError", configurable: true });

/** Why the argument at hand cannot be encoded. Told by the caller: few frames, so that the program's own are kept. */
let refusal = "";

/**
 * Calls the host and waits for its answer; throws `ApiError`. A call whose arguments cannot be encoded reaches the
 * host as well, which records and refuses it: the reason crosses in their place, a string instead of an array.
 */
export function call(operation: string, args: unknown[]): any {
  const text = encoded(args, false);
  const refused = refusal;
  const reply = parse(host(operation, text, new NativeError().stack));
  if (hasOwn(reply, "error")) throw failed(reply.error!);
  if (refused) throw new ApiError(spelling(operation), "invalid-argument", refused);
  return hasOwn(reply, "ok") ? reply.ok : undefined;
}

/** A call that was started: what settles its promise, and what its failure is told with. */
interface Started {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly operation: string;
  readonly refused: string;
  readonly stack: string | undefined;
}

const open: { [ticket: number]: Started } = { __proto__: null } as any;

/**
 * Starts a call of the host and gives the promise of its answer, which the host completes when no job of the program
 * is left. `spelled` is the call as the program writes it, where that does not follow from `operation`. Whatever
 * fails rejects the promise; where arguments cannot be encoded, the host learns of it as from `call`.
 */
export function later(operation: string, args: unknown[], spelled = spelling(operation)): Promise<any> {
  // When it fails, no frame of the program is left to say where it was made.
  const stack = new NativeError().stack;
  return new NativePromise((resolve, reject) => {
    const text = encoded(args, true);
    const started: Started = { resolve, reject, operation: spelled, refused: refusal, stack };
    const reply = parse(start(operation, text, stack)) as Reply | number;
    if (typeof reply == "number") open[reply] = started;
    else settle(started, reply);
  });
}

onComplete((ticket, envelope) => {
  const started = open[ticket];
  if (!started) return;
  try {
    settle(started, parse(envelope));
  } catch (error) {
    started.reject(error); // no memory for the answer
  }
  delete open[ticket];
});

function settle({ resolve, reject, operation, refused, stack }: Started, reply: Reply): void {
  const failure = hasOwn(reply, "error") ? reply.error! : undefined;
  if (!failure && !refused) return resolve(answered(reply));
  const error = failure
    ? failed(failure, operation)
    : new ApiError(operation, "invalid-argument", refused);
  defineProperty(error, "stack", {
    __proto__: null,
    value: stack,
    writable: true,
    configurable: true,
  } as PropertyDescriptor);
  reject(error);
}

/** The value of a reply, with its bigints in place. */
function answered(reply: Reply): unknown {
  const paths = hasOwn(reply, "bigints") ? reply.bigints! : [];
  for (let i = 0; i < paths.length; i++) {
    const path = paths[i]!;
    let holder: any = reply;
    let key: string | number = "ok";
    for (let j = 0; j < path.length; j++) {
      holder = holder[key];
      key = path[j]!;
    }
    holder[key] = NativeBigInt(holder[key]);
  }
  return hasOwn(reply, "ok") ? reply.ok : undefined;
}

const families: { [name: string]: any } = { __proto__: null };

/** Makes a family known by its name to `keyOf`. */
export function register(name: string, family: object): void {
  families[name] = family;
}

/**
 * The key of the page of documentation that `target` is about: of a function or a family of the SDK. Any other
 * function is looked for by its name in the loaded modules; of any other object, only that it is one is told.
 */
export function keyOf(target: any): unknown {
  if (target === ApiError) return "ApiError";
  const isFunction = typeof target == "function";
  if (!isFunction && (typeof target != "object" || !target)) return target;
  const names = keys(families);
  for (let i = 0; i < names.length; i++) {
    const name = names[i]!;
    const family = families[name];
    const members = keys(family);
    if (!isFunction && isSame(target, family, members)) return name;
    for (let j = 0; isFunction && j < members.length; j++) {
      if (family[members[j]!] === target) return name + "." + members[j];
    }
  }
  if (!isFunction) return isArray(target) ? [] : {};
  return typeof target.name == "string" && target.name ? "lib:" + target.name : "";
}

/** Whether an object has the members of a family, as it has under each specifier that it is imported by. */
function isSame(target: any, family: any, members: string[]): boolean {
  for (let i = 0; i < members.length; i++) {
    const member = members[i]!;
    if (!hasOwn(target, member) || target[member] !== family[member]) return false;
  }
  return true;
}

function failed(failure: Failure, operation = spelling(failure.operation)): ApiError {
  const error = new ApiError(operation, failure.code as ApiErrorCode, failure.message);
  if (hasOwn(failure, "ceiling")) mark(error, failure.ceiling!);
  return error;
}

/** The call as a program writes it: `views.openText` for `views.open_text`. */
function spelling(operation: string): string {
  let text = "";
  for (let i = 0; i < operation.length; i++) {
    text += operation[i] == "_" ? capital(operation[++i]) : operation[i];
  }
  return text;
}

function capital(letter: string | undefined): string {
  for (let i = 0; i < 26; i++) if (LETTERS[i] == letter) return LETTERS[i + 26]!;
  return "_" + letter;
}

/** The arguments as JSON text; or, in their place, why they cannot be encoded: then `refusal` says it as well. */
function encoded(args: unknown[], bigints: boolean): string {
  try {
    refusal = "";
    let count = args.length;
    while (count && args[count - 1] === undefined) count--;
    let text = "";
    for (let i = 0; i < count; i++) {
      const value = args[i];
      text +=
        (i ? "," : "[") + (typeof value == "string" ? quote(value) : encode(value, "argument " + (i + 1), bigints));
    }
    refusal = ""; // a call within a `toJSON` may have left one
    return count ? text + "]" : "[]";
  } catch (error) {
    if (!refusal || error !== refusal) throw error;
    return quote(refusal);
  }
}

function encode(argument: unknown, name: string, bigints: boolean): string {
  // The objects around the value at hand, and where in each of them it stands.
  const open: object[] = [];
  const trail: (string | number)[] = [];

  const refuse = (what: string, depth = open.length): never => {
    let path = name;
    for (let i = 0; i < depth; i++) {
      const step = trail[i];
      path += typeof step == "number" ? "[" + step + "]" : "." + step;
    }
    refusal = path + " is " + what;
    throw refusal;
  };
  const value = (found: any, key: string | number): string => {
    switch (typeof found) {
      case "string":
        return quote(found);
      case "boolean":
        return found ? "true" : "false";
      case "number":
        return found - found == 0 ? "" + found : refuse(found + ", which JSON cannot hold");
      case "object":
        return found === null ? "null" : object(found, key);
      case "bigint":
        return bigints ? "" + found : refuse("a bigint; pass a number or a string");
      default:
        return refuse(found === undefined ? "undefined" : "a " + typeof found);
    }
  };
  const object = (found: any, key: string | number): string => {
    const kind = tag(found);
    const toJSON = kind == "[object Date]" ? undefined : found.toJSON;
    if (typeof toJSON == "function") {
      // Once, as JSON.stringify does it: what it returns is not asked again.
      const plain = found.toJSON("" + key);
      return typeof plain == "object" && plain ? plainObject(plain, tag(plain)) : value(plain, key);
    }
    return plainObject(found, kind);
  };
  const plainObject = (found: any, kind: string): string => {
    const without = KINDS_WITHOUT_JSON[kind];
    if (without) return refuse(without);
    for (let i = 0; i < open.length; i++) if (open[i] === found) return refuse("a cycle: it contains itself");
    if (open.length == DEPTH) return refuse("nested deeper than " + DEPTH + " levels", 0);
    const depth = open.length;
    open[depth] = found;
    const text = isArray(found) ? array(found, depth) : fields(found, depth);
    open.length = depth;
    return text;
  };
  const array = (found: unknown[], depth: number): string => {
    let text = "";
    const { length } = found;
    for (let i = 0; i < length; i++) {
      trail[depth] = i;
      text += (i ? "," : "") + value(found[i], i);
    }
    return "[" + text + "]";
  };
  const fields = (found: any, depth: number): string => {
    const names = keys(found);
    let text = "";
    for (let i = 0; i < names.length; i++) {
      const field = names[i]!;
      const inner = found[field];
      if (inner === undefined) continue;
      trail[depth] = field;
      text += (text ? "," : "") + quote(field) + ":" + value(inner, field);
    }
    return "{" + text + "}";
  };
  return value(argument, "");
}

const KINDS_WITHOUT_JSON: { readonly [tag: string]: string } = {
  __proto__: null as never,
  "[object Date]": "a Date; pass its toISOString() or getTime()",
  "[object Map]": "a Map; pass an object or an array of pairs",
  "[object Set]": "a Set; pass an array",
  "[object WeakMap]": "a WeakMap",
  "[object WeakSet]": "a WeakSet",
  "[object WeakRef]": "a WeakRef",
  "[object Promise]": "a Promise; await it first",
  "[object RegExp]": "a RegExp; pass its source",
  "[object Error]": "an Error; pass its message",
  "[object ArrayBuffer]": "an ArrayBuffer; pass text or an array of numbers",
  "[object DataView]": "a DataView; pass text or an array of numbers",
  "[object Int8Array]": "a typed array; pass an array of numbers",
  "[object Uint8Array]": "a typed array; pass an array of numbers",
  "[object Uint8ClampedArray]": "a typed array; pass an array of numbers",
  "[object Int16Array]": "a typed array; pass an array of numbers",
  "[object Uint16Array]": "a typed array; pass an array of numbers",
  "[object Int32Array]": "a typed array; pass an array of numbers",
  "[object Uint32Array]": "a typed array; pass an array of numbers",
  "[object Float16Array]": "a typed array; pass an array of numbers",
  "[object Float32Array]": "a typed array; pass an array of numbers",
  "[object Float64Array]": "a typed array; pass an array of numbers",
  "[object BigInt64Array]": "a typed array; pass an array of strings",
  "[object BigUint64Array]": "a typed array; pass an array of strings",
  "[object Number]": "a Number object; pass the number itself",
  "[object String]": "a String object; pass the string itself",
  "[object Boolean]": "a Boolean object; pass the value itself",
  "[object Symbol]": "a symbol",
  "[object BigInt]": "a bigint; pass a number or a string",
};
