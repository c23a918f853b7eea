import { createHash, timingSafeEqual } from 'node:crypto';
import { refusal } from '@gateway/contract';
import { isUnavailability } from '@gateway/database/console';
import { readProof } from '../caller/proof.ts';
import { SignInThrottle } from '../caller/throttle.ts';
import { within } from '../http/budget.ts';
import { readJsonObject } from '../input/body.ts';
import { isRecorded } from '../routing/decisions.ts';
import type { Services } from '../services/services.ts';
import { faultAnswer, ScimFault, scimResponse } from './answers.ts';
import { GroupProvisioning } from './group-provisioning.ts';
import { answerGroup, answerGroups } from './groups.ts';
import { Provisioning, type ProvisioningRules } from './provisioning.ts';
import { BASE, discover } from './schemas.ts';
import type { Members } from './user.ts';
import { answerUser, answerUsers } from './users.ts';

/** What an identity provider needs to provision users. */
export interface ScimConfiguration extends ProvisioningRules {
  readonly token: string;
}

/** How long the work of a request may take. */
const WORK_MILLISECONDS = 30_000;

/** Parts of the protocol that RFC 7644 leaves to choice: bulk requests, search by POST, and the user of the token. */
const OPTIONAL = /^\/(?:Bulk|Me|(?:(?:Users|Groups)\/)?\.search)$/;

const RESOURCES = new Map([
  ['Users', { all: answerUsers, one: answerUser }],
  ['Groups', { all: answerGroups, one: answerGroup }],
]);

/** Handles addresses below `/scim/v2`; undefined for every other address. */
export type Scim = (request: Request, sourceAddress: string | null) => Promise<Response | undefined>;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** SCIM 2.0 (RFC 7643, RFC 7644) behind a token of its own, which opens nothing else. */
export function createScim(
  { token, ...rules }: ScimConfiguration,
  services: Services,
  onFault: (error: unknown) => void,
): Scim {
  const expected = digest(token);
  const throttle = new SignInThrottle(Date.now);
  const provisioning = new Provisioning(services, rules);
  const groups = new GroupProvisioning(services);

  /** @throws ScimFault where the token is missing or wrong, or too many were wrong from there */
  async function authenticate(request: Request, sourceAddress: string | null): Promise<void> {
    const seconds = throttle.secondsToWait(sourceAddress);
    if (seconds > 0) {
      throw new ScimFault(429, 'Too many refused tokens came from this address.', null, {
        'retry-after': String(seconds),
      });
    }
    const proof = readProof(request.headers);
    if (proof?.kind === 'key' && timingSafeEqual(digest(proof.key), expected)) return;
    const challenge = { 'www-authenticate': 'Bearer realm="scim"' };
    if (proof === null) throw new ScimFault(401, 'The provisioning token is missing.', null, challenge);
    throttle.failed(sourceAddress);
    const refused = refusal('key-unknown');
    await isRecorded(services, {
      right: { permission: 'attributions:administrer' },
      project: undefined,
      subject: null,
      credential: 'token',
      decided: { granted: false, refused, reason: 'key-unknown', detail: 'a wrong provisioning token (SCIM)' },
      request,
      sourceAddress,
      at: new Date(),
    });
    throw new ScimFault(401, 'The provisioning token is wrong.', null, challenge);
  }

  async function answer(request: Request, path: string): Promise<Response> {
    const known = discover(path);
    if (known !== null) {
      if (request.method === 'GET') return scimResponse(200, known);
      throw new ScimFault(405, `${request.method} is not served here.`);
    }
    if (OPTIONAL.test(path)) throw new ScimFault(501, `${path} is not supported here. See ServiceProviderConfig.`);
    const [, kind = '', id, ...rest] = path.split('/');
    const resource = RESOURCES.get(kind);
    if (resource === undefined || rest.length > 0) throw new ScimFault(404, 'There is no such resource here.');
    const deadline = performance.now() + WORK_MILLISECONDS;
    const query = new URL(request.url).searchParams;
    const { database } = services;
    const given = { database, provisioning, groups, query, deadline, body: () => bodyOf(request) };
    const work =
      id === undefined || id === '' ? resource.all(request.method, given) : resource.one(request.method, id, given);
    return within(WORK_MILLISECONDS, work);
  }

  return async (request, sourceAddress) => {
    const { pathname } = new URL(request.url);
    if (pathname !== BASE && !pathname.startsWith(`${BASE}/`)) return undefined;
    try {
      await authenticate(request, sourceAddress);
      return await answer(request, decode(pathname.slice(BASE.length)));
    } catch (error) {
      if (error instanceof ScimFault) return faultAnswer(error);
      onFault(error);
      const isSilent = isUnavailability(error);
      return faultAnswer(
        isSilent
          ? new ScimFault(503, 'The database gave no answer. Try again.')
          : new ScimFault(500, 'The console failed. Its log has the cause.'),
      );
    }
  };
}

/** A path as it was meant: clients encode the colons of a schema's URN. */
function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new ScimFault(404, 'There is no such resource here.');
  }
}

const MEDIA_TYPES = /^application\/(scim\+)?json\s*(;|$)/i;

async function bodyOf(request: Request): Promise<Members> {
  if (!MEDIA_TYPES.test(request.headers.get('content-type') ?? '')) {
    throw new ScimFault(415, 'The body must be application/scim+json or application/json.');
  }
  const read = await readJsonObject(request);
  if ('value' in read) return read.value;
  switch (read.fault) {
    case 'too-slow':
      throw new ScimFault(408, 'The body did not arrive completely in time.', null, { connection: 'close' });
    case 'too-large':
      throw new ScimFault(413, 'The body is too large.');
    default:
      throw new ScimFault(400, 'The body is not a JSON object.', 'invalidSyntax');
  }
}
