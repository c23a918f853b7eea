import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { SENTENCES as HOSTED } from '../packages/contract/src/hosted-refusals.ts';
import { SENTENCES as ON_PREMISE } from '../packages/contract/src/on-premise-refusals.ts';

// The profile is fixed when an artifact is built: the code of the other one is not in it (roles-24).
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PROFILES = ['on-premise', 'serverless'] as const;
type Profile = (typeof PROFILES)[number];
/** What a service runs. */
const SERVICES = ['gateway-program.js', 'log-export.js', 'vocabulary.js', 'console-program.js'];
/** What is started: each refuses an old Node.js in one line, and loads its program. */
const STARTED = ['gateway.js', 'console.js', 'gatewayctl.js'];
const PROGRAMS = [...SERVICES, ...STARTED, 'gw.js', 'console-web/client.js', 'console-web/index.html'];

function build(
  profile: string,
  ...words: readonly string[]
): { readonly status: number | null; readonly said: string } {
  const { status, stderr } = spawnSync(process.execPath, ['toolchain/build.ts', ...words], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, GATEWAY_DEPLOYMENT_PROFILE: profile },
  });
  return { status, said: stderr };
}

/** Every file of an artifact that a program or a browser runs, by its name. */
const programs: Record<Profile, ReadonlyMap<string, string>> = { 'on-premise': new Map(), serverless: new Map() };

beforeAll(() => {
  for (const profile of PROFILES) {
    const { status, said } = build(profile, '--when-changed');
    expect(said).not.toMatch(/warning/i);
    expect(status).toBe(0);
    const folder = `${ROOT}/dist/${profile}`;
    const names = globSync('**/*.{js,css,html}', { cwd: folder });
    programs[profile] = new Map(names.map((name) => [name, readFileSync(`${folder}/${name}`, 'utf8')]));
    expect([...programs[profile].keys()]).toEqual(expect.arrayContaining(PROGRAMS));
  }
});

/** @throws if the artifact has no such program: a text is never found in a missing file */
function program(profile: Profile, name: string): string {
  const content = programs[profile].get(name);
  if (content === undefined) throw new Error(`${profile} holds no ${name}`);
  return content;
}

/** The files in which a text occurs, in any case of its letters. */
function holding(profile: Profile, text: string): readonly string[] {
  const found = [...programs[profile]].filter(([, content]) => content.toLowerCase().includes(text.toLowerCase()));
  return found.map(([name]) => name);
}

/** Words that only the hosted profile has a use for: plans, caps, the shared pair, the routes of accounts. */
const BILLING = [
  'monthly_cap',
  'monthlyCap',
  'unbilled',
  'spending-cap',
  '/api/plans',
  '/api/users',
  '/api/usage',
  '/rotate-key',
  'ADMIN_API_KEY',
  'ADMIN_USER',
  'ADMIN_PASS',
  ...Object.values(HOSTED).map(([, sentence]) => sentence),
];
/** Words that only the on-premise profile has a use for: the deployment's license. */
const LICENCE = Object.values(ON_PREMISE).map(([, sentence]) => sentence);

// roles-24, console-17
describe('the on-premise artifact', () => {
  it.each(BILLING)('does not contain «%s»', (text) => {
    expect(holding('on-premise', text)).toEqual([]);
  });

  it.each(LICENCE)('contains «%s»', (text) => {
    expect(holding('on-premise', text)).toContain('gateway-program.js');
  });
});

describe('the hosted artifact', () => {
  it.each(LICENCE)('does not contain «%s»', (text) => {
    expect(holding('serverless', text)).toEqual([]);
  });

  it.each(BILLING)('contains «%s»: the words above are the ones in use', (text) => {
    expect(holding('serverless', text)).not.toEqual([]);
  });
});

it.each(PROFILES)('the %s artifact has its programs, pages and migrations', (profile) => {
  for (const name of PROGRAMS) expect(program(profile, name), name).not.toBe('');
  expect(existsSync(`${ROOT}/dist/${profile}/migrations/0001_service_roles.sql`)).toBe(true);
});

it.each(PROFILES)(
  'no service of the %s artifact contains a letter that makes V8 store its source in two bytes a letter',
  (profile) => {
    for (const name of SERVICES)
      expect(/.{0,20}[\u0100-\uffff]/.exec(program(profile, name))?.[0], name).toBeUndefined();
  },
);

it.each(STARTED)('%s refuses an old Node.js in one line, which it can parse', (name) => {
  const version = '20.1.0';
  const old = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`;
  const words = ['--import', `data:text/javascript,${encodeURIComponent(old)}`, `${ROOT}/dist/on-premise/${name}`];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  const said = `${name.replace('.js', '')} needs Node.js 24 or newer; this is ${version}.\n`;
  expect([status, stdout, stderr]).toEqual([1, '', said]);
  expect(program('on-premise', name)).not.toMatch(/^import\s/m);
});

it.each(['hosted', 'Serverless', 'on_premise', ' '])(
  'a build for %j fails and says which profiles there are',
  (name) => {
    const { status, said } = build(name);
    expect(status).toBe(1);
    expect(said).toMatch(/GATEWAY_DEPLOYMENT_PROFILE .*on-premise or serverless/);
  },
);

// roles-23
it('without a profile, the on-premise artifact is built', () => {
  expect(build('', '--when-changed')).toEqual({ status: 0, said: '' });
});

it.each(PROFILES)(
  'the %s artifact is self-contained: moved to another folder, it still uses its policy engine',
  (profile) => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'artifact-'));
    cpSync(`${ROOT}/dist/${profile}`, elsewhere, { recursive: true });
    writeFileSync(join(elsewhere, 'policy'), 'forbid(principal, action, resource)\nwhen { 1 + };');
    const words = [join(elsewhere, 'gatewayctl.js'), 'policy', 'check', join(elsewhere, 'policy')];
    const { status, stderr } = spawnSync(process.execPath, words, { cwd: elsewhere, encoding: 'utf8' });
    rmSync(elsewhere, { recursive: true });
    expect([status, stderr]).toEqual([1, expect.stringContaining('line 2, column 12')]);
  },
);

// console-2
describe("the console's pages", () => {
  const folder = (profile: Profile) => `${ROOT}/dist/${profile}/console-web`;
  it.each(PROFILES)('are the files that need no right and scripts/, each compressed beforehand: %s', (profile) => {
    const all = globSync('**/*.*', { cwd: folder(profile) }).toSorted();
    const names = all.filter((name) => !name.startsWith('scripts/'));
    const plain = ['client.css', 'client.js', 'favicon.svg', 'index.html'];
    const compressed = plain.flatMap((name) => [name, `${name}.br`, `${name}.gz`]);
    expect(names.filter((name) => !name.startsWith('fonts/'))).toEqual(compressed.toSorted());
    expect(names.filter((name) => name.startsWith('fonts/')).length).toBeGreaterThan(0);
    const scripts = all.filter((name) => name.startsWith('scripts/') && name.endsWith('.js'));
    for (const name of scripts) expect(all).toEqual(expect.arrayContaining([`${name}.br`, `${name}.gz`]));
  });
  it.each(PROFILES)('take at most 250 kB of script each on the way, but for the policy editor: %s', (profile) => {
    const read = (name: string) => program(profile, `console-web/${name}`);
    const named = (name: string, form: RegExp) =>
      [...read(name).matchAll(form)].map(([, file]) => (file === 'client.js' ? file : `scripts/${file}`));
    /** A script with all that it imports. */
    const whole = (name: string, known = new Set<string>()): Set<string> => {
      if (known.has(name)) return known;
      known.add(name);
      for (const other of named(name, /(?:from|import)\s*["'`]\.\.?\/(?:scripts\/)?([\w.-]+\.js)["']/g))
        whole(other, known);
      return known;
    };
    const [, first = ''] = /src="\/(scripts\/[\w.-]+\.js)"/.exec(read('index.html')) ?? [];
    const pages = named(first, /import\(["'`]\.\/([\w.-]+\.js)["'`]\)/g);
    expect(pages.length).toBeGreaterThan(5);
    for (const page of pages) {
      const sizes = [...whole(page, whole(first))].map((name) => statSync(`${folder(profile)}/${name}.gz`).size);
      expect(
        sizes.reduce((sum, size) => sum + size, 0),
        page,
      ).toBeLessThan(250_000);
    }
    // It is all that a reader without a session gets, so it imports nothing.
    expect(read('client.js')).not.toMatch(/import|from/);
  });
  it.each(PROFILES)('contain no development code, in any environment of the build: %s', (profile) => {
    expect(holding(profile, 'jsxDEV')).toEqual([]);
  });
  it.each(PROFILES)('send no request to another host and contain no inline script: %s', (profile) => {
    const page = program(profile, 'console-web/index.html');
    expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    expect(page).not.toMatch(/<script(?![^>]*\ssrc=)/);
    expect(page).not.toMatch(/\son\w+=/);
    expect(program(profile, 'console-web/client.css')).not.toMatch(/url\(["']?(?:https?:)?\/\//);
  });
});
