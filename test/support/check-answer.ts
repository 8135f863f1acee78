import { z } from 'zod';
import { operations } from '../../src-main/contract/contract.ts';
import { ERROR_STATUS } from '../../src-main/contract/errors.ts';
import { type OperationSpec, pathParameters } from '../../src-main/contract/operation.ts';

const routes = Object.values(operations)
  .map((operation) => ({
    operation,
    pattern: new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`),
    parameters: pathParameters(operation.path).length,
  }))
  .sort((a, b) => a.parameters - b.parameters);

const failure = z.object({
  detail: z.string().min(1),
  code: z.string().refine((code) => code in ERROR_STATUS),
  fields: z.record(z.string(), z.string()).optional(),
});
const creationFailure = failure.extend({ status: z.literal('error'), message: z.string() });

/** Returns the operation for a path below `/api/v1`, with or without a query string. */
function operationAt(method: string, path: string): OperationSpec | undefined {
  const bare = path.replace(/\?.*$/s, '').replace(/(?<=.)\/$/, '');
  return routes.find(({ operation, pattern }) => operation.method === method && pattern.test(bare))?.operation;
}

/**
 * Validates a response against its operation: the status, the output schema, and for failures the common error shape. Responses of paths
 * that belong to no operation are ignored.
 * @throws Error that names the request and the mismatch.
 */
export function checkAnswer(
  method: string,
  path: string,
  answer: { status: number; body: unknown; text: string },
): void {
  const operation = operationAt(method, path);
  if (!operation) return;
  const { status, body, text } = answer;
  const complain = (problem: string): never => {
    throw new Error(`${method} ${path} answered ${status}, ${problem}: ${text.slice(0, 500)}`);
  };
  const hold = (schema: z.ZodType, value: unknown) => {
    const result = schema.safeParse(value);
    if (!result.success) complain(`which does not fit the contract: ${z.prettifyError(result.error)}`);
  };
  if (status >= 400) {
    hold(operation.creation ? creationFailure : failure, body);
    if (/\n\s+at /.test(text)) complain('with a stack');
    return;
  }
  if (operation.reply === 'file') return;
  if (status !== operation.status) complain(`not ${operation.status}`);
  if (operation.reply === 'empty' && text !== '') complain('with a body');
  if (operation.reply !== 'json') return;
  hold(operation.output, body);
  if (text !== JSON.stringify(body)) complain('not as compact JSON');
  if (typeof body === 'object' && body !== null && 'error' in body) complain('with a key named error');
}
