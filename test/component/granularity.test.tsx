import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { AppError } from '../../src-main/contract/errors.ts';
import { asWritten } from '../../src-main/contract/messages.ts';
import { GranularitySlider } from '../../src-renderer/features/explore/GranularitySlider.tsx';
import { routes, usePlace } from '../../src-renderer/lib/routes.ts';
import { DATASET_ID } from '../support/answers.ts';
import type { Answers } from '../support/fake-server.ts';
import { fakeServer, renderPage } from '../support/render-page.tsx';

function Granularity() {
  return <GranularitySlider datasetId={DATASET_ID} place={usePlace()} />;
}

const FOUR: Answers = { get_levels: () => ({ levels: [], default_threshold: 4 }) };
const FAILED: Answers = {
  get_levels: () => {
    throw new AppError('conflict', asWritten('Not now'));
  },
};

it.each([
  ['the level that the dataset names', FOUR, {}, '4'],
  ['the level of the address before that', FOUR, { threshold: 1 as const }, '1'],
  ['the middle level if the dataset cannot answer', FAILED, {}, '2'],
])('starts at %s', async (_what, answers, place, expected) => {
  const server = fakeServer(answers);
  renderPage(<Granularity />, routes.explore(DATASET_ID, place));
  expect((await screen.findByRole('slider')).getAttribute('aria-valuenow')).toBe(expected);
  expect(server.inputsOf('get_levels')).toHaveLength('threshold' in place ? 0 : 1);
});
