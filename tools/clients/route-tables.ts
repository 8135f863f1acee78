import { ISSUE_CHOICES } from '../../src-main/contract/schemas/issues.ts';
import type { RouteOfOperation } from './routes.ts';

const HEAD = '// Written by `npm run generate:clients` from the OpenAPI document.\n';

/** The table of routes of the TypeScript client, one operation per line, and the values of the issue filter. */
export function typeScriptRoutes(routes: readonly RouteOfOperation[]): string {
  const lines = routes.map(({ id, method, path, body, query, alsoByPost, reply }) => {
    const route = { method, path, body, query, alsoByPost, reply };
    return `  ${id}: ${JSON.stringify(route)},\n`;
  });
  return `${HEAD}import type { OperationId } from './api-types.ts';
import type { OperationRoute } from './request.ts';

export const OPERATIONS: Readonly<Record<OperationId, OperationRoute>> = {
${lines.join('')}};

/** Values of the filter "issues"; "normal" items have no issue. */
export const ISSUES = ${JSON.stringify(ISSUE_CHOICES)} as const;
`;
}

/** The table of routes of the Python client, one operation per line. */
export function pythonRoutes(routes: readonly RouteOfOperation[]): string {
  const lines = routes.map(({ id, alsoByPost, ...route }) => {
    const line = JSON.stringify({ ...route, ...(alsoByPost && { also_by_post: true }) });
    return `  ${JSON.stringify(id)}: ${line}`;
  });
  return `{\n${lines.join(',\n')}\n}\n`;
}
