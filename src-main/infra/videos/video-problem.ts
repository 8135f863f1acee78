export type VideoProblemKind = 'corrupt' | 'unsupported' | 'timed_out' | 'no_frames' | 'unreadable' | 'too_large';

/** Why a file gave no video frames. `reason` is plain English for a person and never holds a path. */
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
