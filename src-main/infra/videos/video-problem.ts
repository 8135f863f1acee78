export type VideoProblemKind = 'corrupt' | 'unsupported' | 'timed_out' | 'no_frames' | 'unreadable' | 'too_large';

/** The reason why a file gave no video frames. `reason` is a plain English sentence for the user and never contains a path. */
export class VideoProblem extends Error {
  readonly kind: VideoProblemKind;
  readonly reason: string;

  constructor(kind: VideoProblemKind, reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'VideoProblem';
    this.kind = kind;
    this.reason = reason;
  }
}
