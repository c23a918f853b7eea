import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type Server } from 'node:net';
import {
  type Adapter,
  type AdapterPayload,
  type Configuration,
  interactionPolicy,
  type KoaContextWithOIDC,
  Provider,
} from 'oidc-provider';
import { type IdentityProviderSettings, issuerOf } from './settings.ts';

interface Kept {
  readonly model: string;
  readonly payload: AdapterPayload;
  /** Milliseconds since 1970. */
  readonly until: number;
}

const kept = new Map<string, Kept>();

/** Stores what the provider issued in memory: after a restart, people sign in again. */
export class Memory implements Adapter {
  readonly #model: string;

  constructor(model: string) {
    this.#model = model;
  }

  async upsert(id: string, payload: AdapterPayload, seconds: number): Promise<void> {
    for (const [key, { until }] of kept) if (until < Date.now()) kept.delete(key);
    const until = Date.now() + (seconds > 0 ? seconds * 1000 : 86_400_000);
    kept.set(`${this.#model}:${id}`, { model: this.#model, payload, until });
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const found = kept.get(`${this.#model}:${id}`);
    return found && found.until >= Date.now() ? found.payload : undefined;
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.#where((payload) => payload.uid === uid);
  }

  async findByUserCode(code: string): Promise<AdapterPayload | undefined> {
    return this.#where((payload) => payload.userCode === code);
  }

  async consume(id: string): Promise<void> {
    const found = await this.find(id);
    if (found) found.consumed = Math.floor(Date.now() / 1000);
  }

  async destroy(id: string): Promise<void> {
    kept.delete(`${this.#model}:${id}`);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [key, { payload }] of kept) if (payload.grantId === grantId) kept.delete(key);
  }

  #where(matches: (payload: AdapterPayload) => boolean): AdapterPayload | undefined {
    const fits = ({ model, until, payload }: Kept): boolean =>
      model === this.#model && until >= Date.now() && matches(payload);
    return [...kept.values()].find(fits)?.payload;
  }
}

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f1f3f5, #141517) }
main { box-sizing: border-box; width: min(26rem, 100vw); padding: 2rem; border-radius: 8px; background: light-dark(#fff, #242424) }
h1 { margin: 0 0 1rem; font-size: 1.4rem }
label { display: block; font-weight: 600 }
input { box-sizing: border-box; width: 100%; margin-top: .25rem; padding: .6rem .7rem; font: inherit; border: 1px solid #868e96; border-radius: 4px }
button { padding: .6rem 1.2rem; font: inherit; font-weight: 600; color: #fff; background: #4263eb; border: 0; border-radius: 4px; cursor: pointer }
button:focus-visible, input:focus-visible { outline: 3px solid #748ffc; outline-offset: 1px }
[role=alert] { color: light-dark(#c92a2a, #ffa8a8); font-weight: 600 }
`;
const STYLE_DIGEST = createHash('sha256').update(STYLE).digest('base64');

/** Headers of every page of the demo identity provider. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_DIGEST}'; frame-ancestors 'none'`,
} as const;

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** A page without scripts. @param content HTML */
export function page(content: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Demo identity provider</title><style>${STYLE}</style></head>
<body><main>
<h1>Demo identity provider</h1>
${content}
</main></body>
</html>
`;
}

/** What a person fills in. */
interface SignInForm {
  readonly user: string;
  readonly password: string;
}

const LARGEST_FORM = 10_000;

/** A form that posts to the address it was shown at. @param refused the user whose sign-in was refused: kept in its field */
export function showSignIn(response: ServerResponse, action: string, refused?: string): void {
  const isRefused = refused !== undefined;
  const marked = isRefused ? ' aria-invalid="true" aria-describedby="refused"' : '';
  // Focus goes to the field that has to be filled in.
  const [onUser, onPassword] = (refused ?? '') === '' ? [' autofocus', ''] : ['', ' autofocus'];
  const content = `<p>This sign-in page belongs to the demo identity provider of npm start. User and password are printed there.</p>
${isRefused ? '<p role="alert" id="refused">User or password is wrong. Copy both from the output of npm start.</p>' : ''}
<form method="post" action="${escapeHtml(action)}">
<p><label>User <input name="user" value="${escapeHtml(refused ?? '')}" autocomplete="username" autocapitalize="none" spellcheck="false" required${marked}${onUser}></label></p>
<p><label>Password <input name="password" type="password" autocomplete="current-password" required${marked}${onPassword}></label></p>
<p><button type="submit">Sign in</button></p>
</form>`;
  response.writeHead(isRefused ? 401 : 200, PAGE_HEADERS);
  response.end(page(content));
}

/** Reads the posted form; null where it is none. */
export async function readSignIn(request: IncomingMessage): Promise<SignInForm | null> {
  let text = '';
  for await (const chunk of request as AsyncIterable<Buffer>) {
    text += chunk.toString('utf8');
    if (text.length > LARGEST_FORM) return null;
  }
  const form = new URLSearchParams(text);
  const [user, password] = [form.get('user'), form.get('password')];
  return user === null || password === null ? null : { user, password };
}

function show(context: KoaContextWithOIDC, content: string): void {
  context.set(PAGE_HEADERS);
  context.body = page(content);
}

/** The pages of the device flow (RFC 8628); the library's own load fonts from other hosts. */
export const devicePages = {
  async userCodeInputSource(context: KoaContextWithOIDC, form: string, _: unknown, error?: unknown): Promise<void> {
    const refused = error === undefined ? '' : '<p role="alert">This code is not known, or it has expired.</p>';
    const button = '<p><button type="submit" form="op.deviceInputForm">Continue</button></p>';
    show(context, `<p>Enter the code that the other device shows.</p>\n${refused}\n${form}\n${button}`);
  },
  async userCodeConfirmSource(
    context: KoaContextWithOIDC,
    form: string,
    _client: unknown,
    _device: unknown,
    code: string,
  ): Promise<void> {
    const question = `<p>Does the other device show the code <strong>${escapeHtml(code)}</strong>?</p>`;
    const buttons =
      '<p><button type="submit" form="op.deviceConfirmForm">Yes, sign it in</button> <button type="submit" form="op.deviceConfirmForm" name="abort" value="yes">No</button></p>';
    show(context, `${question}\n${form}\n${buttons}`);
  },
  async successSource(context: KoaContextWithOIDC): Promise<void> {
    show(context, '<p>The other device is signed in. You can close this page.</p>');
  },
};

const SIGN_IN = '/sign-in/';
const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';

function configuration(settings: IdentityProviderSettings): Configuration {
  const { people, clientId } = settings;
  const policy = interactionPolicy.base();
  policy.remove('consent'); // the deployment's own client needs nobody's
  return {
    adapter: Memory,
    clients: [
      {
        client_id: clientId,
        client_name: 'gateway',
        application_type: 'native', // its addresses are on this machine
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token', DEVICE_CODE],
        redirect_uris: settings.redirectUris,
      },
    ],
    jwks: { keys: [settings.signingKey] },
    cookies: { keys: settings.cookieKeys },
    claims: { openid: ['sub'], profile: ['name', 'preferred_username'], email: ['email'] },
    conformIdTokenClaims: false, // The identity token itself names the person.
    ttl: {
      DeviceCode: 600,
      IdToken: 3600,
      AccessToken: 3600,
      Session: 86_400,
      Grant: 86_400,
      Interaction: 3600,
      RefreshToken: 86_400,
    },
    features: {
      devInteractions: { enabled: false },
      deviceFlow: { enabled: true, ...devicePages },
      revocation: { enabled: true, allowedPolicy: async (_, client, token) => token.clientId === client.clientId },
    },
    // Without the consent page that a library's default asks for: there is none here.
    issueRefreshToken: async (_, client) => client.grantTypeAllowed('refresh_token'),
    interactions: { policy, url: (_, interaction) => `${SIGN_IN}${interaction.uid}` },
    findAccount: (_, subject) => {
      const person = people.find((one) => one.subject === subject);
      if (person === undefined) return undefined;
      const { name, user, email } = person;
      return { accountId: subject, claims: () => ({ sub: subject, name, preferred_username: user, email }) };
    },
    loadExistingGrant: async (context) => {
      const { client, session, params } = context.oidc;
      const grant = new context.oidc.provider.Grant({
        clientId: client?.clientId ?? '',
        accountId: session?.accountId ?? '',
      });
      const scope = params?.['scope'];
      grant.addOIDCScope(typeof scope === 'string' ? scope : 'openid');
      await grant.save();
      return grant;
    },
  };
}

/** Constant-time comparison. */
function same(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer];
  return timingSafeEqual(left, right);
}

/** A real OpenID provider with a few people, who sign in on a page of ours. */
export function createIdentityProvider(
  settings: IdentityProviderSettings,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const provider = new Provider(issuerOf(settings), configuration(settings));
  const answer = provider.callback();
  const { people } = settings;

  const signIn = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const address = request.url ?? '';
    await provider.interactionDetails(request, response); // Refuses an address that no login redirected to.
    const form = request.method === 'POST' ? await readSignIn(request) : null;
    if (form === null) return showSignIn(response, address);
    const person = people.find((one) => same(form.user, one.user) && same(form.password, one.password));
    if (person === undefined) return showSignIn(response, address, form.user);
    return provider.interactionFinished(request, response, { login: { accountId: person.subject } });
  };

  return async (request, response) => {
    if (!request.url?.startsWith(SIGN_IN)) return answer(request, response);
    try {
      await signIn(request, response);
    } catch {
      response.writeHead(400, PAGE_HEADERS);
      response.end(
        page('<p role="alert">This sign-in has expired.</p>\n<p>Open the application again and sign in there.</p>'),
      );
    }
  };
}

const TLS_HANDSHAKE = 0x16;

/**
 * Serves HTTPS, and plain HTTP on the same port for clients that do not trust the demo authority: a browser or a tool on this
 * machine can still show the sign-in page. The first byte of a connection shows which of the two it is.
 */
export function listenForBoth(
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  { certificate, key }: { readonly certificate: string; readonly key: string },
): Server {
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    answer(request, response).catch(() => response.destroy());
  };
  const encrypted = createHttpsServer({ cert: certificate, key }, handle);
  const plain = createHttpServer(handle);
  return createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', (first: Buffer) => {
      socket.pause();
      socket.unshift(first);
      (first[0] === TLS_HANDSHAKE ? encrypted : plain).emit('connection', socket);
      process.nextTick(() => socket.resume());
    });
  });
}
