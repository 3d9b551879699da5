import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchDesktop } from '../support/desktop-host.ts';
import { DataDir, standIn } from './desktop-lab.ts';

let folder: DataDir;
let desktop: Awaited<ReturnType<typeof launchDesktop>>;

beforeAll(async () => {
  folder = new DataDir();
  desktop = await launchDesktop({ dataDir: folder.dataDir });
}, 60_000);

afterAll(async () => {
  await desktop[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const secret = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');

describe('the scheme app:', () => {
  it('serves the page, under its policy', async (context) => {
    const page = await standIn(desktop, context).ask('fetch', { address: 'app://lab/', method: 'GET' });
    expect(page).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
    expect(page).toMatchObject({
      headers: { 'content-security-policy': expect.stringContaining("default-src 'none'") as string },
    });
  });

  it.for([
    ['GET', 'app://lab/missing.js'],
    ['GET', 'app://lab/../../package.json'],
    ['GET', 'app://lab/%2e%2e/%2e%2e/package.json'],
    ['GET', 'app://lab/..%2f..%2fpackage.json'],
    ['GET', 'app://lab/assets/..\\..\\..\\package.json'],
    ['GET', 'app://lab/%00'],
    ['GET', 'app://lab//index.html'],
    ['GET', 'app://other/index.html'],
    ['GET', 'app://lab@other/index.html'],
    ['POST', 'app://lab/'],
  ])('answers %s %s with nothing', async ([method, address], context) => {
    const answer = await standIn(desktop, context).ask('fetch', { address, method });
    expect(answer).toMatchObject({ status: 404, text: 'not found' });
    expect(JSON.stringify(answer)).not.toContain(secret.slice(0, 40));
    expect(answer).toMatchObject({
      headers: { 'content-security-policy': expect.stringContaining("default-src 'none'") as string },
    });
  });
});
