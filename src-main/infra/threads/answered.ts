/** The methods of a port as a thread implements them: each returns its value or a promise of it. */
export type Answered<Port, Name extends keyof Port = keyof Port> = {
  [Method in Name]: Port[Method] extends (...args: infer Args) => Promise<infer Value>
    ? (...args: Args) => Value | Promise<Value>
    : never;
};
