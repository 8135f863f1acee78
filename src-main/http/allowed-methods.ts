import { operations } from '../contract/contract.ts';
import type { OperationSpec } from '../contract/operation.ts';

interface Address {
  pattern: RegExp;
  methods: Set<string>;
}

/** The methods of each address in the contract, with a pattern that matches the address. */
const ADDRESSES = addressesOf(Object.values<OperationSpec>(operations));

/** The methods that a path answers, such as `GET, HEAD`; empty for an unknown path. */
export function allowedMethods(path: string): string[] {
  const [address = path] = path.split('?', 1);
  const matching = ADDRESSES.filter(({ pattern }) => pattern.test(address));
  return [...new Set(matching.flatMap(({ methods }) => [...methods]))].sort();
}

function addressesOf(all: readonly OperationSpec[]): Address[] {
  const byPath = new Map<string, Address>();
  for (const { path, method, alsoByPost } of all) {
    const pattern = new RegExp(`^/api/v1${path.replace(/\{\w+\}/g, '[^/]+')}/?$`);
    const address = byPath.get(path) ?? { pattern, methods: new Set() };
    address.methods.add(method);
    if (method === 'GET') address.methods.add('HEAD');
    if (alsoByPost) address.methods.add('POST');
    byPath.set(path, address);
  }
  return [...byPath.values()];
}
