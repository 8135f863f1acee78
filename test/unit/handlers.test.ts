import { expect, it } from 'vitest';
import { joinHandlers } from '../../src-main/core/handlers.ts';

const one = { handlers: { list_tags: () => [], list_shares: () => [] } };
const other = { handlers: { list_edits: () => [] } };

it('joins the handlers of services', () => {
  expect(Object.keys(joinHandlers([one, other]))).toEqual(['list_tags', 'list_shares', 'list_edits']);
});

it('fails when two services handle the same operation', () => {
  const double = { handlers: { list_shares: () => [] } };
  expect(() => joinHandlers([one, other, double])).toThrow('The operation list_shares has two handlers');
});
