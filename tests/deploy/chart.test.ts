import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildRenderer, type KubernetesObject, readChart, typeFaults, valuesWith } from './chart.ts';

interface Container {
  readonly name: string;
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly securityContext: object;
  readonly resources?: object;
}

interface PodTemplate {
  readonly metadata: { readonly labels: Record<string, string> };
  readonly spec: {
    readonly containers: readonly [Container];
    readonly volumes: readonly { readonly name: string }[];
    readonly securityContext: object;
    readonly terminationGracePeriodSeconds?: number;
  };
}

/** Everything that a value can switch on. */
const EVERYTHING = {
  'image.tag': 'v2',
  imagePullSecrets: ['registry'],
  'database.ca.secret': 'prod-gateway-database-ca',
  'database.cloudnativepg.enabled': true,
  'gateway.replicas': 5,
  'gateway.tls.secret': 'gateway-tls',
  'gateway.environment': {
    OIDC_ISSUER: 'https://login.example',
    GATEWAY_BODY_MEMORY_MIB: 1_048_576,
    HALF: 0.5,
    ON: true,
  },
  'gateway.environmentSecrets': ['engine-keys'],
  'gateway.storage.class': 'fast',
  'gateway.service': { type: 'LoadBalancer', annotations: { 'example.org/internal': 'true' } },
  'console.environmentSecrets': ['console-secrets'],
  'console.storage.class': 'fast',
  'networkPolicy.gatewayFrom': [{ namespaceSelector: { matchLabels: { team: 'developers' } } }],
  'networkPolicy.egress': [{ to: [{ ipBlock: { cidr: '10.0.0.0/8' } }], ports: [{ port: 5432 }] }],
};
/** The hosted build behind a proxy, without network policies. */
const LEAST = { 'gateway.license.secret': '', 'networkPolicy.enabled': false, 'gateway.resources': {} };

let renderer: ReturnType<typeof buildRenderer>;
beforeAll(() => {
  renderer = buildRenderer();
});
afterAll(() => renderer?.remove());

const podOf = ({ spec }: KubernetesObject): PodTemplate => spec['template'] as PodTemplate;
const workloads = (objects: readonly KubernetesObject[]) =>
  objects.filter(({ kind }) => kind === 'StatefulSet' || kind === 'Job');
const find = (objects: readonly KubernetesObject[], kind: string, component: string): KubernetesObject => {
  const found = objects.find(
    (one) => one.kind === kind && one.metadata.labels['app.kubernetes.io/component'] === component,
  );
  if (found === undefined) throw new Error(`no ${kind} of ${component}`);
  return found;
};
const environment = (object: KubernetesObject): Record<string, string | undefined> =>
  Object.fromEntries(podOf(object).spec.containers[0].env.map(({ name, value }) => [name, value]));

describe.each([
  ['the default values', {}],
  ['everything switched on', EVERYTHING],
  ['the least', LEAST],
])('the chart with %s', (_, changes) => {
  let objects: readonly KubernetesObject[];
  beforeAll(() => {
    objects = renderer.render(valuesWith(changes));
  });

  it("renders objects of Kubernetes' types", () => {
    const typed = objects.filter(({ apiVersion }) => !apiVersion.startsWith('postgresql.cnpg.io/'));
    expect(typed.length).toBeGreaterThanOrEqual(7);
    expect(typeFaults(typed)).toBe('');
  });

  it('names no object twice', () => {
    const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
  });

  it('mounts only volumes that exist, and each of them', () => {
    for (const workload of workloads(objects)) {
      const { containers, volumes } = podOf(workload).spec;
      const claims = (workload.spec['volumeClaimTemplates'] ?? []) as { metadata: { name: string } }[];
      const offered = [...volumes.map(({ name }) => name), ...claims.map(({ metadata }) => metadata.name)];
      expect(containers[0].volumeMounts.map(({ name }) => name).sort()).toEqual(offered.sort());
    }
  });

  it('sets each variable once, as text', () => {
    for (const workload of workloads(objects)) {
      const { env } = podOf(workload).spec.containers[0];
      const names = env.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
    }
  });

  it('selects the pods that services, budgets and policies are for', () => {
    const pods = workloads(objects).map((workload) => podOf(workload).metadata.labels);
    const selectors = objects.flatMap(({ kind, spec }): [string, Record<string, string>][] => {
      if (kind === 'Service') return [[kind, spec['selector'] as Record<string, string>]];
      const selector = (spec['selector'] ?? spec['podSelector']) as { matchLabels: Record<string, string> } | undefined;
      return selector === undefined ? [] : [[kind, selector.matchLabels]];
    });
    expect(selectors.length).toBeGreaterThan(4);
    for (const [, wanted] of selectors) {
      expect(
        pods.filter((labels) => Object.entries(wanted).every(([name, value]) => labels[name] === value)),
      ).toHaveLength(1);
    }
  });

  it('gives no container rights, and its root file system cannot be written', () => {
    for (const workload of workloads(objects)) {
      const { containers, securityContext } = podOf(workload).spec;
      expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10_001 });
      expect(containers[0].securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
  });

  it('has no secret in it', () => {
    expect(objects.map(({ kind }) => kind)).not.toContain('Secret');
    expect(JSON.stringify(objects)).not.toMatch(/postgres:\/\//);
  });
});

it('reports a misspelt member, a wrongly typed one and an unknown kind', () => {
  const [gateway] = renderer.render(valuesWith({})).filter(({ kind }) => kind === 'PodDisruptionBudget');
  const faultsOf = (spec: object) => typeFaults([{ ...(gateway as KubernetesObject), spec: spec as never }]);
  expect(faultsOf({ maxUnavailabel: 1 })).toMatch(/maxUnavailabel/);
  expect(faultsOf({ selector: { matchLabels: 'all' } })).toMatch(/matchLabels|Type 'string'/);
  expect(typeFaults([{ apiVersion: 'v1', kind: 'Servise' } as never])).toMatch(/Servise/);
});

describe('the chart', () => {
  it('applies migrations before each version starts; after its own cluster exists', () => {
    const hook = (changes: Record<string, unknown>) =>
      find(renderer.render(valuesWith(changes)), 'Job', 'migrate').metadata.annotations?.['helm.sh/hook'];
    expect(hook({})).toBe('pre-install,pre-upgrade');
    expect(hook({ 'database.cloudnativepg.enabled': true })).toBe('post-install,pre-upgrade');
  });

  it('runs two gateways, of which an eviction takes one at a time', () => {
    const objects = renderer.render(valuesWith({}));
    expect(find(objects, 'StatefulSet', 'gateway').spec['replicas']).toBe(2);
    expect(find(objects, 'PodDisruptionBudget', 'gateway').spec['maxUnavailable']).toBe(1);
  });

  it('leaves a gateway longer than its drain', () => {
    const gateway = find(renderer.render(valuesWith({ 'gateway.drainSeconds': 600 })), 'StatefulSet', 'gateway');
    expect(environment(gateway)['GATEWAY_DRAIN_SECONDS']).toBe('600');
    expect(podOf(gateway).spec.terminationGracePeriodSeconds).toBe(630);
  });

  it('writes numbers without an exponent', () => {
    const gateway = find(renderer.render(valuesWith(EVERYTHING)), 'StatefulSet', 'gateway');
    expect(environment(gateway)).toMatchObject({
      OIDC_ISSUER: 'https://login.example',
      GATEWAY_BODY_MEMORY_MIB: '1048576',
      HALF: '0.5',
      ON: 'true',
    });
  });

  it('takes no variable in its values that it sets itself', () => {
    const isValid = new Ajv({ strict: true, allowUnionTypes: true }).compile(
      JSON.parse(readChart('values.schema.json')),
    );
    const all = workloads(renderer.render(valuesWith({ ...EVERYTHING, 'gateway.environment': {} })));
    const names = new Set(all.flatMap((workload) => Object.keys(environment(workload))));
    expect([...names]).toEqual(expect.arrayContaining(['PORT', 'TLS_KEY_FILE', 'NODE_OPTIONS']));
    const taken = [...names].filter((name) => isValid(valuesWith({ 'gateway.environment': { [name]: 'x' } })));
    expect(taken).toEqual([]);
  });

  it('lets only the named peers reach a program, and a program reach only named peers and DNS', () => {
    const { spec } = find(renderer.render(valuesWith(EVERYTHING)), 'NetworkPolicy', 'gateway');
    expect(spec).toMatchObject({
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ ports: [{ port: 'http' }], from: [{ namespaceSelector: { matchLabels: { team: 'developers' } } }] }],
      egress: [
        {
          ports: [
            { port: 53, protocol: 'UDP' },
            { port: 53, protocol: 'TCP' },
          ],
        },
        { to: [{ ipBlock: { cidr: '10.0.0.0/8' } }], ports: [{ port: 5432 }] },
      ],
    });
    const open = find(renderer.render(valuesWith({})), 'NetworkPolicy', 'console').spec;
    expect(open).toMatchObject({ policyTypes: ['Ingress'], ingress: [{ from: [{ podSelector: {} }] }] });
  });

  it('keeps names within the limits of Kubernetes, for any release name', () => {
    for (const release of ['gateway', 'a'.repeat(53)]) {
      for (const { metadata } of renderer.render(valuesWith(EVERYTHING), release)) {
        // A label of 63 characters includes the name and an ordinal or a revision.
        expect(metadata.name).toMatch(/^[a-z0-9]([-a-z0-9]{0,51}[a-z0-9])?$/);
        for (const label of Object.values(metadata.labels)) expect(label.length).toBeLessThanOrEqual(63);
      }
    }
  });
});
