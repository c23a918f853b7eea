import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestConsole, type TestConsole, unique } from '../testing/console.ts';

let here: TestConsole;
beforeAll(async () => {
  here = await startTestConsole();
});
afterAll(() => here.stop());

const verdictsOn = async (requestId: string): Promise<string[]> =>
  (await here.pair.get(`/api/audit/decisions?requestId=${requestId}`)).json.decisions.map(
    ({ outcome }: { outcome: string }) => outcome,
  );

/** Declares a provider with a body that ends only after the caller was authorized and `meanwhile` is done. */
async function declareSlowly(key: string, slug: string, meanwhile: () => Promise<unknown>) {
  const requestId = unique('request');
  const body = JSON.stringify({ slug, name: 'x', baseUrl: 'https://engine.example' });
  const socket = connect({ port: Number(new URL(here.base).port), host: '127.0.0.1' });
  let answer = '';
  socket.setEncoding('latin1').on('data', (more: string) => {
    answer += more;
  });
  socket.write(
    [
      'POST /api/providers HTTP/1.1',
      'Host: console.example',
      `Authorization: Bearer ${key}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      `X-Request-Id: ${requestId}`,
      'Connection: close',
      '',
      body.slice(0, 10),
    ].join('\r\n'),
  );
  await expect.poll(() => verdictsOn(requestId)).toEqual(['granted']);
  await meanwhile();
  socket.write(body.slice(10));
  await once(socket, 'close');
  return { status: Number(answer.split(' ')[1]), requestId };
}

const slugs = async () => (await here.pair.get('/api/providers?limit=500')).text;

describe('a body that comes later than the decision on its caller', () => {
  it.each([
    ['lost the role', 403, ({ username }: { username: string }) => dropRole(username)],
    ['was revoked', 403, ({ username: subject }: { username: string }) => revoke(subject)],
    ['was disabled', 401, ({ id }: { id: string }) => here.pair.patch(`/api/users/${id}`, { enabled: false })],
  ])('changes nothing for a caller who meanwhile %s', async (_, refused, meanwhile) => {
    const holder = await here.holder('administrateur-d-instance');
    const slug = unique('provider');
    const { status, requestId } = await declareSlowly(holder.key, slug, () => meanwhile(holder));
    expect(status).toBe(refused);
    expect(await slugs()).not.toContain(slug);
    await expect.poll(() => verdictsOn(requestId)).toEqual(['refused', 'granted']);
  });
  it('is accepted from a caller who still may', async () => {
    const holder = await here.holder('administrateur-d-instance');
    const slug = unique('provider');
    expect((await declareSlowly(holder.key, slug, slugs)).status).toBe(201);
    expect(await slugs()).toContain(slug);
  });
});

describe('a body that is here with its request', () => {
  it('is judged once', async () => {
    const holder = await here.holder('administrateur-d-instance');
    const requestId = unique('request');
    const asked = { slug: unique('provider'), name: 'x', baseUrl: 'https://engine.example' };
    expect((await holder.post('/api/providers', asked, { 'x-request-id': requestId })).status).toBe(201);
    expect(await verdictsOn(requestId)).toEqual(['granted']);
  });
});

function revoke(subject: string) {
  return here.pair.create('/api/subject-revocations', { subject, reason: 'left' });
}

async function dropRole(subject: string) {
  const { json } = await here.pair.get(`/api/role-assignments?subject=${subject}`);
  for (const { id } of json.roleAssignments) await here.pair.delete(`/api/role-assignments/${id}`);
}
