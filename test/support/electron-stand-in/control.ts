/** A command from the test to the stand-in, sent over the IPC channel of the forked process. */
export interface ControlRequest {
  id: number;
  command: string;
  argument: unknown;
}

export interface ControlReply {
  id: number;
  value?: unknown;
  error?: string;
}

type Command = (argument: unknown) => unknown;

const commands = new Map<string, Command>();

export function onCommand(name: string, command: Command): void {
  commands.set(name, command);
}

/** Calls that are recorded for the test, such as dialogs that were shown. */
export const recorded: { what: string; details: unknown }[] = [];

export function record(what: string, details: unknown): void {
  recorded.push({ what, details: JSON.parse(JSON.stringify(details ?? null)) });
}

onCommand('recorded', () => recorded);

process.on('message', async ({ id, command, argument }: ControlRequest) => {
  try {
    const run = commands.get(command);
    if (run === undefined) throw new Error(`The stand-in knows no command ${command}.`);
    process.send?.({ id, value: await run(argument) } satisfies ControlReply);
  } catch (error) {
    process.send?.({
      id,
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    } satisfies ControlReply);
  }
});
// Otherwise the test's channel would keep a finished process alive.
process.channel?.unref();
