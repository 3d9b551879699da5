import { DBOS } from '@dbos-inc/dbos-sdk';
import { service, type LegacyContext } from 'agentworks';

interface Order {
  customer: string;
  items: { sku: string; quantity: number; unitPrice: number }[];
}

async function createOrder(order: Order): Promise<{ orderId: string }> {
  const answer = await fetch(`${await service('order-service')}/orders`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': `${DBOS.workflowID}:${DBOS.stepID}` },
    body: JSON.stringify(order),
  });
  if (!answer.ok) throw new Error(`the order service answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as { orderId: string };
}

export async function run({ customer }: { customer: string }, ctx: LegacyContext): Promise<object> {
  const order = await ctx.step('price-order', () => ({
    customer,
    items: [{ sku: 'gadget', quantity: 2, unitPrice: 500 }],
  }));
  // The author's word: the service knows the key again, so that a second request changes nothing.
  const { orderId } = await ctx.step('create-order', createOrder, { arguments: order, replaySafe: true });
  return { orderId };
}
