import { ArrayFile, writeArrays } from '../array-file.ts';

/** Clusters at one linkage threshold. Clusters are numbered in display order: the largest first, then by their earliest row. */
export interface ClusterLevel {
  /** Cluster of each row; -1 for none. */
  labels: Int32Array;
  /** Members of cluster c are `members[offsets[c] … offsets[c + 1]]`. */
  offsets: Int32Array;
  /** Rows, the most typical of each cluster first. */
  members: Int32Array;
}

const MAGIC = 0x56434c31;
const INT = Int32Array.BYTES_PER_ELEMENT;

/** Writes clusters. Layout, int32 little endian: magic, number of levels, then for each level its three lengths and its three arrays. */
export function writeClusters(file: string, levels: readonly ClusterLevel[]): void {
  const parts: Int32Array[] = [Int32Array.of(MAGIC, levels.length)];
  for (const { labels, offsets, members } of levels) {
    parts.push(Int32Array.of(labels.length, offsets.length, members.length), labels, offsets, members);
  }
  writeArrays(file, parts);
}

/** @throws Error when the file is not a file of clusters. */
export function readClusters(file: string): ClusterLevel[] {
  const clusters = ClusterFile.open(file);
  return Array.from({ length: clusters.nLevels }, (_, level) => clusters.read(level));
}

/** Offset of a level's arrays in the file, in bytes, and their lengths in numbers. */
interface Place {
  at: number;
  lengths: readonly [labels: number, offsets: number, members: number];
}

/** A file of clusters whose levels can be read separately. */
export class ClusterFile {
  readonly #file: string;
  readonly #places: readonly Place[];

  private constructor(file: string, places: readonly Place[]) {
    this.#file = file;
    this.#places = places;
  }

  /** @throws Error when the file is not a file of clusters. */
  static open(file: string): ClusterFile {
    return ArrayFile.use(file, (source) => {
      const [magic, nLevels = 0] = source.readInts(0, 2);
      if (magic !== MAGIC) throw new Error('not a cluster file');
      const places: Place[] = [];
      for (let at = 2 * INT; places.length < nLevels; ) {
        const [nLabels = 0, nOffsets = 0, nMembers = 0] = source.readInts(at, 3);
        at += 3 * INT;
        places.push({ at, lengths: [nLabels, nOffsets, nMembers] });
        at += (nLabels + nOffsets + nMembers) * INT;
      }
      return new ClusterFile(file, places);
    });
  }

  get nLevels(): number {
    return this.#places.length;
  }

  /** @throws RangeError for a level that the file does not have. */
  read(level: number): ClusterLevel {
    const { at, lengths } = this.#place(level);
    const [nLabels, nOffsets, nMembers] = lengths;
    const all = ArrayFile.use(this.#file, (file) => file.readInts(at, nLabels + nOffsets + nMembers));
    return {
      labels: all.subarray(0, nLabels),
      offsets: all.subarray(nLabels, nLabels + nOffsets),
      members: all.subarray(nLabels + nOffsets),
    };
  }

  /** The rows of the cluster that contains a row, the most typical first; empty when it is in no cluster. */
  readClusterOf(level: number, row: number): Int32Array {
    const { at, lengths } = this.#place(level);
    const [nLabels, nOffsets] = lengths;
    if (row < 0 || row >= nLabels) return new Int32Array();
    return ArrayFile.use(this.#file, (file) => {
      const [label = -1] = file.readInts(at + row * INT, 1);
      if (label < 0) return new Int32Array();
      const [start = 0, end = 0] = file.readInts(at + (nLabels + label) * INT, 2);
      return file.readInts(at + (nLabels + nOffsets + start) * INT, end - start);
    });
  }

  #place(level: number): Place {
    const place = this.#places[level];
    if (!place) throw new RangeError(`there is no level ${level}`);
    return place;
  }
}
