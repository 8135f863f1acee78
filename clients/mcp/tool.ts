import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { CallToolResult, ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Vitrine } from '../typescript/index.ts';

export type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;
type Shape = Readonly<Record<string, z.ZodType>>;
type Content = CallToolResult['content'];

export interface ToolSpec<S extends Shape> {
  name: string;
  title: string;
  description: string;
  input: S;
  /** Returns a JSON value, or content such as images. */
  run(input: z.infer<z.ZodObject<S>>, context: ToolContext): Promise<object | Pictures>;
}

export interface ToolContext {
  vitrine: Vitrine;
  signal: AbortSignal;
  /** Reports progress to clients that asked for it. */
  report(percent: number, message: string): Promise<void>;
}

/** An answer with images. */
export class Pictures {
  readonly content: Content;
  constructor(content: Content) {
    this.content = content;
  }
}

export type RegisterTool = <S extends Shape>(spec: ToolSpec<S>) => void;

/** Returns a function that adds tools of one kind. Failures are returned to the model as text, so that it can correct the call. */
export function toolRegistry(
  server: McpServer,
  vitrine: Vitrine,
  annotations: { readOnlyHint: boolean; destructiveHint?: boolean },
): RegisterTool {
  return (spec) => {
    const { name, title, description, input, run } = spec;
    const schema = z.object(input);
    server.registerTool(
      name,
      { title, description, inputSchema: schema, annotations },
      async (asked: unknown, extra: Extra) => {
        const context = { vitrine, signal: extra.signal, report: reporter(extra) };
        try {
          const answer = await run(schema.parse(asked), context);
          if (answer instanceof Pictures) return { content: answer.content };
          return { content: [{ type: 'text', text: JSON.stringify(answer) }] };
        } catch (error) {
          if (extra.signal.aborted || !(error instanceof Error)) throw error;
          return { isError: true, content: [{ type: 'text', text: error.message }] };
        }
      },
    );
  };
}

function reporter({ _meta, sendNotification }: Extra): ToolContext['report'] {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return async () => undefined;
  let reported = -1;
  return async (progress, message) => {
    // The protocol wants each report to be higher than the last.
    if (progress <= reported) return;
    reported = progress;
    await sendNotification({
      method: 'notifications/progress',
      params: { progressToken, progress, total: 100, message },
    });
  };
}
