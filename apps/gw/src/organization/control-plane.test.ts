import { describe, expect, it } from 'vitest';
import { fakeGateway, type GatewayAnswer } from '../testing/fake-gateway.ts';
import { ask, ControlPlaneFailed } from './control-plane.ts';
import { readStanding } from './organization.ts';

async function world(answer: GatewayAnswer | 'cut' = { status: 200, body: {} }) {
  const gateway = await fakeGateway(() => answer);
  return { gateway, plane: { gateway: gateway.url, license: 'the.license', fetch } };
}
const failureOf = (work: Promise<unknown>): Promise<unknown> => work.then(() => null).catch((error: unknown) => error);

describe('a request to the gateway', () => {
  it('carries the license, and its body where it has one', async () => {
    const { gateway, plane } = await world({ status: 200, body: { a: 1 } });
    expect(await ask(plane, { path: '/ide/policy' })).toEqual({ a: 1 });
    expect(await ask(plane, { path: '/ide/acts', body: '{"acts":[]}' })).toEqual({ a: 1 });
    expect(gateway.seen).toEqual([
      { method: 'GET', url: '/ide/policy', authorization: 'Bearer the.license', body: '' },
      { method: 'POST', url: '/ide/acts', authorization: 'Bearer the.license', body: '{"acts":[]}' },
    ]);
  });

  it.each([
    [{ status: 403, body: { error: 'The license has expired.' } }, 403, ' answered 403: The license has expired.'],
    [{ status: 500, body: 'no JSON' }, 500, ' answered 500.'],
    [{ status: 200, body: '<html>' }, 200, ' answered 200.'],
    [{ status: 200, body: '[1]' }, 200, ' answered 200.'],
    [{ status: 200, body: 'null' }, 200, ' answered 200.'],
    [{ status: 204, body: '' }, 204, ' answered 204.'],
    [{ status: 400, body: { error: { code: 1 } } }, 400, ' answered 400.'],
  ])('that is answered with %j fails', async (answer, status, sentence) => {
    const { gateway, plane } = await world(answer);
    const failure = await failureOf(ask(plane, { path: '/ide/policy' }));
    expect(failure).toBeInstanceOf(ControlPlaneFailed);
    expect(failure).toMatchObject({ status, message: `${gateway.url}/ide/policy${sentence}` });
  });

  it('repeats no more than a part of a long sentence', async () => {
    const { plane } = await world({ status: 400, body: { error: 'x'.repeat(10_000) } });
    expect(String(await failureOf(ask(plane, { path: '/' })))).toHaveLength(500 + plane.gateway.length + 37);
  });

  it('without an answer names the address and the reason, and no license', async () => {
    const { gateway, plane } = await world('cut');
    expect(String(await failureOf(ask(plane, { path: '/' })))).toMatch(/ does not answer: \S/);
    gateway.close();
    const failure = await failureOf(ask(plane, { path: '/' }));
    expect(failure).toMatchObject({ status: null, message: expect.stringContaining('ECONNREFUSED') });
    expect(String(failure)).not.toContain('the.license');
  });

  it('ends where its caller ends it', async () => {
    const { plane } = await world();
    const failure = await failureOf(ask(plane, { path: '/', signal: AbortSignal.abort(new Error('interrupted')) }));
    expect(String(failure)).toContain('interrupted');
  });
});

describe('the standing of a session', () => {
  it.each([
    [{ status: 200, body: { standing: 'in force' } }, 'in force'],
    [{ status: 200, body: { standing: 'revoked' } }, 'revoked'],
    [{ status: 200, body: { standing: 'paused' } }, 'unknown'],
    [{ status: 404, body: { error: 'No such session.' } }, 'unknown'],
    ['cut' as const, 'unknown'],
  ])('after the answer %j is %s', async (answer, standing) => {
    const { gateway, plane } = await world(answer);
    expect(await readStanding(plane, 'a/b?c')).toBe(standing);
    expect(gateway.seen[0]?.url).toBe('/ide/sessions/a%2Fb%3Fc/standing');
  });
});
