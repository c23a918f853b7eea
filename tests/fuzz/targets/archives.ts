import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { type Documentation, type DocumentationRequest, openDocumentation } from '@gateway/documentation';
import type { Random } from '../../support/random.ts';
import { mutated } from '../mutate.ts';
import { Finding, type Target } from '../target.ts';

const OUTSIDE = 'outside-of-the-archive';
const FILES: Readonly<Record<string, string>> = {
  'archive.json': JSON.stringify({ version: '1.0.0', path: '/v/1.0.0' }),
  'index.html': '<h1>Home</h1>',
  'guide/page.html': '<!doctype html><meta charset="utf-8"><script>1</script><h1>Page</h1>',
  'llms.txt': '# Manual\n\n- [Page](/v/1.0.0/guide/page): a page\n',
  'llms-full.txt':
    '# Page\n\nSource: /v/1.0.0/guide/page\n\nHow to verify the log.\n\n```sh\ngatewayctl journal verify\n```\n',
  'style.css': 'body{}',
};
const CONTENTS = Object.values(FILES).map((text) => Buffer.from(text));
const PATHS = [
  '/v',
  '/v/',
  '/v/1.0.0/',
  '/v/1.0.0/guide/page',
  '/v/1.0.0/style.css',
  '/v/_search?q=verify&limit=3',
  '/v/_mcp',
  '/v/1.0.0/../../outside.txt',
  '/v/1.0.0/%2e%2e/outside.txt',
  '/v/1.0.0/..;/outside.txt',
  '/v/1.0.0/linked.txt',
];
const TARGETS = PATHS.map((text) => Buffer.from(text));
const QUERY = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'search', arguments: { query: 'log' } },
});
const QUERIES = [QUERY, QUERY.replace('tools/call', 'tools/list'), QUERY.replace('tools/call', 'initialize'), '[]'].map(
  (text) => Buffer.from(text),
);
const HEADERS = [
  'range',
  'if-range',
  'if-none-match',
  'accept-encoding',
  'content-type',
  'accept',
  'origin',
  'mcp-protocol-version',
];
const VALUES = ['bytes=0-5', 'bytes=-3,1-2', '*', '"x"', 'gzip, br;q=0', 'application/json', '2025-06-18'].map((text) =>
  Buffer.from(text),
);

function write(folder: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

function requestOf(random: Random): DocumentationRequest {
  const target = `/v${mutated(TARGETS, random, ['%2e', '%2f', '..', '/']).toString('latin1').slice(2)}`;
  const headers: Record<string, string> = {};
  for (let more = random.below(3); more > 0; more -= 1) {
    headers[random.pick(HEADERS)] = mutated(VALUES, random).toString('latin1');
  }
  return {
    method: random.pick(['GET', 'GET', 'HEAD', 'POST', 'POST', 'DELETE']),
    target,
    headers,
    body: async () => mutated(QUERIES, random, ['"method":', 'tools/list', '"params":null']),
  };
}

/** Documentation archives: for any content and any request, nothing outside of an archive is served. */
export const archives: Target = {
  name: 'archives',
  share: 5,
  concurrency: 1,
  async open() {
    const root = mkdtempSync(join(tmpdir(), 'gateway-fuzz-archive-'));
    write(root, { 'outside.txt': OUTSIDE });
    const installed = (name: string, files: Readonly<Record<string, string | Buffer>>): string => {
      write(join(root, name), files);
      symlinkSync(join(root, 'outside.txt'), join(root, name, 'linked.txt'));
      return join(root, name);
    };
    const opened = await openDocumentation(installed('sound', FILES), () => {});
    if ('fault' in opened) throw new Error(opened.fault);
    async function ask(documentation: Documentation, folder: string, random: Random): Promise<number> {
      const request = requestOf(random);
      const { status, body } = await documentation.answer(request);
      if (status < 200 || status >= 500) throw new Finding(`Answered with ${status}.`, request.target);
      if (body === null) return status;
      const isOutside = 'path' in body ? !body.path.startsWith(folder + sep) : body.includes(OUTSIDE);
      if (isOutside) throw new Finding('Something outside of the archive was served.', request.target);
      return status;
    }
    return {
      async run(random) {
        if (random.below(40) > 0) {
          return (await ask(opened, join(root, 'sound'), random)) < 400 ? 'accepted' : 'refused';
        }
        const folder = installed('changed', {
          ...FILES,
          [random.pick(Object.keys(FILES))]: mutated(CONTENTS, random, [
            '"version":',
            '"path":',
            '/v/1.0.0',
            '```',
            '# ',
          ]),
        });
        try {
          const changed = await openDocumentation(folder, () => {});
          if ('fault' in changed) return 'refused';
          for (let asked = 0; asked < 5; asked += 1) await ask(changed, folder, random);
          changed.close();
          return 'accepted';
        } finally {
          rmSync(folder, { recursive: true });
        }
      },
      async close() {
        opened.close();
        rmSync(root, { recursive: true });
      },
    };
  },
};
