import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ItemPage } from '../../src-main/contract/schemas/facets.ts';
import { ISSUES, type IssueCounts, type IssueName } from '../../src-main/contract/schemas/issues.ts';
import { Api } from '../support/api.ts';
import { startServer } from '../support/server.ts';

/** Real photos and their ground truth. No limit was fitted to them; both were only inspected. */
const SETS = {
  cleanvision_tests: 'quality/cleanvision_tests',
  maxim: 'quality/maxim',
  coco: 'photos/coco',
  clothing: 'photos/clothing/test',
};

/** Ground-truth names of issues and their names here. Issues that do not exist here are ignored. */
const NAMES: Readonly<Record<string, IssueName | undefined>> = {
  blurry: 'blur',
  dark: 'dark',
  bright: 'bright',
  low_information: 'low_information',
  odd_size: 'odd_size',
  odd_aspect_ratio: 'odd_aspect_ratio',
  exact_duplicate: 'duplicates',
  near_duplicate: 'duplicates',
};
const CHECKED = 'cleanvision_tests';

/**
 * Measures which images have which issue, for CleanVision's tests against the expected issues, and the share of photos reported as blurred,
 * dark or bright. Almost no photo has these issues, so this share is the false-positive rate.
 */
export async function measureIssues(media: string, folder: string): Promise<unknown> {
  const server = await startServer(folder);
  try {
    const api = new Api(server.baseUrl);
    const found: Record<string, unknown> = {};
    for (const [name, part] of Object.entries(SETS)) {
      const id = await api.createFromFolder(name, join(media, part), { encoder: 'none' });
      const { n_images } = await api.waitFor(id, 'READY');
      const started = performance.now();
      const { body } = await api.get<{ issues: IssueCounts }>(`/dataset/${id}/stats`);
      const ms = Math.round(performance.now() - started);
      const counts = Object.fromEntries(body.issues.map((one) => [one.name, one.count]));
      const share = (issue: string) => Number(((counts[issue] ?? 0) / n_images).toFixed(3));
      found[name] = {
        images: n_images,
        counts,
        shares: { blur: share('blur'), dark: share('dark'), bright: share('bright') },
        first_count_ms: ms,
        ...(n_images <= 20 ? { files: await filesWithIssues(api, id) } : {}),
        ...(name === CHECKED ? await besideTruth(api, id, media) : {}),
      };
    }
    return found;
  } finally {
    await server.stop();
  }
}

async function filesWithIssues(api: Api, id: string): Promise<Record<string, string[]>> {
  const files: Record<string, string[]> = {};
  for (const value of ISSUES) {
    const vql = encodeURIComponent(JSON.stringify([{ issues: { op: 'issue', value } }]));
    const { body } = await api.get<ItemPage>(`/explore/${id}/items?page_size=500&vql=${vql}`);
    if (body.total > 0) files[value] = body.items.map(({ file_name }) => file_name).sort();
  }
  return files;
}

/** Issues of the checked images that were expected but missing, and those that were not expected. */
async function besideTruth(api: Api, id: string, media: string): Promise<{ missing: string[]; unexpected: string[] }> {
  await api.atRest();
  const lines = (await readFile(join(media, 'quality', 'GROUND_TRUTH.csv'), 'utf8')).trim().split(/\r?\n/);
  const expected = lines.flatMap((line) => {
    const [file = '', said = ''] = line.split(',');
    const issue = NAMES[said];
    return issue !== undefined && file.includes(CHECKED) ? [`${basename(file)} ${issue}`] : [];
  });
  const asked = new Set<string | undefined>(Object.values(NAMES));
  const found = Object.entries(await filesWithIssues(api, id)).flatMap(([issue, files]) =>
    asked.has(issue) ? files.map((file) => `${file} ${issue}`) : [],
  );
  return {
    missing: [...new Set(expected)].filter((one) => !found.includes(one)),
    unexpected: found.filter((one) => !expected.includes(one)),
  };
}
