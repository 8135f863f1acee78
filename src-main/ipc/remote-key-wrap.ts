import type { KeyWrap } from '../core/ports/secret-box.ts';
import type { CoreLink } from './core-link.ts';

/** Encrypts keys in the main process, which alone reaches the key store of the operating system. */
export function remoteKeyWrap(link: CoreLink): KeyWrap {
  const waiting = new Map<number, (key: Uint8Array | null) => void>();
  let nextId = 1;
  link.onMessage((message) => {
    if (message.type !== 'key') return;
    waiting.get(message.key_id)?.(message.key);
    waiting.delete(message.key_id);
  });
  const ask = async (type: 'wrap' | 'unwrap', key: Buffer): Promise<Buffer> => {
    const id = nextId++;
    const answer = await new Promise<Uint8Array | null>((resolve) => {
      waiting.set(id, resolve);
      link.post({ type, key_id: id, key });
    });
    if (answer === null) throw new Error('The key store of the operating system refused the key.');
    return Buffer.from(answer);
  };
  return { wrap: (key) => ask('wrap', key), unwrap: (wrapped) => ask('unwrap', wrapped) };
}
