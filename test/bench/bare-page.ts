import type { Browser, CDPSession } from 'playwright-core';

/** A page with a minimal interface, without other listeners on its events. */
export interface BarePage {
  /** Calls a function in the page with a JSON-serializable argument and returns what it resolves to. */
  evaluate<Input, Output>(work: (input: Input) => Promise<Output> | Output, input: Input): Promise<Output>;
  send(method: string, parameters?: object): Promise<unknown>;
}

interface Reply {
  id?: number;
  result?: unknown;
  error?: { message: string };
}

/**
 * Opens a page that Playwright does not manage.
 *
 * [Note: Measured without a listener] Playwright listens to the network of each of its pages. For a page that loads two hundred thumbnails
 * per second, reporting them takes the browser and the listening process more time than scrolling does.
 */
export async function openBarePage(browser: Browser, viewport: { width: number; height: number }): Promise<BarePage> {
  const session = await browser.newBrowserCDPSession();
  const { targetId } = await session.send('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await session.send('Target.attachToTarget', { targetId, flatten: false });
  const send = senderOf(session, sessionId);
  await send('Emulation.setDeviceMetricsOverride', { ...viewport, deviceScaleFactor: 1, mobile: false });
  return {
    send,
    evaluate: async (work, input) => {
      const expression = `(${work})(${JSON.stringify(input)})`;
      return resultOf(await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true }));
    },
  };
}

/** Sends messages to one page through the browser's session. */
function senderOf(session: CDPSession, sessionId: string): BarePage['send'] {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  session.on('Target.receivedMessageFromTarget', (event) => {
    if (event.sessionId !== sessionId) return;
    const { id, result, error }: Reply = JSON.parse(event.message);
    if (id === undefined) return;
    const call = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) call?.resolve(result);
    else call?.reject(new Error(error.message));
  });
  let calls = 0;
  return async (method, params = {}) => {
    calls += 1;
    const call = Promise.withResolvers<unknown>();
    waiting.set(calls, call);
    await session.send('Target.sendMessageToTarget', {
      sessionId,
      message: JSON.stringify({ id: calls, method, params }),
    });
    return call.promise;
  };
}

/** Returns the result of an evaluation. @throws Error if the page threw. */
function resultOf<T>(answer: unknown): T {
  const { result, exceptionDetails } = answer as {
    result: { value: T };
    exceptionDetails?: { exception?: { description?: string } };
  };
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? 'The page threw');
  return result.value;
}
