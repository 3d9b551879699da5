import { join } from 'node:path';
import { openServiceDesk, type ServiceDesk } from '../../../scenarios/services/index.ts';
import { serviceScripts } from '../../support/service-scripts.ts';
import { TemporaryFolder } from '../../support/temporary-folder.ts';

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** A service desk with a folder of its own, and words for talking to its services. */
export class DeskBench {
  readonly data: TemporaryFolder = new TemporaryFolder();
  readonly folder: string = join(this.data.path, 'services');
  readonly desk: ServiceDesk = this.open();

  /** Another desk on the same folder, as a host has that is started again. */
  open(): ServiceDesk {
    return openServiceDesk({ scripts: serviceScripts, folder: this.folder, node: process.execPath });
  }

  async post(url: string, body: string | object, headers: Record<string, string> = {}): Promise<Answered> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(url, { method: 'POST', headers, body: text });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  async order(key: string | null, body: string | object = anOrder): Promise<Answered> {
    const headers: Record<string, string> = key === null ? {} : { 'Idempotency-Key': key };
    return this.post(`${await this.desk.baseUrl('order-service')}/orders`, body, headers);
  }

  async line(reference: string, line = 'paid'): Promise<Answered> {
    const url = `${await this.desk.baseUrl('audit-log')}/lines`;
    return this.post(url, { line }, { 'Request-Reference': reference });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.desk.close();
    this.data[Symbol.dispose]();
  }
}

export const anOrder = { customer: 'Ada', items: [{ sku: 'widget', quantity: 3, unitPrice: 250 }] };
