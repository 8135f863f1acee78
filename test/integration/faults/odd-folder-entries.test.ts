import { execFileSync } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { formatMessage } from '../../../src-main/contract/messages.ts';
import { walkMedia } from '../../../src-main/infra/files/local-folders.ts';
import { createOpenedFolders } from '../../../src-main/infra/files/opened-folders.ts';
import { writeImages } from '../../support/images.ts';
import { needs, posix } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

it('pipes and links to devices with names of media are reported', needs(posix), async () => {
  const folder = await temporaryFolder();
  await writeImages(folder, [1]);
  execFileSync('mkfifo', [join(folder, 'pipe.jpg'), join(folder, 'pipe')]);
  await symlink('/dev/zero', join(folder, 'endless.png'));
  await symlink(join(folder, 'nowhere'), join(folder, 'broken.jpg'));
  const problems = new Map<string, string | undefined>();
  for await (const batch of walkMedia(
    folder,
    new AbortController().signal,
    () => false,
    createOpenedFolders(() => null),
  )) {
    for (const { file_path, problem } of batch) problems.set(file_path, problem && formatMessage(problem.reason));
  }
  expect(problems.size).toBe(4);
  for (const name of ['pipe.jpg', 'endless.png']) expect(problems.get(name)).toContain('pipe, a socket or a device');
  expect(problems.get('broken.jpg')).toBe('The link is broken');
});
