export type ImageProblemKind = 'corrupt' | 'unsupported' | 'too_large' | 'unreadable' | 'empty';

/** The reason why a file could not be read as an image. `reason` is plain English for the user and never contains a path. */
export class ImageProblem extends Error {
  readonly kind: ImageProblemKind;
  readonly reason: string;

  constructor(kind: ImageProblemKind, reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'ImageProblem';
    this.kind = kind;
    this.reason = reason;
  }
}
