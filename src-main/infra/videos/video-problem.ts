import { formatMessage, type Message } from '../../contract/messages.ts';

export type VideoProblemKind = 'corrupt' | 'unsupported' | 'timed_out' | 'no_frames' | 'unreadable' | 'too_large';

/** The reason why a file gave no video frames. `reason` never contains a path. */
export class VideoProblem extends Error {
  readonly kind: VideoProblemKind;
  readonly reason: Message;

  constructor(kind: VideoProblemKind, reason: Message, options?: ErrorOptions) {
    super(formatMessage(reason), options);
    this.name = 'VideoProblem';
    this.kind = kind;
    this.reason = reason;
  }
}
