import { setTimeout as pause } from 'node:timers/promises';
import { DBOS } from '@dbos-inc/dbos-sdk';
import { admit, AdmissionDeniedError, mcp } from 'agentworks';

interface Input {
  /** What meets the live permission: the author's own question, or the next platform call. */
  check: 'admit' | 'mcp';
  items: number;
}

async function packNext(check: Input['check'], number: number): Promise<void> {
  if (check === 'admit') await admit();
  else {
    const orderRef = `${DBOS.workflowID}:item-${number}`;
    await mcp({ server: 'inventory', tool: 'reserve', arguments: { sku: 'widget', quantity: 1, orderRef } });
  }
  await DBOS.runStep(() => pause(10, number), { name: 'pack' });
}

async function work({ check, items }: Input): Promise<object> {
  let packed = 0;
  try {
    for (; packed < items; packed += 1) await packNext(check, packed);
  } catch (error) {
    if (!(error instanceof AdmissionDeniedError)) throw error;
    // The author's decision: what is packed stays packed, and the run ends in order.
    await DBOS.runStep(() => Promise.resolve(`closed after ${packed}`), { name: 'close-early' });
    return { ended: 'early', packed, reason: error.message };
  }
  return { ended: 'complete', packed };
}

export const run = DBOS.registerWorkflow(work, { name: 'revoked-mid-run' });
