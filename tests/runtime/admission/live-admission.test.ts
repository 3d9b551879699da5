import { describe, expect, it } from 'vitest';
import { declaredResources, liveAdmission } from '../../../runtime/admission/index.ts';

describe('live admission', () => {
  const granted = new Map<string, boolean>([
    ['ada relay:orders', true],
    ['ada mcp:inventory', true],
    ['ada service:audit-log', false],
  ]);
  const admission = liveAdmission((caller, resource) => granted.get(`${caller} ${resource}`) ?? null);

  it('grants a relay and a connection that both stand granted', () => {
    expect(admission.decide('ada', 'orders', 'mcp:inventory')).toEqual({ granted: true });
    expect(admission.decide('ada', 'orders', null)).toEqual({ granted: true });
  });

  it('names the resource and tells revoked from never granted', () => {
    expect(admission.decide('ada', 'orders', 'service:audit-log')).toEqual({
      granted: false,
      resource: 'service:audit-log',
      reason: 'the permission of ada on service:audit-log is revoked',
    });
    expect(admission.decide('bob', 'orders', null)).toMatchObject({
      resource: 'relay:orders',
      reason: expect.stringContaining('never granted') as string,
    });
  });

  it('follows a change at once', () => {
    granted.set('ada relay:orders', false);
    expect(admission.decide('ada', 'orders', 'mcp:inventory')).toMatchObject({
      granted: false,
      resource: 'relay:orders',
    });
  });
});

describe('the resources that a manifest declares', () => {
  it('are the relay itself, its MCP servers, its services and its secrets', () => {
    const mcp = { inventory: { command: 'lab:inventory', args: [] } };
    expect(declaredResources({ name: 'orders', mcp, services: ['order-service'], secrets: ['TOKEN'] })).toEqual([
      'relay:orders',
      'mcp:inventory',
      'service:order-service',
      'secret:orders/TOKEN',
    ]);
  });
});
