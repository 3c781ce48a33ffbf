/**
 * `queueMicrotask` and `FinalizationRegistry`, so that what a callback throws is an unhandled rejection like
 * any other: the engine's own would let the exception leave its job.
 */

import type { Intrinsics } from "../intrinsics";

export default ($: Intrinsics): Record<string, unknown> => {
  const Native = $.Registry;
  const Wrapped = new Proxy(Native, {
    construct(target, [cleanup, ...rest], made) {
      if (typeof cleanup != "function") return Reflect.construct(target, [cleanup, ...rest], made);
      return Reflect.construct(target, [(held: unknown) => $.enqueue(() => cleanup(held))], made);
    },
  });
  Native.prototype.constructor = Wrapped;

  return {
    FinalizationRegistry: Wrapped,
    queueMicrotask(callback: () => void): void {
      if (typeof callback != "function") throw new TypeError("queueMicrotask needs a function");
      $.enqueue(() => callback());
    },
  };
};
