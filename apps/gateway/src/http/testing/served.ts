import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openConfigured } from '../../config/service.ts';
import { BodyBudget } from '../body.ts';
import { createHttpServer } from '../create-server.ts';
import { createDocumentationHandler } from '../documentation.ts';
import { createRouter } from '../routes.ts';

/** Documentation served over a socket, with nothing else: requests outside `/v` get status 299. */
export interface Served {
  readonly port: number;
  readonly origin: string;
  /** Temporary folder around the archive. */
  readonly root: string;
  readonly folder: string;
  write(name: string, content: string | Buffer): void;
  /** Lines for the operator so far. */
  readonly reports: readonly string[];
  stop(): Promise<void>;
}

/** @param files content by path below the archive's root, besides the identity card; null serves no archive */
export async function serveDocumentation(files: Readonly<Record<string, string>> | null): Promise<Served> {
  const root = mkdtempSync(join(tmpdir(), 'served-documentation-'));
  const folder = join(root, 'archive');
  const write = (name: string, content: string | Buffer): void => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  };
  write('archive.json', '{"version":"1.0.0","path":"/v/1.0.0"}');
  for (const [name, content] of Object.entries(files ?? {})) write(name, content);
  const reports: string[] = [];
  const report = (line: string): void => {
    reports.push(line);
  };
  const documentation = await openConfigured(files === null ? null : folder, report);
  if ('fault' in documentation) throw new Error(documentation.fault);
  const server = createHttpServer(
    createRouter({
      mounted: new Map([['v', createDocumentationHandler(documentation, new BodyBudget(2 ** 20, () => {}), report)]]),
      relay: (_, response) => {
        response.writeHead(299);
        response.end();
      },
    }),
    { requestTimeout: 60_000, tls: null },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    root,
    folder,
    write,
    reports,
    stop: async () => {
      documentation.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(root, { recursive: true, force: true });
    },
  };
}
