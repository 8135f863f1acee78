/** A failed call. `code` is the code that the server sent, or `unreachable` if there was no answer. */
export class VitrineError extends Error {
  readonly code: string;
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  /** For `invalid_input`: the expected value of each invalid field. */
  readonly fields: Readonly<Record<string, string>>;

  constructor(code: string, status: number, detail: string, fields: Readonly<Record<string, string>> = {}) {
    super(detail);
    this.name = 'VitrineError';
    this.code = code;
    this.status = status;
    this.fields = fields;
  }

  /** Whether the same call may succeed a moment later. */
  get isTransient(): boolean {
    return this.status === 0 || this.status === 429 || this.status === 503;
  }
}

/** Reads the error of an answer. */
export async function errorOf(response: Response): Promise<VitrineError> {
  const text = await response.text();
  let body: { code?: unknown; detail?: unknown; fields?: Record<string, string> } = {};
  try {
    body = JSON.parse(text);
  } catch {
    // A proxy answered with a page of its own.
  }
  const detail = typeof body.detail === 'string' ? body.detail : `The server answered ${response.status}`;
  return new VitrineError(typeof body.code === 'string' ? body.code : 'internal', response.status, detail, body.fields);
}
