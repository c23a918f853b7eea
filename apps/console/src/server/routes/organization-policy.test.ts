import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { startTestConsole, type TestConsole, unique } from '../../testing/console.ts';

let here: TestConsole;
let auditor: Client;
beforeAll(async () => {
  here = await startTestConsole();
  auditor = await here.holder('auditeur');
});
afterAll(() => here.stop());

const DOCUMENT = {
  models: { providers: ['local'] },
  tools: { allow: ['read_file'], ask: ['write_file'], exclude: ['shell'] },
  secrets: { response: 'mask', entropy: false, allow: [] },
};
const impose = (body: object) => here.pair.post('/api/organization/policy', body);
const attempts = async () =>
  (await auditor.get('/api/audit/organization-policy')).json.attempts as Record<string, unknown>[];

describe('an organization', () => {
  it('is nobody before one is created: asking is no fault, imposing is 404', async () => {
    expect((await here.pair.get('/api/organization')).json).toEqual({ organization: null, organizations: [] });
    expect((await impose({ document: {} })).status).toBe(404);
  });
  it('is created, and read with its policy', async () => {
    const made = await here.pair.create('/api/organization', { slug: 'acme', name: 'Acme' });
    expect(made).toEqual({ id: expect.any(String), slug: 'acme', name: 'Acme', policy: null });
    expect((await here.pair.get('/api/organization')).json).toEqual({ organization: made, organizations: [made] });
  });
  it('has a slug of its own', async () => {
    expect((await here.pair.post('/api/organization', { slug: 'acme', name: 'Again' })).status).toBe(409);
  });
  it.each([
    ['slug', { slug: '', name: 'A' }],
    ['slug', { name: 'A' }],
    ['slug', { slug: 'a b/c', name: 'A' }],
    ['name', { slug: 'other' }],
    ['name', { slug: 'other', name: ' ' }],
    ['name', { slug: 'other', name: 'a\nb' }],
  ])('is refused with its %s: %j', async (field, body) => {
    const reply = await here.pair.post('/api/organization', body);
    expect([reply.status, Object.keys(reply.json.fields)]).toEqual([400, [field]]);
  });
});

describe('its policy', () => {
  it('is imposed as the next revision, with a validity period where one is given', async () => {
    const one = await impose({ document: {} });
    const until = { validFrom: '2030-01-01T02:00:00+02:00', validUntil: '2031-01-01T00:00:00.000Z' };
    const two = await impose({ document: DOCUMENT, ...until });
    expect([one.status, one.json.revision, two.json.revision]).toEqual([201, 1, 2]);
    expect(two.json).toMatchObject({
      organization: 'acme',
      document: DOCUMENT,
      validFrom: '2030-01-01T00:00:00.000Z',
      validUntil: '2031-01-01T00:00:00.000Z',
      author: 'shared-pair',
    });
    const { organization } = (await here.pair.get('/api/organization')).json;
    expect(organization.policy).toMatchObject({ revision: 2, document: DOCUMENT });
  });
  it('gets a unique number, also for concurrent installations', async () => {
    const replies = await Promise.all(Array.from({ length: 5 }, () => impose({ document: DOCUMENT })));
    expect(new Set(replies.map(({ json }) => json.revision)).size).toBe(5);
  });
  it.each([
    ['budget', { document: { budget: 7 } }],
    ['document.tools.allow.0', { document: { tools: { allow: [7] } } }],
    ['document.secrets.response', { document: { secrets: { response: 'shout' } } }],
    ['document', { document: { '\0': 1 } }],
    ['document', { document: { '\ud800': ['\udc00'] } }],
    ['document.tools', { document: { tools: { '\0': [] } } }],
    ['document', { document: [] }],
    ['document', { document: 'x' }],
    ['document', { document: null }],
    ['document', {}],
    ['validUntil', { document: {}, validFrom: '2030-01-01T00:00:00Z', validUntil: '2029-01-01T00:00:00Z' }],
    ['validFrom', { document: {}, validFrom: 'tomorrow' }],
    ['validUntil', { document: {}, validUntil: 7 }],
  ])(
    'is refused with the path of the fault (%s), changes nothing and is recorded as an attempt: %j',
    async (field, body) => {
      const before = (await here.pair.get('/api/organization')).json;
      const kept = (await attempts()).length;
      const reply = await impose(body);
      expect(reply.status).toBe(400);
      expect(reply.text).toContain(field);
      expect((await here.pair.get('/api/organization')).json).toEqual(before);
      expect((await attempts()).length).toBe(kept + 1);
    },
  );
  it('is refused with a member beside the known ones', async () => {
    expect((await impose({ document: {}, colour: 'red' })).json.fields).toEqual({ colour: 'is not known here' });
  });
  it('shows auditors every attempt with its author, and the policy in force', async () => {
    const holder = await here.holder('administrateur-d-instance');
    await holder.post('/api/organization/policy', { document: DOCUMENT });
    await holder.post('/api/organization/policy', { document: { budget: 7 } });
    const { json } = await auditor.get(`/api/audit/organization-policy?author=${holder.username}`);
    expect(json.attempts).toMatchObject([
      { outcome: 'refused', author: holder.username, organization: 'acme', fault: expect.stringContaining('budget') },
      { outcome: 'installed', author: holder.username, revision: json.organizations[0].policy.revision },
    ]);
    const page = await auditor.get('/api/audit/organization-policy?limit=1');
    const next = await auditor.get(`/api/audit/organization-policy?limit=1&cursor=${page.json.next}`);
    expect(next.json.attempts[0].id).not.toBe(page.json.attempts[0].id);
  });
  it('names its organization where there are several', async () => {
    const slug = unique('other');
    await here.pair.create('/api/organization', { slug, name: 'Other' });
    expect((await impose({ document: {} })).json.fields).toHaveProperty('organization');
    expect((await impose({ document: {}, organization: 'nobody' })).status).toBe(404);
    expect((await impose({ document: {}, organization: slug })).json).toMatchObject({
      organization: slug,
      revision: 1,
    });
    expect((await here.pair.get('/api/organization')).json).toMatchObject({
      organization: null,
      organizations: [{}, {}],
    });
  });
});
