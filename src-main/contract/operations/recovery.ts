import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { recoveryEvent } from '../schemas/recovery.ts';

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
    summary: 'Look at every file of every dataset; what is damaged and can be made again is',
    permission: 'settings:manage',
    input: z.object({}),
    output: z.object({
      n_datasets: z.int(),
      damaged: z.array(z.object({ dataset_id: z.string(), name: z.string(), problems: z.array(z.string()) })),
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
