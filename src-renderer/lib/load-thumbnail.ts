/** As many as a browser has connections to one server (6), and the next ones waiting for them. */
const AT_ONCE = 12;

interface Load {
  image: HTMLImageElement;
  src: string;
}

/** What was asked for together, in the order of the page. */
type Batch = Set<Load>;

/** Those that came last are at the end; nothing is added to one that loads have begun of. */
const waiting: Batch[] = [];
let gathered: Batch | undefined;
const underWay = new Set<Load>();

/**
 * Loads an image, after what was asked for together with it and before all that waits already.
 *
 * [Note: Newest first] A browser loads images in the order in which they came to the page. Where a grid is scrolled quicker than thumbnails come,
 * those of rows that are about to leave would hold up those of rows that are in view. What has left the page before its turn is never asked for.
 *
 * @returns Takes the wish back; what is under way goes on as long as the image has its address.
 */
export function loadThumbnail(image: HTMLImageElement, src: string): () => void {
  if (gathered === undefined) {
    gathered = new Set();
    waiting.push(gathered);
    queueMicrotask(beginNewest);
  }
  const batch = gathered;
  const load = { image, src };
  batch.add(load);
  return () => {
    batch.delete(load);
    if (underWay.delete(load)) queueMicrotask(beginNewest);
  };
}

function beginNewest(): void {
  gathered = undefined;
  while (underWay.size < AT_ONCE) {
    const batch = waiting.at(-1);
    if (batch === undefined) return;
    const [load] = batch;
    if (load === undefined) waiting.pop();
    else {
      batch.delete(load);
      begin(load);
    }
  }
}

function begin(load: Load): void {
  const { image, src } = load;
  image.src = src;
  // What the browser still holds is there at once.
  if (image.complete) return;
  underWay.add(load);
  const end = () => {
    if (underWay.delete(load)) beginNewest();
  };
  image.addEventListener('load', end, { once: true });
  image.addEventListener('error', end, { once: true });
}
