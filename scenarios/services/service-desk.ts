import { mkdir } from 'node:fs/promises';
import type { ServiceState } from '../../runtime/contract/index.ts';
import { LabError } from '../../runtime/core/index.ts';
import { HoldRequest } from './hold-request.ts';
import { startService, type ServiceProcess } from './service-process.ts';
import {
  httpServices,
  serviceFile,
  serviceNames,
  services,
  type HttpServiceName,
  type ServiceName,
} from './service-name.ts';
import { readServiceRecords, type ServiceStats } from './service-records.ts';
import { ServiceTotals } from './service-totals.ts';

export interface ServiceDeskParts {
  /** The program of each service. */
  readonly scripts: Readonly<Record<ServiceName, string>>;
  /** Where the services' databases lie; made when it is not there. */
  readonly folder: string;
  /** The program that runs them: Node, or the desktop app's own. */
  readonly node: string;
}

interface BuiltInServer {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface ServiceDesk {
  /** The base URL of a service, started when it does not run. Throws `not-found` or `service-failed`. */
  baseUrl(name: string): Promise<string>;
  /**
   * Has the next answer that belongs to the operation held back once its work is durable. Resolves when all running
   * services know of it; one that is started later is told before its base URL is given out.
   */
  holdNext(match: {
    readonly run: string;
    readonly operation: string;
  }): Promise<{ readonly held: Promise<string>; stop(): void }>;
  /** Counts from the service's own database file; with `run` only what names that run. Throws `not-found`. */
  stats(name: string, run?: string): ServiceStats;
  /** The process of a service, for evidence and for killing it; null when it does not run. */
  pid(name: string): number | null;
  /** All services as they stand, with the counts of their databases. */
  states(): ServiceState[];
  /** The MCP servers of the lab, for `lab:NAME` in manifests. */
  builtInServers(): Record<string, BuiltInServer>;
  /** Ends all services and waits until they are gone. */
  close(): Promise<void>;
}

/** Runs the lab's own services: each a process with a database file of its own, started when first asked for. */
export function openServiceDesk({ scripts, folder, node }: ServiceDeskParts): ServiceDesk {
  const starts = new Map<string, Promise<ServiceProcess>>();
  const processes = new Map<string, ServiceProcess>();
  const holds = new Set<HoldRequest>();
  let isClosed = false;
  const fileOf = (name: ServiceName): string => serviceFile(folder, name);
  const totals = new ServiceTotals(fileOf);

  async function start(name: HttpServiceName): Promise<ServiceProcess> {
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const service = await startService(name, node, [scripts[name], '--db', fileOf(name)]);
      processes.set(name, service);
      await Promise.all([...holds].map((hold) => hold.askOf(service)));
      return service;
    } catch (error) {
      starts.delete(name);
      throw error;
    }
  }

  /** The running service. It decides without waiting, so that two callers never start it twice. */
  function service(name: HttpServiceName): Promise<ServiceProcess> {
    if (processes.get(name)?.isAlive === false) {
      processes.delete(name);
      starts.delete(name);
    }
    const current = starts.get(name) ?? start(name);
    starts.set(name, current);
    return current;
  }

  return {
    async baseUrl(name) {
      const known = httpServices.find((service) => service === name);
      if (known === undefined) throw unknownService(name);
      if (isClosed)
        throw new LabError('service-failed', `the service ${name} is not started: the services are being ended`);
      return (await service(known)).baseUrl;
    },
    async holdNext({ run, operation }) {
      const hold = new HoldRequest({ run, operation });
      holds.add(hold);
      await Promise.all([...processes.values()].filter((one) => one.isAlive).map((one) => hold.askOf(one)));
      return {
        held: hold.held,
        stop: () => {
          holds.delete(hold);
          hold.stop();
        },
      };
    },
    stats(name, run) {
      const known = serviceNames.find((service) => service === name);
      if (known === undefined) throw unknownService(name);
      return readServiceRecords(fileOf(known), known, run ?? null);
    },
    pid(name) {
      const found = processes.get(name);
      return found?.isAlive === true ? found.pid : null;
    },
    states: () =>
      serviceNames.map((name) => {
        const found = processes.get(name);
        const process = found?.isAlive === true ? found : null;
        const { kind, description } = services[name];
        return {
          ...{ name, kind, description, pid: process?.pid ?? null, baseUrl: process?.baseUrl ?? null },
          ...totals.of(name),
        };
      }),
    builtInServers: () => ({
      inventory: {
        command: node,
        args: [scripts.inventory, '--db', fileOf('inventory')],
        env: { ELECTRON_RUN_AS_NODE: '1' },
      },
    }),
    async close() {
      isClosed = true;
      for (const hold of holds) hold.stop();
      holds.clear();
      await Promise.all(
        [...starts.values()].map((starting) =>
          starting.then(
            (one) => one.stop(),
            () => {},
          ),
        ),
      );
    },
  };
}

function unknownService(name: string): LabError {
  const isServer = serviceNames.some((known) => known === name);
  return new LabError(
    'not-found',
    isServer
      ? `${name} is an MCP server and has no base URL`
      : `there is no service ${JSON.stringify(name)}: there is ${httpServices.join(', ')}`,
    isServer ? `Add {"command": "lab:${name}"} to "mcp" of relay.json and call it with mcp(…).` : 'Correct the name.',
    { service: name },
  );
}
