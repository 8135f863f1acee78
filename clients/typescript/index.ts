export type { Api, ApiOptions, CallOptions } from './api.ts';
export type {
  Dataset,
  ExportTask,
  FilePart,
  Input,
  Item,
  ItemDetails,
  Notification,
  OperationId,
  Result,
  Task,
} from './api-types.ts';
export type { Credentials } from './credentials.ts';
export type { StreamEvent } from './event-stream.ts';
export type { Entry, PagedId } from './paging.ts';
export type { UploadOptions, UploadOutcome, UploadProgress } from './uploads.ts';
export { type NewDataset, Vitrine } from './vitrine.ts';
export { VitrineError } from './vitrine-error.ts';
export type { WaitOptions } from './waiting.ts';
