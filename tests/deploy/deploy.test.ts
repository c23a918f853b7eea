import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse, parseDocument } from 'yaml';
import { createCostMeter } from '../../apps/gateway/src/telemetry/cost.ts';
import { GatewayMetrics } from '../../apps/gateway/src/telemetry/gateway-metrics.ts';
import type { Instrument } from '../../apps/gateway/src/telemetry/instruments.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(`${ROOT}${path}`, 'utf8');
const chart = 'deploy/chart';

/** Every variable that the reference names, of whichever program. */
const VARIABLES = new Set([...read('docs/configuration.md').matchAll(/^### (\S+)$/gm)].map(([, name]) => name));
/** What Node.js, the C library and PostgreSQL's image read. */
const FOREIGN = /^(?:NODE_|MALLOC_|POSTGRES_|(?:OWNER|GATEWAY|CONSOLE)_PASSWORD$)/;
const unknown = (names: Iterable<string | undefined>): string[] =>
  [...names].filter((name) => name !== undefined).filter((name) => !VARIABLES.has(name) && !FOREIGN.test(name));

describe('the Helm chart', () => {
  const values = parse(read(`${chart}/values.yaml`)) as Record<string, unknown>;
  const schema = JSON.parse(read(`${chart}/values.schema.json`)) as object;
  const isValid = new Ajv({ strict: true, allowUnionTypes: true }).compile(schema);
  const templates = readdirSync(`${ROOT}${chart}/templates`)
    .map((name) => read(`${chart}/templates/${name}`))
    .join('\n');
  const changed = (path: string, value: unknown): unknown => {
    const document = parseDocument(read(`${chart}/values.yaml`));
    document.setIn(path.split('.'), value);
    return document.toJS();
  };

  it('has values that its schema takes', () => {
    isValid(values);
    expect(isValid.errors).toBeNull();
  });

  it.each([
    ['gateway.replicas', 0],
    ['gateway.port', '6001'],
    ['gateway.environment', { DATABASE_URL: 'postgres://in-clear-text' }],
    ['gateway.environment', { GATEWAY_DRAIN_SECONDS: 60 }],
    ['console.environment', { NODE_OPTIONS: '--max-old-space-size=512' }],
    ['gateway.storage.size', 'large'],
    ['database.secret', ''],
    ['console.replicas', 2],
    ['networkPolicy.enabled', 'yes'],
    ['misspelt', true],
  ])('takes no %s of %j', (path, value) => {
    expect(isValid(changed(path, value))).toBe(false);
  });

  it.each([
    ['gateway.license.secret', ''],
    ['gateway.environment', { OIDC_ISSUER: 'https://login.example', GATEWAY_BODY_MEMORY_MIB: 1024 }],
    ['gateway.resources', {}],
    ['database.ca.secret', 'database-ca'],
    ['networkPolicy.egress', [{ to: [{ ipBlock: { cidr: '10.0.0.0/8' } }] }]],
  ])('takes %s of %j', (path, value) => {
    isValid(changed(path, value));
    expect(isValid.errors).toBeNull();
  });

  it('uses no value that it does not have', () => {
    const used = [...templates.matchAll(/\.Values\.([\w.]+)/g)].map(([, path = '']) => path);
    const document = parseDocument(read(`${chart}/values.yaml`));
    expect(used.length).toBeGreaterThan(30);
    expect(used.filter((path) => !document.hasIn(path.split('.')))).toEqual([]);
  });

  it('sets no variable that the programs do not read', () => {
    const set = [...templates.matchAll(/name: ([A-Z][A-Z_]+)\b/g)].map(([, name]) => name);
    expect(set).toContain('DATABASE_URL');
    expect(unknown(set)).toEqual([]);
  });

  it('has the version of the product', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect(parse(read(`${chart}/Chart.yaml`))).toMatchObject({ version, appVersion: version });
  });
});

describe('the compose file', () => {
  const { services } = parse(read('deploy/compose/compose.yaml'), { merge: true }) as {
    services: Record<string, { environment?: Record<string, string>; read_only?: boolean; cap_drop?: string[] }>;
  };

  it('sets no variable that the programs do not read', () => {
    expect(unknown(Object.values(services).flatMap(({ environment = {} }) => Object.keys(environment)))).toEqual([]);
  });

  it('asks for no variable that its example lacks', () => {
    const asked = [...read('deploy/compose/compose.yaml').matchAll(/\$\{(\w+)(?::\?[^}]*)?\}/g)].map(
      ([, name]) => name,
    );
    const given = [...read('deploy/compose/example.env').matchAll(/^(\w+)=/gm)].map(([, name]) => name);
    expect(new Set(asked)).toEqual(new Set(given));
  });

  it('gives the programs no rights and nothing to write but their state', () => {
    for (const name of ['migrate', 'gateway', 'console'])
      expect(services[name]).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
  });
});

/** The name that a collector gives a metric for Prometheus (OpenTelemetry, Prometheus compatibility). */
function prometheusNames({ kind, description: { name, unit } }: Instrument): string[] {
  const suffix = { s: '_seconds', By: '_bytes' }[unit] ?? '';
  const base = name.replaceAll('.', '_') + suffix;
  if (kind === 'histogram') return ['_bucket', '_sum', '_count'].map((part) => base + part);
  return [kind === 'gauge' ? base : `${base}_total`];
}

describe('dashboard and alerts', () => {
  const metrics = new GatewayMetrics(
    {
      usageWaiting: () => 0,
      detectionsWaiting: () => 0,
      resultsWaiting: () => 0,
      openAnswers: () => 0,
      bodies: () => 0,
    },
    createCostMeter(async () => new Map()),
  );
  metrics.close();
  const known = new Set(metrics.instruments.flatMap(prometheusNames));
  /** Names in expressions, without labels. */
  const asked = (text: string): string[] => {
    const bare = text.replaceAll(/\bby \([^)]*\)|\{[^{}]*\}/g, ' ');
    return [...bare.matchAll(/\b(?:gateway|gen_ai|db|nodejs|process)_\w+/g)].map(([name]) => name);
  };

  const dashboard = JSON.parse(read('deploy/monitoring/dashboard.json')) as {
    panels: { targets: { expr: string }[] }[];
  };
  const alerts = parse(read('deploy/monitoring/alerts.yaml')) as { groups: { rules: { expr: string }[] }[] };
  const shown = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  const watched = alerts.groups.flatMap(({ rules }) => rules.map(({ expr }) => expr));

  it.each([...shown, ...watched])('ask for what the gateway sends: %s', (expression) => {
    const names = asked(expression);
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });

  it('leave no metric out', () => {
    const names = new Set(shown.flatMap(asked));
    const missing = metrics.instruments.filter((one) => !prometheusNames(one).some((name) => names.has(name)));
    expect(missing.map(({ description }) => description.name)).toEqual([]);
  });
});

it('the alerts are rules that Prometheus accepts, and pass their tests', () => {
  const run = (...words: string[]) =>
    spawnSync('promtool', words, { cwd: `${ROOT}deploy/monitoring`, encoding: 'utf8' });
  const check = run('check', 'rules', 'alerts.yaml');
  expect(check.stderr + check.stdout).toMatch(/SUCCESS: 6 rules found/);
  const tested = run('test', 'rules', 'alerts-test.yaml');
  expect(tested.stderr + tested.stdout).toMatch(/SUCCESS/);
  expect([check.status, tested.status]).toEqual([0, 0]);
});

describe.each(['gateway', 'console'])('the example of %s.env', (program) => {
  const text = read(`deploy/systemd/${program}.env`);
  const names = [...text.matchAll(/^#?([A-Z][A-Z_]+)=/gm)].map(([, name]) => name);

  it('names only variables that the program reads', () => {
    const [, gateway = '', console = ''] = read('docs/configuration.md').split(/^## (?:Gateway|Console|Build)$/m);
    const known = new Set(
      [...(program === 'gateway' ? gateway : console).matchAll(/^### (\S+)$/gm)].map(([, name]) => name),
    );
    expect(names).toContain('DATABASE_URL');
    // Keys of engines are declared with their provider.
    expect(names.filter((name) => !known.has(name) && name !== 'ENGINE_API_KEY')).toEqual([]);
  });

  it('is a file that systemd and compose read alike: no quotes, no blanks around the sign, no expansion', () => {
    for (const line of text.split('\n').filter((one) => one !== '' && !one.startsWith('# ')))
      expect(line).toMatch(/^#?[A-Z][A-Z_]+=[^\s"'$]*$/);
  });

  it('is read by the unit', () => {
    const unit = program === 'gateway' ? 'gateway' : 'gateway-console';
    expect(read(`deploy/systemd/${unit}.service`)).toContain(`EnvironmentFile=/etc/gateway/${program}.env`);
  });
});

it('the image sets no variable that the programs do not read', () => {
  const text = read('deploy/image/Containerfile');
  const set = [...text.matchAll(/(?:^ENV |^ {4})([A-Z][A-Z_]+)=/gm)].map(([, name]) => name);
  expect(set).toContain('GATEWAY_STATE_DIR');
  expect(unknown(set)).toEqual([]);
});

it('the manual shows the unit of the gateway literally', () => {
  const page = read('site/pages/deployment/services.md');
  const [, shown] = /^```ini\n([\s\S]*?)^```$/m.exec(page) ?? [];
  expect(shown).toBe(read('deploy/systemd/gateway.service'));
});
