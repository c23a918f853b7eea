import { isUnavailability } from '@gateway/database/console';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { refused } from './answers.ts';
import { within } from './budget.ts';
import { createGate } from './gate.ts';
import { repeatedHeader } from './repeated-header.ts';
import type { Route } from './route.ts';
import { secured } from './security-headers.ts';
import type { Services } from './services.ts';
import type { SignIn } from './sign-in/sign-in.ts';

export interface ApplicationOptions {
  /** The whole route table of the profile. An address it lacks is refused. */
  readonly routes: readonly Route[];
  readonly signIn: SignIn;
  readonly services: Services;
  /** Told of what went wrong inside; the caller only learns that something did. */
  readonly onFault: (error: unknown) => void;
}

/** How long the work of a request may take until its answer begins. A file or a stream goes on afterwards. */
const WORK_MILLISECONDS = 30_000;

/**
 * The console's answer to a request: files served without any right first, then the directory's login flow, then the route
 * table behind its gate.
 */
export function createApplication({ routes, signIn, services, onFault }: ApplicationOptions) {
  const application = new Hono<{ Bindings: Partial<HttpBindings> }>();
  const gate = createGate(signIn, services, onFault);
  const sourceOf = ({ env }: { readonly env: Partial<HttpBindings> }) => env.incoming?.socket.remoteAddress ?? null;

  application.use(async (context, next) => {
    const repeated = repeatedHeader(context.env.incoming?.rawHeaders ?? []);
    if (repeated !== undefined) return refused('header-repeated', { name: repeated });
    const open = services.assets.open(context.req.raw) ?? (await signIn.answerAuth?.(context.req.raw));
    return open ?? next();
  });
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
      return within(WORK_MILLISECONDS, route.run({ caller, parameters, request, services, deadline, judgeAgain }));
    });
  }
  application.notFound((context) => {
    return gate.turnAway({ request: context.req.raw, sourceAddress: sourceOf(context), project: undefined });
  });
  application.onError((error) => {
    onFault(error);
    return refused(isUnavailability(error) ? 'database-silent' : 'console-fault');
  });

  return {
    async fetch(request: Request, bindings: Partial<HttpBindings> = {}): Promise<Response> {
      return secured(await application.fetch(request, bindings));
    },
  };
}
