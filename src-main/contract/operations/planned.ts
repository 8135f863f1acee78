import { z } from 'zod';
import { defineOperation, type Method, type OperationSpec, pathParameters } from '../operation.ts';

/**
 * Operations of the interface that answer 501 so far. The one list of them: an operation leaves it when it is declared in full beside
 * this file.
 */
const rows: readonly (readonly [id: string, method: Method, path: `/${string}`, section: string, summary: string])[] =
  [];

function plannedOperation([, method, path, section, summary]: (typeof rows)[number]): OperationSpec {
  const parameters = Object.fromEntries(pathParameters(path).map((name) => [name, z.string()]));
  return defineOperation({
    method,
    path,
    section,
    summary,
    input: z.object(parameters),
    output: z.unknown(),
    errors: ['not_implemented'],
  });
}

export const plannedOperations: Readonly<Record<string, OperationSpec>> = Object.fromEntries(
  rows.map((row) => [row[0], plannedOperation(row)]),
);
