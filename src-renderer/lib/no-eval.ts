import { config } from 'zod';

// The content security policy forbids evaluation. Without this setting, zod probes for it while the contract's schemas are created, and the
// browser reports a violation. Must be imported before the contract.
config({ jitless: true });
