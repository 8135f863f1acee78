/** Languages of blocks that run: commands, and programs that use a client. */
export type CodeLanguage = 'sh' | 'ts' | 'py';

/** A fenced block of a documentation page. */
export interface CodeBlock {
  language: CodeLanguage;
  /** Line of the page on which the block's commands start. */
  line: number;
  /** Commands, or one whole program. */
  commands: string[];
  /** Why the block cannot run in a test: the text of `<!-- not run: … -->` directly above it. */
  not_run?: string;
}

const BLOCK = /(?:<!-- not run: ([^\n]+?) -->\n)?```(sh|ts|py)\n(.*?)\n```/gs;
/** A line end that is not preceded by a continuation backslash. */
const COMMAND_END = /(?<!\\)\n/;

export function codeBlocks(page: string): CodeBlock[] {
  return [...page.matchAll(BLOCK)].map(({ 1: reason, 2: language, 3: text = '', index }) => ({
    line: page.slice(0, index).split('\n').length + (reason === undefined ? 1 : 2),
    language: language as CodeLanguage,
    commands: language === 'sh' ? text.split(COMMAND_END).filter((command) => command.trim() !== '') : [text],
    ...(reason !== undefined && { not_run: reason }),
  }));
}
