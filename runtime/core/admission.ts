/** What a caller may be admitted to: a relay by name, a connection by kind and name, or a secret of one relay. */
export type Resource = `relay:${string}` | `mcp:${string}` | `service:${string}` | `secret:${string}/${string}`;

export interface AdmissionRequest {
  readonly caller: string;
  readonly relay: string;
  /** The connection that the call goes through, beside the relay itself; null for none. */
  readonly connection: Resource | null;
}

export type AdmissionDecision =
  { readonly granted: true } | { readonly granted: false; readonly resource: Resource; readonly reason: string };

/** Decides from live permissions: the relay first, then the connection. What was never granted is refused. */
export function admit(request: AdmissionRequest, isGranted: (resource: Resource) => boolean | null): AdmissionDecision {
  const resources: Resource[] = [`relay:${request.relay}`];
  if (request.connection !== null) resources.push(request.connection);
  for (const resource of resources) {
    const granted = isGranted(resource);
    if (granted !== true) {
      const why = granted === null ? 'was never granted' : 'is revoked';
      return { granted: false, resource, reason: `the permission of ${request.caller} on ${resource} ${why}` };
    }
  }
  return { granted: true };
}
