// Globals of the guest beyond ECMAScript: what the prelude adds to the engine, and nothing else. What is absent here
// (timers, fetch, require, process, Intl) is absent on purpose: a program that names it gets a type error in place.
// Ambient declarations of a script: no import or export may stand here, the file becomes part of one library.

/** Lines for the operator; the model sees none of them. */
interface Console {
    log(...data: unknown[]): void;
    info(...data: unknown[]): void;
    warn(...data: unknown[]): void;
    error(...data: unknown[]): void;
    debug(...data: unknown[]): void;
    trace(...data: unknown[]): void;
    dir(...data: unknown[]): void;
}
declare var console: Console;

interface Performance {
    now(): number;
}
declare var performance: Performance;

/** Both draw from the seed of the program, so a run can be repeated. */
interface Crypto {
    randomUUID(): `${string}-${string}-${string}-${string}-${string}`;
    getRandomValues<T extends ArrayBufferView>(array: T): T;
}
declare var crypto: Crypto;

interface TextEncoderEncodeIntoResult {
    read: number;
    written: number;
}
interface TextEncoder {
    readonly encoding: "utf-8";
    encode(input?: string): Uint8Array<ArrayBuffer>;
    encodeInto(source: string, destination: Uint8Array): TextEncoderEncodeIntoResult;
}
declare var TextEncoder: {
    prototype: TextEncoder;
    new (): TextEncoder;
};

interface TextDecoderOptions {
    fatal?: boolean;
    ignoreBOM?: boolean;
}
interface TextDecodeOptions {
    stream?: boolean;
}
interface TextDecoder {
    readonly encoding: string;
    readonly fatal: boolean;
    readonly ignoreBOM: boolean;
    decode(input?: ArrayBuffer | ArrayBufferView, options?: TextDecodeOptions): string;
}
declare var TextDecoder: {
    prototype: TextDecoder;
    new (label?: string, options?: TextDecoderOptions): TextDecoder;
};

interface URLSearchParams {
    readonly size: number;
    append(name: string, value: string): void;
    delete(name: string, value?: string): void;
    get(name: string): string | null;
    getAll(name: string): string[];
    has(name: string, value?: string): boolean;
    set(name: string, value: string): void;
    sort(): void;
    toString(): string;
    forEach(callbackfn: (value: string, key: string, parent: URLSearchParams) => void, thisArg?: unknown): void;
    entries(): IteratorObject<[string, string], BuiltinIteratorReturn, unknown>;
    keys(): IteratorObject<string, BuiltinIteratorReturn, unknown>;
    values(): IteratorObject<string, BuiltinIteratorReturn, unknown>;
    [Symbol.iterator](): IteratorObject<[string, string], BuiltinIteratorReturn, unknown>;
}
declare var URLSearchParams: {
    prototype: URLSearchParams;
    new (init?: string | Iterable<readonly [string, string]> | Record<string, string> | URLSearchParams): URLSearchParams;
};

interface URL {
    hash: string;
    host: string;
    hostname: string;
    href: string;
    readonly origin: string;
    password: string;
    pathname: string;
    port: string;
    protocol: string;
    search: string;
    readonly searchParams: URLSearchParams;
    username: string;
    toString(): string;
    toJSON(): string;
}
declare var URL: {
    prototype: URL;
    new (url: string | URL, base?: string | URL): URL;
    canParse(url: string | URL, base?: string | URL): boolean;
    parse(url: string | URL, base?: string | URL): URL | null;
};

declare function structuredClone<T = any>(value: T, options?: { transfer?: readonly ArrayBuffer[] }): T;
declare function queueMicrotask(callback: () => void): void;
declare function atob(data: string): string;
declare function btoa(data: string): string;
