/** The misbehaving compute process as under Electron: with a parent port and without `process.send`. */
const send = process.send?.bind(process);
Reflect.set(process, 'parentPort', {
  on: (_event: 'message', listener: (event: { data: unknown }) => void) =>
    process.on('message', (data) => listener({ data })),
  postMessage: (message: object) => send?.(structuredClone(message)),
});
Reflect.deleteProperty(process, 'send');
await import('./crashing.worker.ts');

export {};
