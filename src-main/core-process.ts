import { builtWorkers } from './compose/worker-entries.ts';
import { AppError } from './contract/errors.ts';
import { brokeredChildren } from './ipc/brokered-children.ts';
import type { CoreLink, CoreStart, LinkPort, ToCore } from './ipc/core-link.ts';
import { ForwardedIpc, isFromTrustedPage } from './ipc/forwarded-ipc.ts';
import { answerLocations } from './ipc/locate-file.ts';
import { mountIpc } from './ipc/mount-ipc.ts';
import { remoteKeyWrap } from './ipc/remote-key-wrap.ts';
import { startService } from './start-service.ts';

/** The part of Electron's `process.parentPort` that is used; messages wait until a listener is added. */
interface ParentPort {
  on(event: 'message', listener: (event: { data: unknown; ports: LinkPort[] }) => void): void;
  postMessage(message: unknown): void;
}

/*
 * The core of the desktop app in a utility process, so that nothing it does can make a window wait. It runs the same service as
 * headless.ts; the calls of the windows come forwarded by the main process.
 */
const link = openLink(Reflect.get(process, 'parentPort') as ParentPort);
let close: () => Promise<void> = async () => undefined;

link.onMessage((message) => {
  if (message.type === 'start') void start(message.start);
  else if (message.type === 'close') void end();
});

async function start(options: CoreStart): Promise<void> {
  try {
    const ipc = new ForwardedIpc(link);
    const service = await startService({
      dataFolder: options.data_folder,
      port: options.port,
      spawnChild: brokeredChildren(link),
      workers: builtWorkers(import.meta.dirname),
      rendererFolder: options.renderer_folder,
      version: options.version,
      ...(options.has_key_wrap && { keyWrap: remoteKeyWrap(link) }),
    });
    const unmount = mountIpc({
      core: service.core,
      ipc,
      isTrustedSender: isFromTrustedPage,
      temporaryFolder: service.temporaryFolder,
      baseUrl: service.baseUrl,
      session: { token: options.session_token, onChange: (token) => link.post({ type: 'session', token }) },
    });
    answerLocations(service.core, ipc, service.baseUrl);
    close = async () => {
      unmount();
      await service.close();
    };
    link.post({ type: 'ready', base_url: service.baseUrl, setup_url: service.setupUrl });
  } catch (error) {
    const sentence = error instanceof AppError ? error.message : undefined;
    link.post({ type: 'failed', sentence, stack: error instanceof Error ? (error.stack ?? '') : String(error) });
  }
}

async function end(): Promise<void> {
  try {
    await close();
  } catch (error) {
    process.stderr.write(`Vitrine did not close cleanly: ${String(error)}\n`);
  }
  process.exit(0);
}

function openLink(port: ParentPort): CoreLink {
  const listeners: ((message: ToCore, ports: readonly LinkPort[]) => void)[] = [];
  port.on('message', ({ data, ports }) => {
    for (const listener of [...listeners]) listener(data as ToCore, ports);
  });
  return {
    post: (message) => port.postMessage(message),
    onMessage: (listener) => listeners.push(listener),
  };
}
