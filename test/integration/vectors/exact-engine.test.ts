import { describeEngine } from './engine-conformance.ts';
import { ExactEngine, type Storage } from './exact-engine.ts';

describeEngine({
  name: 'exact',
  exact_rows: 0,
  start: async () => {
    const storage: Storage = new Map();
    return { open: () => new ExactEngine(storage) };
  },
});
