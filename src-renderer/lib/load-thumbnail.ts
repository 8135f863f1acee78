/** Maximum number of parallel loads: the browser's connections to one server (6), plus some that wait for them. */
const AT_ONCE = 12;

interface Load {
  image: HTMLImageElement;
  src: string;
}

/** Loads that were requested together, in page order. */
type Batch = Set<Load>;

/** The latest group is last. A group that has started receives no more loads. */
const waiting: Batch[] = [];
let gathered: Batch | undefined;
const underWay = new Set<Load>();

/**
 * Loads an image after others of its group and before all earlier groups.
 *
 * [Note: Newest first] Browsers load images in the order in which they were added to the page. When a grid scrolls faster than thumbnails load,
 * rows that are about to leave would delay rows in view. Images that leave the page before their turn are never requested.
 *
 * @returns Cancels the load. A load that has started continues while the image keeps its address.
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

export function areThumbnailsLoading(): boolean {
  return underWay.size > 0;
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
  // Images in the browser's cache are shown at once.
  if (image.complete) return;
  underWay.add(load);
  const end = () => {
    if (underWay.delete(load)) beginNewest();
  };
  image.addEventListener('load', end, { once: true });
  image.addEventListener('error', end, { once: true });
}
