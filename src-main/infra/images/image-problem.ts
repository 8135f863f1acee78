import { formatMessage, type Message } from '../../contract/messages.ts';

export type ImageProblemKind = 'corrupt' | 'unsupported' | 'too_large' | 'unreadable' | 'empty';

/** The reason why a file could not be read as an image. `reason` never contains a path. */
export class ImageProblem extends Error {
  readonly kind: ImageProblemKind;
  readonly reason: Message;

  constructor(kind: ImageProblemKind, reason: Message, options?: ErrorOptions) {
    super(formatMessage(reason), options);
    this.name = 'ImageProblem';
    this.kind = kind;
    this.reason = reason;
  }
}
