import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { dataCheck, recoveryEvent } from '../schemas/recovery.ts';

/** What was found and put right in the data folder. */
export const recoveryOperations = {
  get_recovery: defineOperation({
    method: 'GET',
    path: '/recovery',
    section: 'own',
    summary: 'What came back, what is set aside and what could not be restored, the latest first',
    permission: 'settings:manage',
    input: z.object({}),
    output: z.object({
      events: z.array(recoveryEvent),
      /** Events that nobody has read. */
      n_new: z.int(),
    }),
  }),
  check_data: defineOperation({
    method: 'POST',
    path: '/recovery/check',
    section: 'own',
    summary:
      'Look at every file of every dataset; what is damaged and can be made again is. `get_check` tells what was found',
    permission: 'settings:manage',
    input: z.object({}),
    output: z.object({ task_id: z.string() }),
    status: 202,
    errors: ['conflict'],
  }),
  get_check: defineOperation({
    method: 'GET',
    path: '/recovery/check',
    section: 'own',
    summary: 'How far the latest check has got, and what it has found',
    permission: 'settings:manage',
    input: z.object({}),
    output: z.object({
      /** Null before the first. */
      check: dataCheck.nullable(),
    }),
  }),
  acknowledge_recovery: defineOperation({
    method: 'POST',
    path: '/recovery/acknowledge',
    section: 'own',
    summary: 'Mark everything that `get_recovery` tells as read',
    permission: 'settings:manage',
    input: z.object({}),
    output: z.null(),
    reply: 'null',
  }),
};
