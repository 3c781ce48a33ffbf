// Generated from the table of operations; do not edit.
export { ApiError } from "./core";
export * as memories from "./memories";
export * as views from "./views";
export * as files from "./files";
export * as session from "./session";
