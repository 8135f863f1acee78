import { useCallback, useSyncExternalStore } from 'react';
import { useConnection } from './connection.ts';
import { loadThumbnail } from './load-thumbnail.ts';

type ImageState = 'waiting' | 'shown' | 'failed';

interface SharedImage {
  state: ImageState;
  /** Number of reconnections when the image was requested. */
  returns: number;
  users: Set<() => void>;
  close(): void;
}

const images = new Map<string, SharedImage>();

/** The state of an image that several elements show. It is loaded once, and only while an element shows it. */
export function useSharedImage(src: string): ImageState {
  const returns = useConnection((state) => state.returns);
  const subscribe = useCallback(
    (onChange: () => void) => {
      const image = imageAt(src, returns);
      image.users.add(onChange);
      return () => {
        image.users.delete(onChange);
        // Elements of the next rendering may use it.
        queueMicrotask(() => {
          if (image.users.size > 0) return;
          image.close();
          if (images.get(src) === image) images.delete(src);
        });
      };
    },
    [src, returns],
  );
  return useSyncExternalStore(subscribe, () => images.get(src)?.state ?? 'waiting');
}

/** An image that failed is requested again after a reconnection. */
function imageAt(src: string, returns: number): SharedImage {
  const known = images.get(src);
  if (known && !(known.state === 'failed' && known.returns !== returns)) return known;
  const opened = load(src, returns);
  images.set(src, opened);
  return opened;
}

function load(src: string, returns: number): SharedImage {
  const element = new Image();
  const cancel = loadThumbnail(element, src);
  const image: SharedImage = {
    state: 'waiting',
    returns,
    users: new Set(),
    close: () => {
      cancel();
      element.removeAttribute('src');
      // Chromium keeps an image that has had an address until the image is removed from a parent.
      new DocumentFragment().append(element);
      element.remove();
    },
  };
  const become = (state: ImageState) => {
    image.state = state;
    for (const onChange of image.users) onChange();
  };
  element.addEventListener('load', () => {
    // Decoded before it is shown, so that tiles do not appear one after the other.
    const show = () => become('shown');
    element.decode().then(show, show);
  });
  element.addEventListener('error', () => become('failed'));
  return image;
}
