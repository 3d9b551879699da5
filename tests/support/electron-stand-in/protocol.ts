/** Node's own Request takes no scheme that it does not know; the host reads only these two of it. */
type Handler = (request: Pick<Request, 'url' | 'method'>) => Response | Promise<Response>;

const handlers = new Map<string, Handler>();
const privileged = new Map<string, unknown>();

export const protocol = {
  registerSchemesAsPrivileged(schemes: readonly { scheme: string; privileges: unknown }[]): void {
    for (const { scheme, privileges } of schemes) privileged.set(scheme, privileges);
  },
  handle(scheme: string, handler: Handler): void {
    if (!privileged.has(scheme)) throw new Error(`the scheme ${scheme} was not registered before the app was ready`);
    handlers.set(scheme, handler);
  },
};

/** What the host answers at one of its own addresses; null when it has no such scheme. */
export async function answerAddress(address: string, method: string): Promise<Response | null> {
  const handler = handlers.get(address.slice(0, address.indexOf(':')));
  return handler === undefined ? null : handler({ url: address, method });
}
