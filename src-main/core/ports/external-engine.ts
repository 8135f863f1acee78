/** Vector engines outside of the process that searches can be placed in. */
export const EXTERNAL_KINDS = ['qdrant', 'pgvector'] as const;
export type ExternalKind = (typeof EXTERNAL_KINDS)[number];

/** Where an external engine is reached. Plain data that is sent to threads and jobs, and never written to a dataset's folder. */
export interface EngineConnection {
  kind: ExternalKind;
  /** For qdrant an http(s) address, for pgvector a `postgresql://` address. */
  url: string;
  /** API key, or the password of the database user; empty for none. */
  key: string;
}
