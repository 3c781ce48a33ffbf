/** `structuredClone`: cycles, collections, buffers and errors; what cannot be cloned throws. */

import type { Intrinsics } from "../intrinsics";

type Buffer = ArrayBuffer & { transfer?(): ArrayBuffer };

const ERRORS: Record<string, ErrorConstructor> = {
  Error,
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
};

const refuse = (what: string): never => {
  throw new DOMException(`${what} could not be cloned`, "DataCloneError");
};

export default (_: Intrinsics): Record<string, unknown> => {
  const tag = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);
  const isError = (Error as unknown as { isError(value: unknown): value is Error }).isError;

  const cloner = (): ((value: any) => any) => {
    const seen = new Map<object, unknown>();
    const keep = <T>(source: object, copy: T): T => {
      seen.set(source, copy);
      return copy;
    };
    const fields = (source: any, copy: any): any => {
      for (const key of Object.keys(source))
        Object.defineProperty(copy, key, {
          value: clone(source[key]),
          writable: true,
          enumerable: true,
          configurable: true,
        });
      return copy;
    };
    const error = (source: any): Error => {
      const copy: any = keep(source, new (ERRORS[source.name] ?? Error)(source.message));
      for (const key of ["stack", "cause"])
        if (Object.hasOwn(source, key))
          Object.defineProperty(copy, key, { value: clone(source[key]), writable: true, configurable: true });
      return copy;
    };
    const view = (source: any): any => {
      const buffer = clone(source.buffer);
      const size = tag(source) == "DataView" ? source.byteLength : source.length;
      return keep(source, new source.constructor(buffer, source.byteOffset, size));
    };
    const object = (source: any): any => {
      if (Array.isArray(source)) {
        const copy: unknown[] = keep(source, []);
        copy.length = source.length;
        return fields(source, copy);
      }
      if (ArrayBuffer.isView(source)) return view(source);
      if (isError(source)) return error(source);
      const name = tag(source);
      switch (name) {
        case "Date":
          return keep(source, new Date(source.getTime()));
        case "RegExp":
          return keep(source, new RegExp(source.source, source.flags));
        case "ArrayBuffer":
          return keep(source, source.slice(0));
        case "Boolean":
        case "Number":
        case "String":
        case "BigInt":
          return keep(source, Object(source.valueOf()));
        case "Map": {
          const copy = keep(source, new Map<unknown, unknown>());
          for (const [key, value] of [...source]) copy.set(clone(key), clone(value));
          return copy;
        }
        case "Set": {
          const copy = keep(source, new Set<unknown>());
          for (const value of [...source]) copy.add(clone(value));
          return copy;
        }
        case "Symbol":
        case "Promise":
        case "WeakMap":
        case "WeakSet":
        case "WeakRef":
          return refuse(`a ${name}`);
        default:
          return fields(source, keep(source, {}));
      }
    };
    const clone = (value: any): any => {
      if (typeof value == "function") return refuse(`function ${value.name}`);
      if (typeof value == "symbol") return refuse(String(value));
      if (typeof value != "object" || value === null) return value;
      return seen.has(value) ? seen.get(value) : object(value);
    };
    return (value) => clone(value);
  };

  return {
    structuredClone(value: unknown, options: { transfer?: Buffer[] } = {}): unknown {
      const transfer = [...(options.transfer ?? [])];
      for (const buffer of transfer)
        if (tag(buffer) != "ArrayBuffer") refuse(`a ${tag(buffer)} in the transfer list`);
      const copy = cloner()(value);
      for (const buffer of transfer) buffer.transfer?.();
      return copy;
    },
  };
};
