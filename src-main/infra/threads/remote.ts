/** Creates a port whose methods are calls to another thread. */
export function remote<Port extends object>(call: (method: string, args: unknown[]) => Promise<unknown>): Port {
  return new Proxy({} as Port, {
    get: (_target, method) =>
      // Resolving a promise with this object reads its property `then`, which must not exist.
      typeof method === 'symbol' || method === 'then' ? undefined : (...args: unknown[]) => call(method, args),
  });
}
