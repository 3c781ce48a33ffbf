/**
 * Evaluated in every fresh engine before the program: takes the host's callables off the global object,
 * seeds the randomness, puts lazy globals in place, and leaves a handle for the SDK. No template literals: the
 * engine builds them with the program's `String.prototype.concat`.
 */

import { HANDLE, type Handle, type Intrinsics } from "./intrinsics";
import { tracker } from "./outcome";
import { seeded } from "./random";

const STACK_CHARS = 8_192;
const NAME_CHARS = 256;

type Source = ($: Intrinsics) => Record<string, unknown>;

/** `names` are the lazy globals, joined by commas, `limit` the most characters a value may have; returns the engine's four hooks by number. */
export default function boot(names: string, low: number, high: number, limit: number): (which: number) => unknown {
  const global = globalThis as any;
  const { stringify: quote, parse } = JSON;
  const { apply } = Reflect;
  const { defineProperty, keys, getOwnPropertyDescriptor, prototype } = Object;
  const { slice, toWellFormed } = String.prototype as any;
  const { get, set } = WeakMap.prototype;
  const { then } = Promise.prototype;
  const evaluate = eval;
  const take = (name: string): any => {
    const value = global[name];
    delete global[name];
    return value;
  };
  const call = take("ggCall");
  const start = take("ggStart");
  const log = take("ggLog");
  const source = take("ggSource");
  take("ggBoot");
  take("SharedArrayBuffer");
  take("Atomics");

  const random32 = seeded(low, high);
  Math.random = () => (random32() * 0x200000 + (random32() >>> 11)) / 0x20000000000000;

  const marks = new WeakMap<object, string>();
  const ready = Promise.resolve();
  // Promise.prototype.then looks up the class to make; an own undefined makes it the engine's own.
  defineProperty(ready, "constructor", { value: undefined });
  const $: Intrinsics = {
    apply,
    quote,
    random32,
    log,
    Registry: FinalizationRegistry,
    enqueue: (job) => apply(then, ready, [job]),
  };

  const put = (name: string, value: unknown): void => {
    defineProperty(global, name, {
      __proto__: null,
      value,
      writable: true,
      configurable: true,
    } as PropertyDescriptor);
  };
  const getters: Record<string, unknown> = { __proto__: null } as any;
  const lazy = (name: string): void => {
    let made: Record<string, unknown> | undefined;
    const load = (): unknown => {
      if (!made) {
        made = (evaluate(source(name)) as Source)($);
        const found = keys(made);
        // A group defines all its names at once; one the program has replaced stays replaced.
        for (let i = 0; i < found.length; i++) {
          const key = found[i]!;
          const current = getOwnPropertyDescriptor(global, key);
          if (current?.configurable && current.get && current.get === getters[key]) put(key, made[key]);
        }
      }
      return made[name];
    };
    getters[name] = load;
    defineProperty(global, name, { get: load, set: (value) => put(name, value), configurable: true });
  };
  const all = names.split(",");
  for (let i = 0; i < all.length; i++) lazy(all[i]!);

  // Only flat, well-formed strings without NUL cross into Python whole.
  const pass =
    (to: any): Handle["host"] =>
    (operation, args, stack) =>
      to(
        quote(apply(slice, "" + operation, [0, NAME_CHARS])),
        (args = "" + args).length > limit ? "" : apply(toWellFormed, args, []),
        quote(typeof stack == "string" ? apply(slice, stack, [0, STACK_CHARS]) : ""),
        args.length,
      );
  let complete: Parameters<Handle["onComplete"]>[0] | undefined;
  const handle: Handle = {
    host: pass(call),
    start: pass(start),
    onComplete: (listener) => (complete = listener),
    quote,
    parse,
    keys,
    hasOwn: Object.hasOwn,
    isArray: Array.isArray,
    tag: (value) => apply(prototype.toString, value, []),
    Error,
    mark: (error, ceiling) => apply(set, marks, [error, ceiling]),
  };
  const key = Symbol.for(HANDLE);
  defineProperty(global, key, { value: () => (delete global[key], handle), configurable: true });

  const { track, fail, judge } = tracker((error) => apply(get, marks, [error]));
  return (which) =>
    [track, fail, judge, (ticket: number, envelope: string) => complete?.(ticket, envelope)][which];
}
