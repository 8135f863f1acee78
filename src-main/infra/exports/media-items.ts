import { formatMessage } from '../../contract/messages.ts';
import type { MediaItem, MetadataItem } from '../../contract/schemas/export.ts';
import { describeIssue } from '../../contract/schemas/issues.ts';
import type { RequestedUrl } from '../../core/ports/exports.ts';
import type { FoundIssue } from '../../core/ports/issues.ts';
import type { ExportedObject, ItemPart } from '../dataset-store/exports/exported-parts.ts';
import type { ExportSource, SourceItem } from './export-source.ts';

/** All parts of an item's metadata. */
const PARTS = [
  'uniqueness_score',
  'cluster_id',
  'labels',
  'captions',
  'tags',
  'custom',
  'objects',
  'issues',
  'duplicates',
] as const satisfies ItemPart[];
type WholeItem = SourceItem<(typeof PARTS)[number]>;

/** Yields all items as `metadata.json` and `metadata.parquet` contain them, in pages. */
export async function* mediaItems(source: ExportSource): AsyncGenerator<MediaItem[]> {
  for await (const page of source.pages(PARTS)) {
    const requests = page.flatMap((item): RequestedUrl[] => [
      { kind: 'media', media_id: item.media_id, version: item.row },
      ...item.objects.map(
        ({ object_id }): RequestedUrl => ({ kind: 'thumbnail', media_id: object_id, version: item.row }),
      ),
    ]);
    const urls = await source.urlsOf(requests);
    let at = 0;
    yield page.map((item) => {
      const own = urls.slice(at, at + 1 + item.objects.length);
      at += own.length;
      return toMediaItem(item, own);
    });
  }
}

/** @param urls URL of the item, then of each of its objects. */
function toMediaItem(item: WholeItem, [url = '', ...objectUrls]: readonly string[]): MediaItem {
  return {
    media_id: item.media_id,
    media_type: item.media_type,
    file_name: lastOf(item.file_path),
    image_filename: item.image_filename,
    file_path: item.file_path,
    file_size: `${(item.size_bytes / 1024).toFixed(2)}KB`,
    uniqueness_score: item.uniqueness_score,
    height: item.height,
    width: item.width,
    url,
    image_uri: url,
    cluster_id: item.cluster_id,
    metadata_items: [
      ...videoInfo(item),
      ...item.issues.flatMap((found) => (found.issue === 'duplicates' ? [] : [issueItem(found)])),
      ...item.duplicates.map(({ threshold, group_id, confidence }) =>
        issueItem({ issue: 'duplicates', confidence, instead: null, by_appearance: false }, group_id, threshold),
      ),
      ...item.labels.map(({ label, source, confidence }) =>
        metadataItem('image_label', { category_name: label, source, original_id: null, ...ifKnown({ confidence }) }),
      ),
      ...item.objects.map((object, at) => objectLabel(object, objectUrls[at] ?? '')),
      ...item.captions.map(({ caption, source }) => captionItem(caption, source)),
      ...item.custom.map((value) => metadataItem('custom_metadata', { ...value })),
      ...item.tags.map(({ name, assigned_date }) => metadataItem('user_tag', { tag_name: name, assigned_date })),
    ],
  };
}

function videoInfo({ video_id, file_path, frame_number, frame_timestamp }: SourceItem): MetadataItem[] {
  if (video_id === null) return [];
  const videoPath = file_path.slice(0, file_path.lastIndexOf('/'));
  return [
    metadataItem('video_info', {
      video_name: lastOf(videoPath),
      video_id,
      frame_number,
      frame_timestamp,
      timestamp: new Date((frame_timestamp ?? 0) * 1000).toISOString().slice(11, 23),
    }),
  ];
}

/** @param groupId Id of the group of duplicates. It is valid wherever a cluster id is, together with the same `duplicates` filter. */
function issueItem(found: FoundIssue, groupId?: string, threshold?: number): MetadataItem {
  return metadataItem('issue', {
    issue_type: found.issue,
    confidence: found.confidence,
    issues_description: formatMessage(describeIssue(found)),
    ...(groupId === undefined ? {} : { duplicate_group_id: groupId, duplicate_threshold: threshold }),
  });
}

function objectLabel(object: ExportedObject, url: string): MetadataItem {
  const { label, source, object_id, box, uniqueness_score, confidence, caption, caption_source, issues } = object;
  return metadataItem('object_label', {
    category_name: label,
    source,
    original_id: object_id,
    bbox: [box.x, box.y, box.width, box.height],
    uniqueness_score,
    url,
    ...ifKnown({ confidence }),
    metadata_items: [
      ...issues.map((found) => issueItem(found)),
      ...(caption === null ? [] : [captionItem(caption, caption_source ?? '')]),
    ],
  });
}

/** Both field names are written, because clients read either one. */
function captionItem(caption: string, source: string): MetadataItem {
  return metadataItem('caption', { caption, text: caption, source });
}

function metadataItem(type: MetadataItem['type'], properties: MetadataItem['properties']): MetadataItem {
  return { type, properties };
}

/** Confidence of a model's label; labels of people and annotations have none. */
function ifKnown({ confidence }: { confidence: number | null }): { confidence?: number } {
  return confidence === null ? {} : { confidence };
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
