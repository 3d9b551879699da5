import { serve } from '@hono/node-server';
import { Hono, type Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { z } from 'zod';
import { AnswerHolds, holdSubject } from './answer-holds.ts';
import { digest } from './body-digest.ts';
import { databaseArgument } from './database-argument.ts';
import { openServiceDatabase, recordRequest, type ServiceDatabase } from './service-database.ts';
import type { HttpServiceName } from './service-name.ts';
import { countRecords } from './service-records.ts';

/** What a service answers, after its work is durable. */
export interface Answer {
  readonly status: 201 | 422;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface HttpService<Body> {
  readonly name: HttpServiceName;
  /** SQL of its own tables. */
  readonly schema: string;
  readonly path: string;
  /** The header that carries a request's reference. */
  readonly referenceHeader: string;
  readonly body: z.ZodType<Body>;
  /** Does the work and writes the request down, in one transaction. */
  work(db: ServiceDatabase, request: { body: Body; reference: string | null; bodyHash: string; path: string }): Answer;
  /** Answers `GET path?reference=…`: what that reference has left. A question is no request: it is not written down. */
  find?(db: ServiceDatabase, reference: string): object;
}

const bodyBytes = 64 * 1024;
const referenceCharacters = 255;

/**
 * Runs an HTTP service on a free port of 127.0.0.1, as `node main.js --db FILE`. It says `{"ready":{"port":N}}` on
 * stdout, and ends when its stdin does, so that it cannot outlive who started it.
 */
export function runHttpService<Body>(service: HttpService<Body>): void {
  const db = openServiceDatabase(databaseArgument(), service.schema);
  const holds = new AnswerHolds();
  const app = new Hono();
  app.use(
    bodyLimit({
      maxSize: bodyBytes,
      onError: (c) => refuse(c, 413, 'too-large', `a body has at most ${bodyBytes} bytes`),
    }),
  );
  addWork(app, service, db, holds);
  addControl(app, holds);
  app.get('/stats', (c) => c.json(countRecords(db, service.name, c.req.query('run') ?? null)));
  app.notFound((c) => refuse(c, 404, 'not-found', `${service.name} has no ${c.req.method} ${c.req.path}`));
  app.onError((error, c) => refuse(c, 500, 'internal', error.message));

  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => {
    process.stdout.write(`${JSON.stringify({ ready: { port } })}\n`);
  });
  process.stdin.resume().on('end', () => {
    server.close();
    db.close();
    process.exit(0);
  });
}

function addWork<Body>(app: Hono, service: HttpService<Body>, db: ServiceDatabase, holds: AnswerHolds): void {
  const { path, referenceHeader } = service;
  app.post(path, async (c) => {
    const reference = c.req.header(referenceHeader) ?? null;
    if (reference !== null && (reference.length === 0 || reference.length > referenceCharacters)) {
      return refuse(
        c,
        400,
        'invalid-input',
        `${referenceHeader} has ${reference.length} characters; expected 1 to ${referenceCharacters}`,
      );
    }
    const text = await c.req.text();
    const parsed = parseBody(service.body, text);
    if ('wrong' in parsed) {
      recordRequest(db, { path, reference, bodyHash: digest(text), outcome: 'invalid' });
      return refuse(c, 400, 'invalid-input', parsed.wrong);
    }
    const { body } = parsed;
    const answer = service.work(db, { body, reference, bodyHash: digest(JSON.stringify(body)), path });
    // The work is durable from here on: this is the moment at which a caller can die without knowing it.
    await holds.pass(path, reference, c.req.raw.signal);
    return c.json(answer.body, answer.status, answer.headers ?? {});
  });
  if (service.find === undefined) return;
  app.get(path, (c) => {
    const reference = c.req.query('reference');
    if (reference === undefined) return refuse(c, 400, 'invalid-input', `expected GET ${path}?reference=…`);
    return c.json(service.find?.(db, reference) ?? null);
  });
}

function addControl(app: Hono, holds: AnswerHolds): void {
  // The answer begins at once, which says that the hold stands, and ends with the JSON when an answer is held.
  app.post('/control/hold', async (c) => {
    const parsed = parseBody(holdSubject, await c.req.text());
    if ('wrong' in parsed) return refuse(c, 400, 'invalid-input', parsed.wrong);
    let withdraw = (): void => {};
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        const encoder = new TextEncoder();
        controller.enqueue(encoder.encode('\n'));
        withdraw = holds.add(parsed.body, (path) => {
          controller.enqueue(encoder.encode(`${JSON.stringify({ held: true, path })}\n`));
          controller.close();
        });
      },
      cancel: () => withdraw(),
    });
    return c.body(stream, 200, { 'Content-Type': 'application/json' });
  });
  app.post('/control/release', async (c) => {
    const text = await c.req.text();
    const parsed = parseBody(holdSubject.nullable(), text === '' ? 'null' : text);
    if ('wrong' in parsed) return refuse(c, 400, 'invalid-input', parsed.wrong);
    return c.json({ released: holds.release(parsed.body) });
  });
}

function parseBody<Body>(shape: z.ZodType<Body>, text: string): { body: Body } | { wrong: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { wrong: `the body is not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  const parsed = shape.safeParse(value);
  return parsed.success
    ? { body: parsed.data }
    : { wrong: `the body cannot be used: ${z.prettifyError(parsed.error)}` };
}

function refuse(c: Context, status: 400 | 404 | 413 | 500, code: string, message: string): Response {
  return c.json({ error: { code, message } }, status);
}
