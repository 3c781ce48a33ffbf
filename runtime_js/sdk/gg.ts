// Generated from the table of operations; do not edit.
export { ApiError } from "./core";
export * as memories from "./memories";
export * as skills from "./skills";
export * as records from "./records";
export * as skillbook from "./skillbook";
export * as views from "./views";
export * as docs from "./docs";
export * as files from "./files";
export * as shell from "./shell";
export * as programs from "./programs";
export * as context from "./context";
export * as delegation from "./delegation";
export * as board from "./board";
export * as session from "./session";
export * as tools from "./tools";
