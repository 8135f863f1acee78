export type ImageProblemKind = 'corrupt' | 'unsupported' | 'too_large' | 'unreadable' | 'empty';

/** Why a file gave no image. `reason` is plain English for a person and never holds a path. */
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
