import { refusal } from '@gateway/contract';
import { Hono } from 'hono';
import { refused, refusedWith } from './answers.ts';
import { refusalOfMatrix } from './authorize.ts';
import { isCrossSite } from './cross-site.ts';
import type { Route } from './route.ts';
import { secured } from './security-headers.ts';
import type { Services } from './services.ts';
import type { Caller } from './sign-in/caller.ts';
import type { SignIn } from './sign-in/sign-in.ts';

export interface ApplicationOptions {
  /** The whole route table of the profile. An address it lacks is refused. */
  readonly routes: readonly Route[];
  readonly signIn: SignIn;
  readonly services: Services;
  /** Told of what went wrong inside; the caller only learns that something did. */
  readonly onFault: (error: unknown) => void;
}

/**
 * The console's answer to a request, in this order: files served without any right, the directory's login flow, who calls (401),
 * whether a page of another site sent it (403), the address (404), the right (403), the input (400), the work.
 */
export function createApplication({ routes, signIn, services, onFault }: ApplicationOptions) {
  const application = new Hono<{ Variables: { caller: Caller } }>();

  application.use(async (context, next) => {
    const open = services.assets.open(context.req.raw) ?? (await signIn.answerAuth?.(context.req.raw));
    if (open !== undefined) return open;
    const identified = await signIn.identify(context.req.raw);
    if ('refused' in identified) return refusedWith(identified.refused);
    if (isCrossSite(context.req.raw)) return refused('cross-site');
    context.set('caller', identified.caller);
    return next();
  });

  for (const route of routes) {
    application.on(route.method, route.path, async (context) => {
      const caller = context.get('caller');
      const parameters = context.req.param() as Record<string, string>;
      const lacking = refusalOfMatrix(caller, route.right, parameters['project']);
      if (lacking !== null) return refusedWith(lacking);
      return route.run({ caller, parameters, request: context.req.raw, services });
    });
  }

  application.notFound(() => refusedWith(refusal('address-unknown')));
  application.onError((error) => {
    onFault(error);
    return refused('console-fault');
  });

  return {
    async fetch(request: Request): Promise<Response> {
      return secured(await application.fetch(request));
    },
  };
}
