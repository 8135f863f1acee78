import { pagePresenter } from '../core/explore/page-presenter.ts';
import { serveReaders } from '../infra/dataset-store/thread/serve-readers.ts';
import { openVectorEngine } from '../infra/vectors/open-engine.ts';

/** Entry of a reader thread. */
serveReaders(openVectorEngine, pagePresenter);
