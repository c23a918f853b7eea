import { isAccountKey } from '@gateway/contract';
import type { Position } from '../configuration/position.ts';
import { type Given, parseReference } from '../configuration/reference.ts';
import { isEndpointName } from '../configuration/shape.ts';
import type { Probe } from './probe.ts';
import { detours, type ProxiesFacts } from './proxies.ts';

/** How a model is given its key. The key itself is nowhere. */
export interface KeyFacts {
  readonly as: Given['as'] | 'none';
  /** The variable of a reference. */
  readonly variable: string | null;
  /** Whether that variable is set. */
  readonly set: boolean;
  /** Whether the key has the form of an account key (roles-2); null where it is not known. */
  readonly gatewayForm: boolean | null;
}

export interface ModelFacts {
  readonly name: string | null;
  readonly model: string | null;
  /** Scheme, host, port and path. */
  readonly address: string | null;
  readonly key: KeyFacts;
}

interface Source {
  readonly file: string;
  /** Whether others can read the file. */
  readonly shared: boolean;
  /** The content of the configuration, of any shape: a fault elsewhere in it hides no key. */
  readonly data: unknown;
  readonly placeOf: (path: readonly PropertyKey[]) => Position;
}

/** The models of a configuration, and the lines in which a key was found in the clear. */
export function modelsFacts(
  probe: Probe,
  proxies: ProxiesFacts,
  source: Source,
): { readonly models: readonly ModelFacts[]; readonly literals: ReadonlySet<number> } {
  const literals = new Set<number>();
  const names = new Set<string>();
  const list = memberOf(source.data, 'models');
  const models = (Array.isArray(list) ? list : []).map((one: unknown, at): ModelFacts => {
    const reported = (member: string): string | null => textOf(memberOf(one, member));
    const where = (member: string): string => {
      const { line, column } = source.placeOf(['models', at, member]);
      return `${probe.redaction.format`${source.file}`}:${line}:${column}`;
    };
    const name = reported('name');
    if (name !== null && names.size === names.add(name.toLowerCase()).size) {
      probe.find({
        what: 'Two models have the same name.',
        where: where('name'),
        fix: 'Give one of them another name.',
      });
    }
    const member = reported('endpoint') === null ? 'apiBase' : 'endpoint';
    const address = addressOf(probe, proxies, wholeAddress(probe, source.data, reported(member)), where(member));
    const key = keyOf(probe, reported('apiKey'), where('apiKey'), source.shared);
    if (key.as === 'literal') literals.add(source.placeOf(['models', at, 'apiKey']).line);
    return { name: printableName(probe, name), model: printableName(probe, reported('model')), address, key };
  });
  return { models, literals };
}

/** The name of an endpoint belongs to the gateway. */
function wholeAddress({ environment }: Probe, data: unknown, given: string | null): string | null {
  if (given === null || !isEndpointName(given)) return given;
  const gateway = environment.variables.get('GATEWAY_URL') ?? textOf(memberOf(data, 'gateway'));
  return gateway === null ? null : `${gateway.replace(/\/+$/, '')}/${given}/v1`;
}

function memberOf(value: unknown, member: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, member)
    ? (value as Record<string, unknown>)[member]
    : undefined;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function printableName({ redaction }: Probe, name: string | null): string | null {
  return name === null ? null : redaction.name(name);
}

function addressOf(
  { redaction, find }: Probe,
  proxies: ProxiesFacts,
  text: string | null,
  where: string,
): string | null {
  const url = text === null ? null : URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  for (const part of [url.username, url.password]) redaction.withhold(part);
  const local = /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname);
  if (url.protocol === 'http:' && !local) {
    find({
      grade: 'security',
      what: 'Calls go out unencrypted, with your key in them.',
      where,
      fix: 'Write https, if the service speaks it.',
    });
  }
  if (detours(proxies, url)) {
    find({
      what: 'Calls to this machine would be sent to the proxy, which cannot reach it.',
      where,
      fix: redaction.format`Add ${url.hostname.replace(/^\[|\]$/g, '')} to NO_PROXY.`,
    });
  }
  return `${url.protocol}//${url.host}${url.pathname
    .split('/')
    .map((part) => (part === '' ? '' : redaction.name(part)))
    .join('/')}`;
}

function keyOf({ environment, redaction, find }: Probe, text: string | null, where: string, shared: boolean): KeyFacts {
  if (text === null) return { as: 'none', variable: null, set: false, gatewayForm: null };
  const given = parseReference(text);
  const variable = given.as === 'reference' ? given.variable : null;
  const key = given.as === 'literal' ? text : environment.variables.get(variable ?? '');
  if (given.as === 'literal') {
    redaction.withhold(text);
    find({
      grade: 'security',
      what: `A key is there in plain text${shared ? ', and others can read the file' : ''}.`,
      where,
      fix: 'Put it into an environment variable, and write ${{ env.NAME }}. Have it replaced if others could read it.',
    });
  }
  if (given.as === 'other notation' || given.as === 'mixture') {
    redaction.withhold(text);
    find({
      what: 'The key would be sent as it is written there.',
      where,
      fix: 'Write ${{ env.NAME }} and nothing else.',
    });
  }
  const gatewayForm = key === undefined ? null : isAccountKey(key);
  // Blanks or quotes around a key are reported already.
  const bare = key?.replaceAll(/^[\s"']+|[\s"']+$/g, '') ?? '';
  if (bare.toLowerCase().startsWith('gwk_') && !isAccountKey(bare)) {
    const fix = 'Copy the key again, whole: gwk_ and 48 of 0-9, a-f. Where it is lost, have a new one issued.';
    find({ what: 'The key begins like an account key, but it is not one.', where, fix });
  }
  return {
    as: given.as,
    variable: variable === null ? null : redaction.name(variable),
    set: key !== undefined,
    gatewayForm,
  };
}
