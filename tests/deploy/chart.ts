import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments, parseDocument } from 'yaml';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const CHART = join(ROOT, 'deploy/chart');
export const readChart = (path: string): string => readFileSync(join(CHART, path), 'utf8');

export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels: Record<string, string>;
    readonly annotations?: Record<string, string>;
  };
  readonly spec: Readonly<Record<string, unknown>>;
}

/** The default values with changes: paths with dots, and their values. */
export function valuesWith(changes: Readonly<Record<string, unknown>>): unknown {
  const document = parseDocument(readChart('values.yaml'));
  for (const [path, value] of Object.entries(changes)) document.setIn(path.split('.'), value);
  return document.toJS();
}

/** Builds the renderer, a Go program. Debian: golang-go and golang-github-masterminds-sprig-dev. */
export function buildRenderer() {
  const folder = mkdtempSync(join(tmpdir(), 'render-chart-'));
  const program = join(folder, 'render-chart');
  const { status, stderr, error } = spawnSync(
    'go',
    ['build', '-o', program, join(ROOT, 'tests/deploy/render-chart.go')],
    {
      env: { ...process.env, GO111MODULE: 'off', GOPATH: '/usr/share/gocode' },
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(`go build failed: ${error?.message ?? stderr}`);
  return {
    /** The objects that `helm template RELEASE` prints. */
    render(values: unknown, release = 'prod'): readonly KubernetesObject[] {
      const { name, version, appVersion } = parse(readChart('Chart.yaml')) as Record<string, string>;
      const input = {
        folder: CHART,
        chart: { Name: name, Version: version, AppVersion: appVersion },
        values,
        release: { Name: release, Namespace: 'engines', Service: 'Helm' },
      };
      const rendered = spawnSync(program, { input: JSON.stringify(input), encoding: 'utf8' });
      if (rendered.status !== 0) throw new Error(rendered.stderr);
      const { 'NOTES.txt': _, ...files } = JSON.parse(rendered.stdout) as Record<string, string>;
      return Object.values(files).flatMap(objectsOf);
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}

function objectsOf(text: string): KubernetesObject[] {
  const documents = parseAllDocuments(text);
  if (!Array.isArray(documents)) return [];
  return documents.flatMap((document) => {
    for (const error of document.errors) throw error;
    const value = document.toJS() as KubernetesObject | null;
    return value === null ? [] : [value];
  });
}

/** The module of `kubernetes-types` that has the type of an object. CloudNativePG's own are not among them. */
function moduleOf(apiVersion: string): string {
  const [group = '', version] = apiVersion.includes('/') ? apiVersion.split('/') : ['core', apiVersion];
  return `kubernetes-types/${group.split('.')[0]}/${version}`;
}

/** Unknown, missing and wrongly typed members, as the compiler reports them against the types of Kubernetes' API. */
export function typeFaults(objects: readonly KubernetesObject[]): string {
  const lines = objects.map((object) => {
    const type = `import('${moduleOf(object.apiVersion)}').${object.kind}`;
    return `({ object: ${JSON.stringify(object)} }) satisfies { object: ${type} };`;
  });
  const folder = mkdtempSync(join(ROOT, 'node_modules/.chart-'));
  try {
    writeFileSync(join(folder, 'objects.ts'), `export {};\n${lines.join('\n')}\n`);
    const words = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'esnext', '--moduleResolution', 'bundler'];
    const { stdout } = spawnSync(
      join(ROOT, 'node_modules/.bin/tsc'),
      [...words, '--ignoreConfig', join(folder, 'objects.ts')],
      {
        encoding: 'utf8',
      },
    );
    return stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
