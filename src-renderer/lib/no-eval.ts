import { config } from 'zod';

// The content security policy forbids evaluation; without this, zod probes for it while the contract's schemas are built and the
// browser reports a violation. Imported before the contract.
config({ jitless: true });
