import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { dataCheck, recoveryEvent } from '../schemas/recovery.ts';

/** Damage that was found and repaired in the data folder. */
export const recoveryOperations = {
  get_recovery: defineOperation({
    method: 'GET',
    path: '/recovery',
    section: 'own',
    summary: 'Recovered, set-aside and lost data, newest first',
    permission: 'settings:manage',
    input: z.object({}),
    output: z.object({
      events: z.array(recoveryEvent),
      /** Number of unread events. */
      n_new: z.int(),
    }),
  }),
  check_data: defineOperation({
    method: 'POST',
    path: '/recovery/check',
    section: 'own',
    summary: 'Check every file of every dataset, and repair what can be repaired. `get_check` returns the findings',
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
    summary: 'Progress and findings of the latest check',
    permission: 'settings:manage',
    input: z.object({}),
    output: z.object({
      /** Null before the first check. */
      check: dataCheck.nullable(),
    }),
  }),
  acknowledge_recovery: defineOperation({
    method: 'POST',
    path: '/recovery/acknowledge',
    section: 'own',
    summary: 'Mark all recovery events as read',
    permission: 'settings:manage',
    input: z.object({}),
    output: z.null(),
    reply: 'null',
  }),
};
