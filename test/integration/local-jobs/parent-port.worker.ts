/**
 * The misbehaving compute process as under Electron: without `process.send`, and with a parent port whose first message brings the port to
 * the process of the core.
 */
const send = process.send?.bind(process);
const port = {
  on: (event: 'message' | 'close', listener: (event: { data: unknown }) => void) =>
    event === 'message'
      ? process.on('message', (data) => listener({ data }))
      : process.on('disconnect', () => listener({ data: undefined })),
  postMessage: (message: object) => send?.(structuredClone(message)),
  start: () => undefined,
};
Reflect.set(process, 'parentPort', {
  once: (_event: 'message', listener: (event: { ports: (typeof port)[] }) => void) =>
    queueMicrotask(() => listener({ ports: [port] })),
});
Reflect.deleteProperty(process, 'send');
await import('./crashing.worker.ts');

export {};
