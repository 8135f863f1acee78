import type { Contract, OperationId } from '../contract/contract.ts';
import type { OperationInput, OperationOutput, OperationSpec } from '../contract/operation.ts';
import type { ContextOf } from './access/contexts.ts';
import type { JsonResult } from './json-result.ts';

type Handler<T extends OperationSpec> = (
  context: ContextOf<T['permission']>,
  input: OperationInput<T>,
) => Promise<OperationOutput<T> | JsonResult<OperationOutput<T>>> | OperationOutput<T>;

/** One handler for each operation of the contract. */
export type Handlers = { readonly [Id in OperationId]: Handler<Contract[Id]> };

/** The operations that one service handles. */
export type SomeHandlers = Partial<Handlers>;

interface HandlingService {
  readonly handlers: SomeHandlers;
}

type Intersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/**
 * Joins the handlers of all services. Assigning the result to {@link Handlers} does not compile while an operation has no handler.
 * @throws Error if two services handle the same operation.
 */
export function joinHandlers<const Services extends readonly HandlingService[]>(
  services: Services,
): Intersection<Services[number]['handlers']> {
  const joined: Record<string, unknown> = {};
  for (const { handlers } of services) {
    for (const [operationId, handler] of Object.entries(handlers)) {
      if (operationId in joined) throw new Error(`The operation ${operationId} has two handlers`);
      joined[operationId] = handler;
    }
  }
  return joined as Intersection<Services[number]['handlers']>;
}
