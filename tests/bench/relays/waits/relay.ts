import { DBOS } from '@dbos-inc/dbos-sdk';

/** Waits for a message that never comes. */
export const run = DBOS.registerWorkflow(() => DBOS.recv('never', 3000), { name: 'waits' });
