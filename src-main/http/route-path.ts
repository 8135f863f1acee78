/** The router's spelling of an operation's path: `/dataset/{dataset_id}` → `/api/v1/dataset/:dataset_id`. */
export function routeOf(path: string): string {
  return `/api/v1${path.replace(/\{(\w+)\}/g, ':$1')}`;
}
