/** A fenced `sh` block of a documentation page. */
export interface CodeBlock {
  /** Line of the page on which the block's commands start. */
  line: number;
  commands: string[];
  /** Why the block cannot run in a test: the text of `<!-- not run: … -->` directly above it. */
  not_run?: string;
}

const BLOCK = /(?:<!-- not run: ([^\n]+?) -->\n)?```sh\n(.*?)\n```/gs;
/** A line end that is not preceded by a continuation backslash. */
const COMMAND_END = /(?<!\\)\n/;

export function codeBlocks(page: string): CodeBlock[] {
  return [...page.matchAll(BLOCK)].map(({ 1: reason, 2: text = '', index }) => ({
    line: page.slice(0, index).split('\n').length + (reason === undefined ? 1 : 2),
    commands: text.split(COMMAND_END).filter((command) => command.trim() !== ''),
    ...(reason !== undefined && { not_run: reason }),
  }));
}
