import { readFileSync } from 'node:fs';
import { misspelt, type Variable } from '@gateway/configuration';
import { describe, expect, it } from 'vitest';
import {
  readConfiguration as readConsole,
  variablesOf as variablesOfConsole,
} from '../apps/console/src/profile/configuration.ts';
import { profile as restrictedConsole } from '../apps/console/src/profile/on-premise.ts';
import { profile as hostedConsole } from '../apps/console/src/profile/serverless.ts';
import {
  readConfiguration as readGateway,
  variablesOf as variablesOfGateway,
} from '../apps/gateway/src/config/configuration.ts';
import { profile as restrictedGateway } from '../apps/gateway/src/profile/on-premise.ts';
import { profile as hostedGateway } from '../apps/gateway/src/profile/serverless.ts';
import { BUILD_VARIABLES, configurationReference } from '../toolchain/configuration-reference.ts';

const SERVICES = [
  {
    title: 'Gateway',
    builds: { serverless: variablesOfGateway(hostedGateway), 'on-premise': variablesOfGateway(restrictedGateway) },
  },
  {
    title: 'Console',
    builds: { serverless: variablesOfConsole(hostedConsole), 'on-premise': variablesOfConsole(restrictedConsole) },
  },
];

// `vitest run tests/configuration-reference.test.ts -u` writes the page again after a change.
it('the configuration reference is what reads the variables', async () => {
  const text = configurationReference(SERVICES);
  for (const name of ['DATABASE_URL', 'TLS_CERT_FILE', 'GATEWAY_LICENSE', 'OIDC_TLS_CA_FILE', 'OIDC_REDIRECT_URI']) {
    expect(text).toContain(`### ${name}\n`);
  }
  await expect(text).toMatchFileSnapshot('../docs/configuration.md');
});

/** The names that a reading requests from an environment, in all cases; each has the value `values` gives it. */
async function namesAsked(
  read: (environment: Record<string, string | undefined>) => unknown,
  values: (name: string) => string | undefined,
): Promise<string[]> {
  const asked = new Set<string>();
  await read(
    new Proxy<Record<string, string | undefined>>(
      {},
      {
        get: (_, name) => {
          asked.add(String(name).toUpperCase());
          return values(String(name));
        },
      },
    ),
  );
  return [...asked];
}

/** Without faults, so that variables that are only read then are read. */
const SOUND: Readonly<Record<string, string>> = {
  ADMIN_API_KEY: `gwk_${'0123456789ab'.repeat(4)}`,
  ADMIN_PASS: 'password',
  ADMIN_USER: 'admin',
  DATABASE_URL: 'postgres://gateway_service:password@127.0.0.1:5432/gateway',
  GATEWAY_AGENT_LAUNCHER: 'process',
  GATEWAY_AGENT_WORKDIR: '/',
  HTTPS_PROXY: 'http://proxy.example:3128',
  OIDC_CLIENT_ID: 'client',
  OIDC_ISSUER: 'https://issuer.example',
  OIDC_REDIRECT_URI: 'https://console.example/auth/callback',
};

const nameOf = ({ name }: Variable): string => name;

it('a variable of another program, build or tool of the product is no misspelling anywhere', () => {
  const operator = [...readFileSync('docs/gatewayctl.md', 'utf8').matchAll(/^\| `([A-Z_]+)`/gm)].map(
    ([, name = '']) => name,
  );
  const builds = SERVICES.flatMap(({ builds }) => Object.values(builds));
  const names = [...builds.flat().map(nameOf), ...BUILD_VARIABLES.map(({ name }) => name), ...operator];
  for (const listed of builds) {
    const own = new Set(listed.map(nameOf));
    const others = Object.fromEntries(names.filter((name) => !own.has(name)).map((name) => [name, 'x']));
    expect(Object.keys(others)).not.toEqual([]);
    expect(misspelt(others, listed)).toEqual([]);
  }
});

describe('the variables read are those listed', () => {
  it.each([
    ['the hosted gateway', variablesOfGateway(hostedGateway), (env) => readGateway(env, hostedGateway)],
    ['the restricted gateway', variablesOfGateway(restrictedGateway), (env) => readGateway(env, restrictedGateway)],
    ['the hosted console', variablesOfConsole(hostedConsole), (env) => readConsole(env, hostedConsole)],
    ['the restricted console', variablesOfConsole(restrictedConsole), (env) => readConsole(env, restrictedConsole)],
  ] satisfies [string, readonly Variable[], Parameters<typeof namesAsked>[0]][])('%s', async (_, listed, read) => {
    // Some are read only beside others, or where others are absent.
    const asked = new Set([
      ...(await namesAsked(read, () => undefined)),
      ...(await namesAsked(read, () => 'x')),
      ...(await namesAsked(read, (name) => SOUND[name])),
    ]);
    expect([...asked].sort()).toEqual([...new Set(listed.map(nameOf))].sort());
  });
  it('the build', () => {
    const asked = readFileSync('toolchain/build.ts', 'utf8').matchAll(/process\.env\.(\w+)/g);
    expect([...asked].map(([, name = '']) => name).sort()).toEqual(BUILD_VARIABLES.map(({ name }) => name).sort());
  });
  it('gatewayctl', () => {
    const page = readFileSync('docs/gatewayctl.md', 'utf8');
    const source = readFileSync('apps/gatewayctl/src/context/environment.ts', 'utf8');
    const asked = [...new Set(source.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g))];
    const listed = [...page.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name = '']) => name);
    expect(asked.filter((name) => name !== 'XDG_STATE_HOME').sort()).toEqual(listed.sort());
    expect(page).toContain('$XDG_STATE_HOME');
  });
});
