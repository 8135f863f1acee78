import { openVectorEngine } from '../../vectors/open-engine.ts';
import { serveReaders } from './serve-readers.ts';

/** Entry of a reader thread. */
serveReaders(openVectorEngine);
