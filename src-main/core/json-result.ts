/** A result of an operation that is already JSON. Callers that want an object receive it parsed. */
export class JsonResult<Output> {
  /** UTF-8. */
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  parse(): Output {
    return JSON.parse(new TextDecoder().decode(this.bytes));
  }
}
