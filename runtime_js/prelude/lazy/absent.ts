/** What programs reach for and this guest does not have: each use says so, and what to do instead. */

import type { Intrinsics } from "../intrinsics";

const EVENT_LOOP = "a program has no event loop and no timers; do the work in order, or await a promise";

const FUNCTIONS: Record<string, string> = {
  setTimeout: EVENT_LOOP,
  setInterval: EVENT_LOOP,
  clearTimeout: EVENT_LOOP,
  clearInterval: EVENT_LOOP,
  requestAnimationFrame: EVENT_LOOP,
  fetch: "a program has no network; use the calls of the SDK",
  require: 'a program is an ES module; use import, as in import { views } from "gg"',
};

const OBJECTS: Record<string, string> = {
  process: "a program has no process and no environment; use the calls of the SDK",
  Intl: "format numbers and dates by hand, or with toFixed and toISOString",
};

const absent = (name: string, remedy: string): never => {
  throw new ReferenceError(`${name} is not available: ${remedy}`);
};

export default (_: Intrinsics): Record<string, unknown> => {
  const made: Record<string, unknown> = {};
  for (const name in FUNCTIONS)
    made[name] = { [name]: (): never => absent(name, FUNCTIONS[name]!) }[name];
  for (const name in OBJECTS) {
    const use = (_target: object, key: string | symbol): unknown =>
      // Symbols are asked for by whatever renders or converts the object: `typeof` and a log line stay harmless.
      typeof key == "symbol" ? undefined : absent(`${name}.${key}`, OBJECTS[name]!);
    made[name] = new Proxy({}, { get: use, set: (target, key) => !!use(target, key) });
  }
  return made;
};
