import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Served, serveDocumentation } from './testing/served.ts';

/** Scenarios of the official suite that apply to this server's one tool, by revision. */
const SCENARIOS = {
  '2025-06-18': ['server-initialize', 'ping', 'tools-list'],
  '2025-11-25': ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection', 'server-sse-multiple-streams'],
  '2026-07-28': [
    'tools-list',
    'dns-rebinding-protection',
    'http-header-validation',
    'server-stateless',
    'server-sse-multiple-streams',
  ],
} as const;

const CONFORMANCE = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')),
  'dist/index.js',
);

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

let served: Served;
let url: string;

beforeAll(async () => {
  served = await serveDocumentation({
    'llms-full.txt': '# Turbine (/turbine)\n\nThe turbine turns.\n\n# Other (/other)\n\nSomething else.',
  });
  url = `${served.origin}/v/_mcp`;
});
afterAll(() => served.stop());

/** Runs one scenario and gives every check it made. */
async function checksOf(scenario: string, revision: string): Promise<Check[]> {
  const results = mkdtempSync(join(tmpdir(), 'conformance-'));
  onTestFinished(() => rmSync(results, { recursive: true }));
  const words = ['server', '--url', url, '--scenario', scenario, '--spec-version', revision, '--output-dir', results];
  const child = spawn(process.execPath, [CONFORMANCE, ...words], { stdio: 'ignore' });
  await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  const [folder] = readdirSync(results);
  if (folder === undefined) throw new Error(`${scenario} left no results`);
  return JSON.parse(readFileSync(join(results, folder, 'checks.json'), 'utf8')) as Check[];
}

describe.each(Object.entries(SCENARIOS))('the conformance suite, revision %s', (revision, scenarios) => {
  it.each(scenarios)('%s', async (scenario) => {
    const checks = await checksOf(scenario, revision);
    expect(checks.length).toBeGreaterThan(0);
    // Some checks need tools of a diagnostic server; the suite reports them itself.
    const failed = checks.filter(({ status, errorMessage }) => {
      return status === 'FAILURE' && errorMessage?.startsWith('Not testable') !== true;
    });
    expect(failed).toEqual([]);
  });
});

describe.each([
  ['of earlier revisions', {}, 'legacy', '2025-11-25'],
  ['that finds out by itself', { versionNegotiation: { mode: 'auto' } }, 'modern', '2026-07-28'],
  ['of the newest revision alone', { versionNegotiation: { mode: { pin: '2026-07-28' } } }, 'modern', '2026-07-28'],
] as const)('the official client %s', (_, options, era, revision) => {
  async function connected(): Promise<Client> {
    const client = new Client({ name: 'test', version: '1.0.0' }, options);
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    onTestFinished(() => client.close());
    return client;
  }

  it('connects and receives the server’s identity', async () => {
    const client = await connected();
    expect(client.getProtocolEra()).toBe(era);
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect(client.getServerVersion()).toMatchObject({ name: 'gateway-documentation', version: '1.0.0' });
  });
  it('returns the answer of search, checked against the published schema', async () => {
    const client = await connected();
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['search_documentation']);
    const { structuredContent, isError } = await client.callTool({
      name: 'search_documentation',
      arguments: { query: 'turbine' },
    });
    const searched = await fetch(`${served.origin}/v/_search?q=turbine`);
    expect(structuredContent).toEqual(await searched.json());
    expect(isError).toBeFalsy();
  });
  it('receives an error for invalid arguments', async () => {
    const client = await connected();
    expect(await client.callTool({ name: 'search_documentation', arguments: { query: '' } })).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining('query: must be text of 1 to 1000 characters') }],
    });
  });
});
