/** What the engine has beyond ECMAScript and the prelude uses. */
declare class DOMException extends Error {
  constructor(message?: string, name?: string);
}
