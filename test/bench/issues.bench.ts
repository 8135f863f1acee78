import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import sharp from 'sharp';
import type { ItemPage } from '../../src-main/contract/schemas/facets.ts';
import { ISSUES, type IssueCounts, type IssueName, SURE_OF_ISSUE } from '../../src-main/contract/schemas/issues.ts';
import { qualityConfidences } from '../../src-main/infra/dataset-store/issues/quality-confidences.ts';
import { WORKING_PX } from '../../src-main/infra/images/decode-image.ts';
import { qualityStatistics } from '../../src-main/infra/images/quality-statistics.ts';
import { Api } from '../support/api.ts';
import { ISSUE_LIMITS } from '../support/issue-limits.ts';
import { startServer } from '../support/server.ts';
import { DEGRADATIONS } from './image-degradations.ts';
import { measureLabelIssues } from './label-issues.ts';

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
/** Sources of photos that are degraded, and the number of photos of each; `VITRINE_BENCH_ISSUES` overrides it. */
const DEGRADED = { coco: 'photos/coco/images', clothing: 'photos/clothing', near_duplicates: 'near-duplicates' };
const PHOTOS = Number(process.env.VITRINE_BENCH_ISSUES ?? 40);
const MEASURED = ['blur', 'dark', 'bright'] as const;

/**
 * Measures which images have which issue, for CleanVision's tests against the expected issues, and the share of photos reported as blurred,
 * dark or bright. Almost no photo has these issues, so this share is the false-positive rate.
 */
export async function measureIssues(media: string, folder: string): Promise<unknown> {
  const server = await startServer(join(folder, 'data'));
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
    const labels = await measureLabelIssues(api, media, join(folder, 'labelled'));
    return { ...found, degraded: await measureDegraded(media), labels };
  } finally {
    await server.stop();
  }
}

/**
 * Share of degraded photos that have each issue at the default limits, by source and degradation. Photos whose degradation is another issue
 * or none count as false positives.
 */
async function measureDegraded(media: string): Promise<object> {
  const found: Record<string, Record<string, Record<string, number>>> = {};
  for (const [source, part] of Object.entries(DEGRADED)) {
    const names = (await readdir(join(media, part), { recursive: true })).filter((name) =>
      /\.(jpe?g|png)$/i.test(name),
    );
    const every = Math.max(1, names.length / PHOTOS);
    const files = names.sort().filter((_, at) => Math.floor(at % every) === 0);
    const counts = new Map(DEGRADATIONS.map(({ name }) => [name, { blur: 0, dark: 0, bright: 0 }]));
    let n = 0;
    for (const [seed, file] of files.slice(0, PHOTOS).entries()) {
      const decoded = await sharp(join(media, part, file), { failOn: 'none' })
        .autoOrient()
        .flatten({ background: 'white' })
        .toColourspace('srgb')
        .resize(WORKING_PX, WORKING_PX, { fit: 'inside', withoutEnlargement: true })
        .raw()
        .toBuffer({ resolveWithObject: true })
        // The set contains files that are damaged on purpose.
        .catch(() => undefined);
      if (!decoded) continue;
      const { data, info } = decoded;
      if (info.channels !== 3 || Math.min(info.width, info.height) < 64) continue;
      n += 1;
      for (const { name, make } of DEGRADATIONS) {
        const confidences = qualityConfidences(qualityStatistics(await make({ ...info, data }, seed)), ISSUE_LIMITS);
        const count = counts.get(name);
        for (const issue of MEASURED) if (count && confidences[issue] >= SURE_OF_ISSUE) count[issue] += 1;
      }
    }
    const share = (value: number) => Number((value / n).toFixed(3));
    found[source] = Object.fromEntries(
      Array.from(counts, ([name, { blur, dark, bright }]) => [
        name,
        { blur: share(blur), dark: share(dark), bright: share(bright) },
      ]),
    );
  }
  return found;
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
    const [file = '', stated = ''] = line.split(',');
    const issue = NAMES[stated];
    return issue !== undefined && file.includes(CHECKED) ? [`${basename(file)} ${issue}`] : [];
  });
  const requested = new Set<string | undefined>(Object.values(NAMES));
  const found = Object.entries(await filesWithIssues(api, id)).flatMap(([issue, files]) =>
    requested.has(issue) ? files.map((file) => `${file} ${issue}`) : [],
  );
  return {
    missing: [...new Set(expected)].filter((one) => !found.includes(one)),
    unexpected: found.filter((one) => !expected.includes(one)),
  };
}
