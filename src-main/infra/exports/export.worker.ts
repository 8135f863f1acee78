import { GenerationReader } from '../dataset-store/thread/generation-reader.ts';
import { WorkPace } from '../giving-way/work-pace.ts';
import { asAppError } from '../sqlite/open-database.ts';
import type { Answered } from '../threads/answered.ts';
import { serveThread } from '../threads/serve-thread.ts';
import { serve } from '../threads/thread-port.ts';
import { createEngineMemories } from '../vectors/open-engine.ts';
import { EXPORT, EXPORT_OWNER, type ExportCalls } from './export-messages.ts';
import { writeExport } from './write-export.ts';

const REPORT_INTERVAL_MS = 250;

/**
 * [Note: Moment of an export]
 * An export reads with its own connection in one read transaction, so it shows the dataset as it was when the export started, whatever is
 * committed meanwhile. Pages written meanwhile stay in the write-ahead log until the export finishes.
 */
const calls: Answered<ExportCalls> = {
  write: async ({ location, file, request, claimed }) => {
    const pace = new WorkPace(claimed);
    let reportedAt = Number.NEGATIVE_INFINITY;
    const reader = new GenerationReader({ ...location, memories: createEngineMemories() });
    const write = () =>
      writeExport(file, {
        items: reader.exported,
        request,
        urlsOf: (requested) => owner.urlsOf(requested),
        // A bare file is the answer to a request, for which somebody waits.
        turn: async () => (request.is_archive ? pace.turn() : undefined),
        onProgress: (done, total) => {
          if (done < total && performance.now() - reportedAt < REPORT_INTERVAL_MS) return;
          reportedAt = performance.now();
          void owner.report(done, total);
        },
      });
    try {
      return (await reader.atOneMoment(write)) as Awaited<ReturnType<typeof write>>;
    } finally {
      reader.close();
    }
  },
};

const owner = serveThread({ methods: serve(EXPORT, calls), owner: EXPORT_OWNER, inOrder: false, asError: asAppError });
