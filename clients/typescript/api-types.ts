import type { operations } from './generated/schema.ts';

/** Operations that answer with a redirect of the browser, and the second address of operations that also answer POST. */
type NotCalled = 'begin_oidc_login' | 'finish_oidc_login' | `${string}_by_post`;
type StreamId = 'stream_events' | 'stream_notifications';

export type OperationId = Exclude<keyof operations, NotCalled | StreamId>;

type Filled<T> = [T] extends [never] ? unknown : T;
type PartOf<O, Name extends string> = O extends { parameters: { [N in Name]?: infer P } }
  ? Filled<Exclude<P, undefined>>
  : unknown;
type BodyOf<O> = O extends { requestBody?: infer B } ? ContentOf<Exclude<B, undefined>> : unknown;
type ContentOf<B> = [B] extends [never] ? unknown : B extends { content: infer C } ? C[keyof C] : unknown;

/** A file to upload. Its name may have folders, such as `beach/1.jpg`. */
export interface FilePart {
  file: Blob;
  file_name: string;
}

/** Query parameters that are JSON texts are also taken as arrays; files are Blobs with a name. */
type Sendable<T> = {
  [K in keyof T]: K extends 'vql' | 'labels' | 'tags'
    ? T[K] | readonly unknown[]
    : K extends 'files'
      ? readonly FilePart[]
      : K extends 'file' | 'archive'
        ? FilePart
        : T[K];
};

/** Parameters of an operation: those in its path, its query string and its body, in one object. */
export type Input<Id extends OperationId> = Sendable<
  PartOf<operations[Id], 'path'> & PartOf<operations[Id], 'query'> & BodyOf<operations[Id]>
>;

type Answers<Id extends OperationId> = operations[Id]['responses'];
type Success<Id extends OperationId> = Answers<Id>[Extract<keyof Answers<Id>, 200 | 201 | 202>];

/** Answer of an operation. Files are the `Response` itself, so that large ones can be read as a stream. */
export type Result<Id extends OperationId> =
  Success<Id> extends { content: infer C }
    ? C extends { 'application/json': infer J }
      ? J
      : C extends { 'text/plain': unknown }
        ? string
        : Response
    : undefined;

export type Dataset = Result<'get_dataset'>;
export type Task = Result<'list_tasks'>['tasks'][number];
export type Item = Result<'list_items'>['items'][number];
export type ItemDetails = Result<'get_dataset_image'>;
export type ExportTask = Result<'get_export_status'>;
export type Notification = Result<'list_notifications'>['notifications'][number];
