import { expect, it, onTestFinished } from 'vitest';
import type { EntityType } from '../../../src-main/contract/schemas/explore.ts';
import { everything } from '../../../src-main/core/ports/query.ts';
import { GenerationReader } from '../../../src-main/infra/dataset-store/thread/generation-reader.ts';
import { GenerationWriter } from '../../../src-main/infra/dataset-store/thread/generation-writer.ts';
import { createEngineMemories } from '../../../src-main/infra/vectors/open-engine.ts';
import { describedFile } from '../../support/described-file.ts';
import { publish } from '../../support/query-dataset.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const VECTORS = [Float32Array.of(1, 0), Float32Array.of(0, 1)];

it('gives an image the labels of its objects with a confidence of 0.3 or more, and finds the others as objects only', async () => {
  const folder = await temporaryFolder();
  const location = { dataset_id: 'd', dataFolder: folder, folder, parquetEntryFile: '' };
  const writer = new GenerationWriter(location);
  const reader = new GenerationReader({ ...location, memories: createEngineMemories() });
  onTestFinished(() => {
    reader.close();
    writer.close();
  });
  await writer.subjects.vectors.openSpace('looks', { encoder_id: 'looks', dim: 2 });
  writer.subjects.intake.addSource({ source_id: 's', kind: 'folder', root: folder });
  writer.subjects.intake.addBatch({ batch_id: 'b', source_id: 's', kind: 'folder' });
  const names = ['a.jpg', 'b.jpg'];
  writer.subjects.intake.addFiles(
    'b',
    names.map((name) => ({ file_path: name, location: name, kind: 'image' as const, size_bytes: 1, mtime_ms: 1 })),
  );
  await writer.subjects.intake.saveResults(
    writer.subjects.intake
      .listPending('b', 'image', null, 2)
      .map((file, at) => describedFile(file, VECTORS[at] ?? new Float32Array(2))),
  );
  const box = { x: 1, y: 1, width: 20, height: 20 };
  const confidences = [
    [0.05, 0.29],
    [0.29, 0.3],
  ];
  await writer.subjects.enrichment.saveImages(
    'models',
    writer.subjects.enrichment.listImages('models', null, 2).map(({ row, media_id }) => ({
      row,
      media_id,
      outputs: [
        {
          model_id: 'detector',
          output: {
            kind: 'objects' as const,
            objects: (confidences[row] ?? []).map((confidence) => ({ label: 'owl', class_id: 1, confidence, box })),
          },
        },
      ],
    })),
    2,
    'b',
  );
  const keys = writer.subjects.annotations
    .listBoxes('b', null, 10)
    .images.flatMap(({ crops }) => crops.map(({ key }) => key));
  await writer.subjects.annotations.saveBoxes(
    keys.map((key, at) => ({
      key,
      ok: true,
      thumbnail: new Uint8Array(4),
      vectors: { looks: VECTORS[at % 2] ?? new Float32Array(2) },
    })),
  );
  await publish(writer);

  const found = async (entityType: EntityType) => {
    const labels = { name: 'labels' as const, op: 'is' as const, value: ['owl'] };
    const plan = { ...everything(entityType), conditions: [labels] };
    return (await reader.subjects.explore.list({ plan, sort: undefined, descending: false, offset: 0, limit: 10 }))
      .items;
  };
  expect((await found('IMAGES')).map((item) => item.file_path)).toEqual(['b.jpg']);
  expect(await found('OBJECTS')).toHaveLength(4);
});
