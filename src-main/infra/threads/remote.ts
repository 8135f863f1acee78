/** A port whose methods are calls of another thread. */
export function remote<Port extends object>(call: (method: string, args: unknown[]) => Promise<unknown>): Port {
  return new Proxy({} as Port, {
    get: (_target, method) =>
      // A promise that resolves to this object asks for `then`; it has none.
      typeof method === 'symbol' || method === 'then' ? undefined : (...args: unknown[]) => call(method, args),
  });
}
