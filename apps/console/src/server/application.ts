import type { BlockList } from 'node:net';
import { sourceAddressOf } from '@gateway/configuration';
import { refusal } from '@gateway/contract';
import { isUnavailability } from '@gateway/database/console';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { createGate } from './gate.ts';
import { refusalResponse, refuseRequest, within } from './http/answers.ts';
import { findRepeatedHeader, hostOf, isCrossSite, withSecurityHeaders } from './http/security-headers.ts';
import type { Route } from './routing/route.ts';
import { createScim, type ScimConfiguration } from './scim/scim.ts';
import type { Services } from './services/services.ts';
import type { SignIn } from './sign-in/sign-in.ts';

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
