import type { BlockList } from 'node:net';
import { PolicySetUnusable } from '@gateway/access';
import { sourceAddressOf } from '@gateway/configuration';
import { type Refusal, refusal } from '@gateway/contract';
import { isUnavailability } from '@gateway/database/client/unavailable';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { refusalResponse, refuseRequest, within } from './http/answers.ts';
import { decideOn, type RouteDecision } from './http/authorize.ts';
import { type Caller, readProof, SignInThrottle } from './http/caller.ts';
import { isRecorded } from './http/decisions.ts';
import { formatOf } from './http/list-or-export.ts';
import { type Around, type Links, refusalNotice, wantsPage } from './http/notice.ts';
import { surfacesOf } from './http/pages.ts';
import type { Right, Route } from './http/route.ts';
import { findRepeatedHeader, hostOf, isCrossSite, withSecurityHeaders } from './http/security-headers.ts';
import type { Services } from './http/services.ts';
import { createScim, type ScimConfiguration } from './scim/scim.ts';
import type { Identification, SignIn, Unidentified } from './sign-in/sign-in.ts';

export interface ApplicationOptions {
  /** The whole route table of the profile. An address it lacks is refused. */
  readonly routes: readonly Route[];
  readonly signIn: SignIn;
  /** Provisioning by an identity provider; null where no token was given for it. */
  readonly scim: ScimConfiguration | null;
  readonly services: Services;
  /** Peers trusted to report where a request came from; null: none. */
  readonly trustedProxies: BlockList | null;
  /** Origin under which browsers reach the console; null where nobody says. */
  readonly publicOrigin: string | null;
  /** Called with an internal fault; the caller only sees that something failed. */
  readonly onFault: (error: unknown) => void;
}

/** How long a request may take until its answer begins. A file or a stream may take longer. */
const WORK_MILLISECONDS = 30_000;

/**
 * The console's answer to a request: files served without any right first, then the identity provider's login flow, then the
 * route table behind its gate.
 */
export function createApplication({
  routes,
  signIn,
  scim,
  services,
  trustedProxies,
  publicOrigin,
  onFault,
}: ApplicationOptions) {
  const application = new Hono<{ Bindings: Partial<HttpBindings> }>();
  const origins = [publicOrigin, signIn.origin].filter((one) => typeof one === 'string');
  const gate = createGate(signIn, services, origins, onFault);
  const provision = scim === null ? null : createScim(scim, services, onFault);
  const sourceOf = ({ env, req }: { readonly env: Partial<HttpBindings>; readonly req: { readonly raw: Request } }) =>
    sourceAddressOf(env.incoming?.socket.remoteAddress, req.raw.headers.get('x-forwarded-for'), trustedProxies);

  application.use(async (context, next) => {
    const repeated = findRepeatedHeader(context.env.incoming?.rawHeaders ?? []);
    if (repeated !== undefined) return refuseRequest('header-repeated', { name: repeated });
    const open =
      services.assets.open(context.req.raw) ??
      (await signIn.answerAuth?.(context.req.raw)) ??
      (await provision?.(context.req.raw, sourceOf(context)));
    return open ?? next();
  });
  const { form } = signIn;
  if (form !== undefined) {
    application.get(form.path, ({ req: { raw } }) =>
      form.page(raw, { user: '', returnTo: new URL(raw.url).searchParams.get('to') ?? '' }, null),
    );
    application.post(form.path, async (context) => {
      const request = context.req.raw;
      if (isCrossSite(request, origins)) return refuseRequest('cross-site', hostOf(request));
      const typed = await form.read(request);
      if (typed.proof === null) return form.page(request, typed, refusal('sign-in-hosted'));
      const visit = { request: typed.proof, sourceAddress: sourceOf(context), project: undefined };
      const identified = await gate.signIn(visit);
      if (identified instanceof Response) return identified;
      return 'caller' in identified
        ? form.enter(request, identified.caller, typed.returnTo)
        : form.page(request, typed, identified.refused);
    });
  }
  for (const route of routes) {
    application.on(route.method, route.path, async (context) => {
      const request = context.req.raw;
      const parameters: Readonly<Record<string, string>> = context.req.param();
      const visit = { request, sourceAddress: sourceOf(context), project: parameters['project'] };
      const enter = () => gate.enter(route, visit);
      const caller = await enter();
      if (caller instanceof Response) return caller;
      const judgeAgain = context.env.incoming?.complete === false ? enter : null;
      const deadline = performance.now() + WORK_MILLISECONDS;
      const { sourceAddress } = visit;
      const call = { caller, parameters, request, sourceAddress, services, deadline, judgeAgain };
      return within(WORK_MILLISECONDS, route.run(call));
    });
  }
  application.notFound((context) => {
    return gate.deny({ request: context.req.raw, sourceAddress: sourceOf(context), project: undefined });
  });
  application.onError((error) => {
    onFault(error);
    return isUnavailability(error)
      ? refusalResponse(refusal('database-silent', { members: { down: 'database' } }))
      : refuseRequest('console-fault');
  });

  return {
    async fetch(request: Request, bindings: Partial<HttpBindings> = {}): Promise<Response> {
      return withSecurityHeaders(await application.fetch(request, bindings));
    },
  };
}

/** Added to the refusal for a browser if the cause is known: the page retries by itself. */
const DATABASE_DOWN: Around = {
  note: "The console's database does not answer. The operator finds the cause on the console's error output. This page tries again by itself.",
  retrySeconds: 5,
};

/** Time limit to identify a caller, authorize it and have the decision recorded. */
const DECISION_MILLISECONDS = 5_000;

/** A request before its route runs. */
interface Visit {
  readonly request: Request;
  readonly sourceAddress: string | null;
  /** The project its address names. */
  readonly project: string | undefined;
}

interface Gate {
  /** The caller that may use a route, or the answer to one that may not. */
  enter(route: Route, visit: Visit): Promise<Caller | Response>;
  /** The caller that typed a name and a password into the form: checked, throttled and recorded like any other proof. */
  signIn(visit: Visit): Promise<Identification | Response>;
  /** The answer where there is no route: 404 for a signed-in caller; others get the same answer as for a real route. */
  deny(visit: Visit): Promise<Response>;
}

/** A file takes the right of the list and the right to export. */
function rightsOf(route: Route, request: Request): readonly Right[] {
  const right = route.rightFor?.(new URL(request.url)) ?? route.right;
  return route.exportRight === null || formatOf(request) === 'json'
    ? [right]
    : [right, { permission: route.exportRight }];
}

/** A refusal as a small page where a browser asked for one, else as the envelope. */
function renderRefusal(request: Request, page: boolean, refused: Refusal, around: Around): Response {
  return page && wantsPage(request)
    ? refusalNotice(request, withoutPrompt(request, refused), around)
    : refusalResponse(refused);
}

/** To a page that is opened without a proof, the sign-in page is the answer: a challenge would open the browser's own prompt. */
function withoutPrompt(request: Request, refused: Refusal): Refusal {
  if (readProof(request.headers) !== null) return refused;
  const { 'www-authenticate': _, ...headers } = refused.headers;
  return { ...refused, headers };
}

function tooManyAttempts(seconds: number): Unidentified {
  const [details, headers] = [{ seconds: String(seconds) }, { 'retry-after': String(seconds) }];
  return { refused: refusal('sign-in-throttled', { details, headers }), reason: 'sign-in-throttled' };
}

/**
 * Admits a request, in this order: identity (401), whether a page of another site sent it (403), the right (403), its record
 * (503). If one cannot be read, the answer is 503.
 */
function createGate(
  signIn: SignIn,
  services: Services,
  origins: readonly string[],
  onFault: (error: unknown) => void,
): Gate {
  const throttle = new SignInThrottle(Date.now);

  /**
   * Identifies the caller. After too many failures from one address no proof is checked, so that not even the time taken shows
   * a good guess.
   */
  async function identify({ request, sourceAddress }: Visit): Promise<Identification> {
    const wait = throttle.secondsToWait(sourceAddress);
    if (wait > 0 && readProof(request.headers) !== null) return tooManyAttempts(wait);
    const identified = await signIn.identify(request);
    if ('refused' in identified && identified.reason === 'credentials-missing') return identified;
    // Other requests from this address may have failed meanwhile: of concurrent guesses, too, at most ten are answered.
    const waitNow = throttle.secondsToWait(sourceAddress);
    if ('refused' in identified && identified.reason === 'key-unknown') throttle.failed(sourceAddress);
    return waitNow > 0 && readProof(request.headers) !== null ? tooManyAttempts(waitNow) : identified;
  }

  async function decideFor(identified: Identification, right: Right, visit: Visit, at: Date): Promise<RouteDecision> {
    if ('refused' in identified) return { granted: false, detail: null, ...identified };
    const { caller } = identified;
    const revision = caller.kind === 'subject' ? caller.policy : null;
    const policies = await services.policies.compiled(services.database, revision);
    const { pathname, search } = new URL(visit.request.url);
    const circumstances = { method: visit.request.method, path: pathname + search, at };
    return decideOn(caller, right, visit.project, { ...circumstances, sourceAddress: visit.sourceAddress }, policies);
  }

  /** Whether the decision is in the decision log, or need not be. */
  async function keep(
    identified: Identification,
    right: Right,
    visit: Visit,
    at: Date,
    decided: RouteDecision,
  ): Promise<boolean> {
    // A caller without any proof is asked to sign in; no decision is made. The shared pair is no subject and has no rights;
    // each of its changes is recorded under its name. Asking for one's own session requires no right.
    if ('refused' in identified && identified.reason === 'credentials-missing') return true;
    if ('caller' in identified && (identified.caller.kind === 'shared-pair' || right === 'signed-in')) return true;
    const named = 'caller' in identified ? identified.caller : (identified.subject ?? null);
    const subject = named?.kind === 'subject' ? named : null;
    const credential = subject?.credential ?? ('refused' in identified ? identified.credential : null) ?? 'none';
    return isRecorded(services, { ...visit, right, subject, credential, decided, at });
  }

  /** Where a refused person can go, and the subject that the console sees. */
  function waysOn(identified: Identification): Around {
    const { signInAddress, signOutAddress } = signIn;
    if ('refused' in identified) return signInAddress === undefined ? {} : { links: { 'Sign in': signInAddress } };
    const { caller } = identified;
    const out: Links = signOutAddress === undefined ? {} : { 'Sign out': signOutAddress };
    return caller.kind === 'shared-pair'
      ? { links: { ...surfacesOf(null), ...out } }
      : { links: { ...surfacesOf(caller.roles), ...out }, subject: caller.subject };
  }

  /**
   * A browser that opens a page before signing in gets a page that redirects to the sign-in: only the browser knows the
   * fragment of the address to return to. Other clients get the refusal.
   */
  function refuse(
    route: Route,
    { request }: Visit,
    identified: Identification,
    { refused, reason }: Extract<RouteDecision, { granted: false }>,
  ): Response {
    const around = waysOn(identified);
    const goesOn = signIn.signInAddress !== undefined && reason === 'credentials-missing';
    return goesOn && route.page && wantsPage(request)
      ? refusalNotice(request, withoutPrompt(request, refused), { ...around, goesOn })
      : renderRefusal(request, route.page, refused, around);
  }

  async function judge(route: Route, visit: Visit): Promise<Caller | Response> {
    const identified = await identify(visit);
    if ('caller' in identified && isCrossSite(visit.request, origins))
      return refuseRequest('cross-site', hostOf(visit.request));
    for (const right of rightsOf(route, visit.request)) {
      const at = new Date();
      const decided = await decideFor(identified, right, visit, at);
      if (!(await keep(identified, right, visit, at, decided))) {
        return renderRefusal(visit.request, route.page, refusal('unrecorded'), waysOn(identified));
      }
      if (!decided.granted) return refuse(route, visit, identified, decided);
    }
    return 'caller' in identified ? identified.caller : refusalResponse(identified.refused);
  }

  /** Nobody is admitted at an unknown address; the caller is identified first. */
  async function denied(page: boolean, visit: Visit): Promise<Response> {
    const identified = await identify(visit);
    if ('caller' in identified)
      return renderRefusal(visit.request, page, refusal('address-unknown'), waysOn(identified));
    // A guessed proof is recorded here too: no address shows whether a guess was right without leaving an entry.
    const decided: RouteDecision = { granted: false, detail: null, ...identified };
    const isKept = await keep(identified, 'shared-pair', visit, new Date(), decided);
    return renderRefusal(visit.request, page, isKept ? identified.refused : refusal('unrecorded'), waysOn(identified));
  }

  /** The decision; if the database cannot answer, a refusal, and the cause is logged for the operator. */
  async function decided<Result>(page: boolean, visit: Visit, judging: Promise<Result>): Promise<Result | Response> {
    try {
      return await within(DECISION_MILLISECONDS, judging);
    } catch (error) {
      if (!isUnavailability(error) && !(error instanceof PolicySetUnusable)) throw error;
      onFault(error);
      if (!isUnavailability(error)) return renderRefusal(visit.request, page, refusal('undecided'), {});
      return renderRefusal(visit.request, page, refusal('undecided', { members: { down: 'database' } }), DATABASE_DOWN);
    }
  }

  async function typed(visit: Visit): Promise<Identification> {
    const identified = await identify(visit);
    if ('caller' in identified) return identified;
    const decided: RouteDecision = { granted: false, detail: null, ...identified };
    const isKept = await keep(identified, 'shared-pair', visit, new Date(), decided);
    return isKept ? identified : { ...identified, refused: refusal('unrecorded') };
  }

  return {
    signIn: (visit) => decided(true, visit, typed(visit)),
    enter: (route, visit) => decided(route.page, visit, judge(route, visit)),
    deny(visit) {
      const page = !new URL(visit.request.url).pathname.startsWith('/api/');
      return decided(page, visit, denied(page, visit));
    },
  };
}
