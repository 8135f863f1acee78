import { create } from 'zustand';
import type { EnrichmentPreview } from '../../../src-main/contract/schemas/model.ts';

export type PreviewItem = EnrichmentPreview['items'][number];
export type PreviewOutput = PreviewItem['outputs'][number];

/** Preview results of a dataset's sample, from one or more previews. */
export interface Previews {
  items: readonly PreviewItem[];
  /** By model id, then by media id. */
  outputs: ReadonlyMap<string, ReadonlyMap<string, PreviewOutput>>;
}

interface PreviewStore {
  of: Readonly<Record<string, Previews>>;
  add(datasetId: string, preview: EnrichmentPreview): void;
}

/** Retained while the app is open, so that returning needs no second preview and models can be compared. */
export const usePreviewStore = create<PreviewStore>()((set) => ({
  of: {},
  add: (datasetId, { items }) =>
    set(({ of }) => {
      const outputs = new Map(of[datasetId]?.outputs);
      const ids = new Set(items.flatMap((item) => item.outputs.map((output) => output.model_id)));
      for (const id of ids) outputs.set(id, outputsOf(id, items));
      return { of: { ...of, [datasetId]: { items, outputs } } };
    }),
}));

function outputsOf(modelId: string, items: readonly PreviewItem[]): ReadonlyMap<string, PreviewOutput> {
  return new Map(
    items.flatMap((item) => {
      const output = item.outputs.find((one) => one.model_id === modelId);
      return output === undefined ? [] : [[item.media_id, output]];
    }),
  );
}
