import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestConsole, type TestConsole, unique } from '../../testing/console.ts';

let here: TestConsole;
beforeAll(async () => {
  here = await startTestConsole();
});
afterAll(() => here.stop());

const NOBODY = '01890000-0000-7000-8000-000000000000';
const plan = (more: Record<string, unknown> = {}) => {
  const slug = unique('plan');
  return { slug, name: `Plan ${slug}`, monthlyCap: 10, alertThresholds: [], ...more };
};

describe('a plan', () => {
  // console-21
  it.each([0, 12.5, 0.01, 1_000_000, null])('is created with the cap %j', async (monthlyCap) => {
    const asked = plan({ monthlyCap });
    const made = await here.pair.create('/api/plans', asked);
    expect(made).toEqual({ id: expect.any(String), ...asked });
    expect((await here.pair.get('/api/plans?limit=500')).json.plans).toContainEqual(made);
  });
  it.each([
    ['monthlyCap', -1],
    ['monthlyCap', 'ten'],
    ['monthlyCap', {}],
    ['monthlyCap', undefined],
    ['monthlyCap', 1e12],
    ['slug', 'a b'],
    ['name', ''],
  ])('is refused with %s %j', async (field, value) => {
    const reply = await here.pair.post('/api/plans', plan({ [field]: value }));
    expect([reply.status, Object.keys(reply.json.fields)]).toEqual([400, [field]]);
  });
  it('is changed, and keeps absent members', async () => {
    const made = await here.pair.create('/api/plans', plan());
    const reply = await here.pair.patch(`/api/plans/${made.id}`, { name: 'Another', monthlyCap: null });
    expect([reply.status, reply.json]).toEqual([200, { ...made, name: 'Another', monthlyCap: null }]);
  });
  it('has a slug of its own', async () => {
    const [one, two] = [await here.pair.create('/api/plans', plan()), await here.pair.create('/api/plans', plan())];
    expect((await here.pair.post('/api/plans', plan({ slug: one.slug }))).status).toBe(409);
    expect((await here.pair.patch(`/api/plans/${two.id}`, { slug: one.slug })).status).toBe(409);
  });
  it('is deleted once', async () => {
    const made = await here.pair.create('/api/plans', plan());
    expect((await here.pair.delete(`/api/plans/${made.id}`)).status).toBe(204);
    expect((await here.pair.delete(`/api/plans/${made.id}`)).status).toBe(404);
    expect((await here.pair.patch(`/api/plans/${NOBODY}`, { name: 'x' })).status).toBe(404);
  });
});
