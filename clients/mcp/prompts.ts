import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';

const dataset = { dataset: z.string().describe('Name or id of a dataset') };

interface PromptSpec {
  name: string;
  title: string;
  description: string;
  text: (dataset: string) => string;
}

const PROMPTS: readonly PromptSpec[] = [
  {
    name: 'curate_dataset',
    title: 'Curate a dataset',
    description: 'From a raw dataset to a clean, versioned export',
    text: (name) => `Curate the Vitrine dataset "${name}" for training.
1. describe_dataset, then create a snapshot named "before curation".
2. duplicates: look at some groups. If they are what they claim, exclude_duplicates.
3. For each issue with items (blur, dark, bright, low_information, outliers): find, look at a sample, and exclude only what is useless.
4. mislabels: look at each, read its suggested label with describe_item, and correct it with label if the image shows that.
5. Tag what needs a person's decision with "to review". Do not guess.
6. Create a snapshot named "curated", export it with images, and report what was excluded, relabelled and left open, with numbers.`,
  },
  {
    name: 'audit_labels',
    title: 'Audit the labels of a dataset',
    description: 'Finds wrong, missing and rare labels',
    text: (name) => `Audit the labels of the Vitrine dataset "${name}". Change nothing.
1. facets: list the labels with their counts, and those that may be the same by another spelling.
2. find with issue mislabels and label_outlier: look at a sample of each, and estimate the share that is really wrong.
3. find with the label "Unlabeled": look at a sample and say what is missing.
4. Report the findings per label, the worst first, with media ids as evidence.`,
  },
  {
    name: 'describe_contents',
    title: 'Describe what a dataset contains',
    description: 'A datasheet of the contents: subjects, variety, quality, gaps',
    text: (name) => `Write a datasheet of the Vitrine dataset "${name}". Change nothing.
1. describe_dataset and facets for counts, sizes, dates and folders.
2. clusters at levels 4 and 2: look at two examples of each of the largest clusters and name them.
3. find sorted by uniqueness: look at the most unusual items.
4. Report subjects with shares, variety of light, viewpoint and place, quality issues, and what is missing for its likely use.`,
  },
];

/** Adds the library of prompts. */
export function addPrompts(server: McpServer): void {
  for (const { name, title, description, text } of PROMPTS)
    server.registerPrompt(name, { title, description, argsSchema: dataset }, (input) => ({
      messages: [{ role: 'user', content: { type: 'text', text: text(input.dataset) } }],
    }));
}
