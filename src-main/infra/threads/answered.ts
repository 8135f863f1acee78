/** The methods of a port as the thread that does the work answers them: at once, or later. */
export type Answered<Port, Name extends keyof Port = keyof Port> = {
  [Method in Name]: Port[Method] extends (...args: infer Args) => Promise<infer Value>
    ? (...args: Args) => Value | Promise<Value>
    : never;
};
