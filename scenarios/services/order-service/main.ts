import { runHttpService } from '../http-service.ts';
import { order, ordersSchema, placeOrder } from './orders.ts';

runHttpService({
  name: 'order-service',
  schema: ordersSchema,
  path: '/orders',
  referenceHeader: 'Idempotency-Key',
  body: order,
  work: placeOrder,
});
