import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REFUSAL_CODES, ROLE_NAMES, ROLES } from '@gateway/contract';
import type { Engine } from '@gateway/documentation/engine';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../apps/gatewayctl/src/run.ts';
import { CAUSES } from './causes.ts';
import { configurationPage } from './references.ts';
import { PAGES } from './sections.ts';
import { buildManualCorpus, type ManualCorpus } from './testing/manual-corpus.ts';

const ROOT = join(import.meta.dirname, '../..');
const GENERATED = ['reference/configuration', 'reference/refusals'];
let manual: ManualCorpus;
let engine: Engine;

beforeAll(async () => {
  manual = await buildManualCorpus();
  ({ engine } = manual);
});
afterAll(() => manual.remove());

const textOf = (path: string) =>
  path === 'reference/configuration'
    ? configurationPage()
    : readFileSync(join(ROOT, 'site/pages', `${path}.md`), 'utf8');

/** What readers ask, and the page that answers. */
const QUESTIONS: readonly (readonly [question: string, page: string])[] = [
  ['In which order is a call checked?', 'concepts/pipeline'],
  ['what happens when the database cannot answer', 'concepts/pipeline'],
  ['How is the decision log chained and signed?', 'concepts/log'],
  ['check the log without your program', 'concepts/log'],
  ['are prompts stored', 'concepts/never-stored'],
  ['which roles exist', 'concepts/roles'],
  ['difference between the on-premise and the hosted build', 'concepts/profiles'],
  ['limits of the security model', 'concepts/security'],
  ['how do I start everything on my machine', 'operator/first-start'],
  ['why is a start refused', 'operator/first-start'],
  ['connect Ollama as an engine', 'operator/engine'],
  ['create a local account', 'operator/people'],
  ['grant a role to somebody', 'operator/people'],
  ['forbid an endpoint with a Cedar policy', 'operator/policy'],
  ['revoke a person who left the company', 'operator/revoke'],
  ['revoke an agent session', 'operator/revoke'],
  ['monthly cap of a plan', 'operator/plans'],
  ['install a documentation archive', 'operator/documentation'],
  ['replace the documentation without restart', 'operator/documentation'],
  ['verify the journal', 'auditor/verify'],
  ['what is a checkpoint for', 'auditor/verify'],
  ['call an endpoint with curl', 'developer/calls'],
  ['stream an answer', 'developer/calls'],
  ['use Claude Code with the gateway', 'tools/claude-code'],
  ['configure Codex', 'tools/codex'],
  ['set up Cursor', 'tools/cursor'],
  ['use Gemini CLI', 'tools/gemini-cli'],
  ['COPILOT_PROVIDER_BASE_URL', 'tools/copilot-cli'],
  ['chatLanguageModels.json', 'tools/vs-code'],
  ['a session name for each run of Cline', 'tools/cline'],
  ['connect JetBrains AI Assistant', 'developer/tools'],
  ['base URL of Azure OpenAI as an engine', 'operator/engine'],
  ['run a command in an agent session', 'developer/agents'],
  ['MCP query server for agents', 'developer/ask'],
  ['write a diagnostic report with gw diagnose', 'developer/diagnose'],
  ['is anything sent by the diagnostic report', 'developer/diagnose'],
  ['members of the client configuration config.yaml', 'developer/diagnose'],
  ['several gateways behind a load balancer', 'deployment/several'],
  ['PostgreSQL standby', 'deployment/several'],
  ['PgBouncer', 'deployment/postgresql'],
  ['max_connections of PostgreSQL', 'deployment/postgresql'],
  ['install without a network', 'deployment/air-gapped'],
  ['what must be backed up', 'deployment/backup'],
  ['upgrade to a new version', 'deployment/upgrade'],
  ['GATEWAY_REQUEST_TIMEOUT_SECONDS', 'reference/configuration'],
  ['which refusal is cap-reached', 'reference/refusals'],
  ['what does 402 mean', 'operator/plans'],
  ['does it support streaming', 'developer/calls'],
  ['GATEWAY_LICENCE_FILE', 'reference/configuration'],
  ['revokation of a sesion', 'operator/revoke'],
  ['how do I run it with systemd', 'deployment/services'],
  ['docker container', 'deployment/services'],
  ['kubernetes deployment', 'deployment/services'],
  ['health check endpoint', 'deployment/services'],
  ['install it with Helm', 'deployment/services'],
  ['how do I rotate the signing key', 'deployment/keys'],
  ['how do I rotate an account key', 'deployment/keys'],
  ['block a leaked key', 'operator/secrets'],
  ['first administrator on-premise', 'operator/console'],
  ['how do I make someone an administrator', 'operator/console'],
  ['sign in with Keycloak', 'operator/console'],
  ['which issuer for Microsoft Entra ID', 'operator/directory'],
  ['Keycloak access token audience', 'operator/directory'],
  ['Okta settings', 'operator/directory'],
  ['why is my token refused', 'operator/directory'],
  ['login to the console', 'operator/console'],
  ['console password forgotten', 'operator/console'],
  ['how do I install a license', 'operator/licence'],
  ['how many seats do I have', 'operator/licence'],
  ['secret detected in my prompt false positive', 'operator/secrets'],
  ['turn off secret detection', 'operator/secrets'],
  ['organization policy for workstations', 'operator/organization'],
  ['restrict an endpoint to some people', 'operator/policy'],
  ['how do I call the gateway from python', 'developer/calls'],
  ['use with the OpenAI SDK', 'developer/calls'],
  ['where do I put the OpenAI API key', 'operator/engine'],
  ['monthly budget', 'operator/plans'],
  ['how are costs computed', 'operator/plans'],
  ['is the decision log tamper proof', 'concepts/log'],
  ['export logs to Splunk', 'operator/log-export'],
  ['send logs to Elasticsearch', 'operator/log-export'],
  ['high availability', 'deployment/several'],
  ['run behind nginx', 'deployment/proxies'],
  ['haproxy configuration', 'deployment/proxies'],
  ['streams are buffered behind a reverse proxy', 'deployment/proxies'],
  ['CONSOLE_PUBLIC_URL', 'deployment/proxies'],
  ['self-signed certificate of the engine', 'operator/engine'],
  ['maximum request body size', 'reference/limits'],
  ['how to enable TLS', 'deployment/https'],
  ['how do I set up https', 'deployment/https'],
  ['how do I add a user', 'operator/people'],
  ['how do I delete a user', 'operator/delete-person'],
  ['how do I set a budget for a user', 'operator/plans'],
  ['how do I see my own consumption', 'operator/plans'],
  ['how do I unrevoke somebody', 'operator/revoke'],
  ['what if the signing key is stolen', 'deployment/keys'],
  ['is there a web interface', 'operator/console'],
  ['does it need internet access', 'deployment/air-gapped'],
  ['embeddings', 'developer/calls'],
  ['what happens when the client disconnects', 'developer/calls'],
  ['delete old logs', 'operator/retention'],
  ['cofiguration refrence', 'reference/configuration'],
  ['what hapens if the databse is down', 'operator/troubleshooting'],
];

describe('the manual answers', () => {
  it.each(QUESTIONS)('%s', (question, page) => {
    const { answered, ranked } = engine.ask(question, 5);
    const pages = ranked.map(({ passage }) => {
      return engine.index.pages[engine.index.passages[passage]?.page ?? 0]?.url?.replace('/v/1.0.0/', '');
    });
    expect(answered).toBe(true);
    expect(pages).toContain(`${page}.md`);
  });
  it.each(['how to bake sourdough bread', 'who won the football world cup', 'deploy to Heroku with Terraform'])(
    'and reports it otherwise: %s',
    (question) => {
      expect(engine.ask(question, 5).answered).toBe(false);
    },
  );
});

describe('the pages', () => {
  it('are all listed, and all there', () => {
    const written = readdirSync(join(ROOT, 'site/pages'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md') && name !== 'index.md')
      .map((name) => name.slice(0, -'.md'.length));
    expect([...new Set([...written, ...GENERATED])].sort()).toEqual(PAGES.map(({ path }) => path).sort());
  });
  it('begin with the title they are listed under', () => {
    for (const { path, title } of PAGES.filter(
      (page) => page.path.startsWith('concepts/') && page.path !== 'concepts/security',
    )) {
      expect(textOf(path).split('\n')[0]).toBe(`# ${title}`);
    }
  });
  it('contain no double braces outside fences, which the pages would evaluate', () => {
    for (const { path } of PAGES.filter((page) => !GENERATED.includes(page.path)))
      expect([path, textOf(path).replaceAll(/^```[\s\S]*?^```/gm, '')]).toEqual([
        path,
        expect.not.stringContaining('{{'),
      ]);
  });
  it('link to nothing that is not there', () => {
    const known = new Set(PAGES.map(({ path }) => `/${path}`));
    for (const path of ['index', ...PAGES.map((page) => page.path).filter((page) => !GENERATED.includes(page))]) {
      for (const [, target = ''] of textOf(path).matchAll(/\]\((\/[^)#]*)/g)) expect(known).toContain(target);
    }
  });
  it('link to no heading that is not there', () => {
    const anchor = (heading: string) =>
      heading
        .toLowerCase()
        .replaceAll('_', '-')
        .replaceAll(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-');
    const headings = (path: string) => [...textOf(path).matchAll(/^#+ (.*)$/gm)].map(([, text = '']) => anchor(text));
    const links = PAGES.filter(({ path }) => !GENERATED.includes(path)).flatMap(({ path }) => [
      ...textOf(path).matchAll(/\]\(\/([^)#]*)#([^)]*)\)/g),
    ]);
    expect(links.length).toBeGreaterThan(1);
    for (const [, path = '', place] of links) expect(headings(path)).toContain(place);
  });
});

describe('the corpus for agents', () => {
  const files = () => ['llms-full.txt', ...PAGES.map(({ path }) => `${path}.md`)];

  it('links to pages where this gateway serves them', () => {
    const links = files().flatMap((name) =>
      [...manual.read(name).matchAll(/\]\((\/[^)#\s]*)/g)].map(([, path = '']) => path),
    );
    expect(links.length).toBeGreaterThan(10);
    const served = new Set(PAGES.map(({ path }) => `/v/1.0.0/${path}.md`));
    expect(links.filter((path) => !served.has(path))).toEqual([]);
  });
  it('shows placeholders, braces and addresses literally', () => {
    const text = manual.read('llms-full.txt');
    expect(text).not.toMatch(/&(?:lt|gt|amp|#\d+);/);
    for (const words of ['Unknown endpoint: <name>', 'https://host:port/path']) expect(text).toContain(words);
  });
});

describe('the references', () => {
  it('take no example of an address for a link', () => {
    expect(configurationPage()).not.toContain('://');
    expect(configurationPage()).toContain('- Read by both builds.');
    expect(configurationPage()).toContain('- Read by the hosted build.');
  });
  it('give every refusal a cause and how to fix it, and none that does not exist', () => {
    expect(Object.keys(CAUSES).sort()).toEqual(
      [...REFUSAL_CODES, 'plan-missing', 'cap-reached', 'metering-unavailable', 'answer-unmetered']
        .filter((code, at, all) => all.indexOf(code) === at)
        .sort(),
    );
    for (const [cause, fix] of Object.values(CAUSES)) {
      expect(cause).toMatch(/^[A-Z].*\.$|^[a-z].*\.$|^OIDC|^GATEWAY/);
      expect(fix).toMatch(/\.$/);
    }
  });
  it('name every variable once', () => {
    const names = [...configurationPage().matchAll(/^### (\w+)$/gm)].map(([, name]) => name);
    expect(names).toContain('GATEWAY_DOCS_DIR');
    expect(names).toContain('DATABASE_URL');
  });
});

it('the table of permissions is the role matrix', () => {
  const rows = textOf('concepts/roles').matchAll(/^\| `([a-z-]+:[a-z-]+)` +\| `([a-z-]+)` +\|/gm);
  const listed = [...rows].map(([, permission = '', role = '']) => [permission, role]);
  expect(listed).toEqual(ROLE_NAMES.flatMap((role) => ROLES[role].permissions.map((permission) => [permission, role])));
});

describe('every command of gatewayctl in the manual', () => {
  const texts = PAGES.filter(({ path }) => !GENERATED.includes(path)).map(({ path }) => textOf(path));
  const commands = [...new Set(texts.flatMap((text) => text.match(/gatewayctl [a-z][a-z-]*(?: [a-z-]+)?/g) ?? []))];

  /** The names of each command, without its arguments. */
  const known = COMMANDS.map(({ usage }) => usage.replace(/ [<[].*$/, ''));
  it.each(commands)('%s exists', (command) => {
    const [, first, ...rest] = command.split(' ');
    const words = [first, ...rest].join(' ');
    expect(known.some((name) => name === first || `${name} `.startsWith(`${words} `))).toBe(true);
  });
});
